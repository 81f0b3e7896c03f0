// What readable-stream requires as `process/`.
import { process } from "../../base.ts";

export default process;
export const { nextTick, env, argv, platform } = process;
