// What tesseract.js-core ships without types (https://github.com/naptha/tesseract.js-core).
declare module "tesseract.js-core/tesseract-core-simd-lstm.js" {
  /** of C++, as far as it is used */
  export interface Api {
    /** @returns 0 if the languages are there */
    Init(folder: string | null, languages: string, engine: number): number;
    SetVariable(name: string, value: string): void;
    /** @returns 1 if Leptonica can't read the picture */
    SetImageFile(orientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetTSVText(page: number): string;
  }

  export interface Tesseract {
    FS: { writeFile(path: string, content: Uint8Array): void };
    TessBaseAPI: new () => Api;
  }

  export default function create(settings: object): Promise<Tesseract>;
}
