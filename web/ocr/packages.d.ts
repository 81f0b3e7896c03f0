// What tesseract.js-core ships without types.
declare module "tesseract.js-core/tesseract-core-simd-lstm.js" {
  export default function create(settings: object): Promise<any>;
}
