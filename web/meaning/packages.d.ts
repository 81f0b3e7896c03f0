// What the worker uses of onnxruntime-web, whose package is apart from the others (builder/meaning/package.json).
declare module "onnxruntime-web/wasm" {
  export const env: { wasm: { numThreads: number; wasmBinary: ArrayBuffer }; logLevel: string };

  export class Tensor {
    constructor(type: "int64", data: BigInt64Array, shape: number[]);
    data: Float32Array;
    dispose(): void;
  }

  export class InferenceSession {
    static create(model: Uint8Array, options: object): Promise<InferenceSession>;
    run(inputs: Record<string, Tensor>): Promise<Record<string, Tensor>>;
  }
}
