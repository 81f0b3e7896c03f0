/** The words of whatever is thrown, for all parts that show it. */

export { messageOf } from "../page/errors.ts";
