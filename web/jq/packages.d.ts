// What builder/bundles.py provides.
declare module "jq-factory" {
  export default function create(
    settings: object,
  ): Promise<import("../kernel/emscripten.ts").EmscriptenModule & { callMain(args: string[]): number }>;
}
declare module "jq-web/jq.wasm" {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
