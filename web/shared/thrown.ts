/** What is thrown may be anything. */

export { messageOf } from "../page/errors.ts";
