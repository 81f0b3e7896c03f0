// Packages without types of their own.
declare module "@pkgjs/parseargs";
declare module "assert";
declare module "assert/build/internal/util/comparisons";
declare module "events" {
  export default class EventEmitter {
    static call(self: unknown): void;
    on(name: string, listener: (...args: never[]) => void): this;
    off(name: string, listener: (...args: never[]) => void): this;
    emit(name: string, ...args: unknown[]): boolean;
  }
}
declare module "npm-util";
declare module "path-browserify";
declare module "readable-stream";
declare module "string_decoder";
declare module "url";
