// The package has no types.
declare module "@joplin/turndown-plugin-gfm" {
  import type { Plugin } from "turndown";
  export const strikethrough: Plugin;
  export const tables: Plugin;
}
