/**
 * Run JavaScript in a page's own world. The browser copies the function's source into the page, so it uses nothing
 * outside of itself.
 *
 * @param code - an expression, or the body of an async function
 */
export async function runInPage(
  code: string,
): Promise<
  | { value: unknown }
  | { type: "InvalidArguments" | "ScriptFailed" | "Unsupported"; message: string; stack: string | null }
> {
  const AsyncFunction: FunctionConstructor = Reflect.get(async () => {}, "constructor");
  const failed = (type: "InvalidArguments" | "ScriptFailed" | "Unsupported", thrown: unknown) => {
    const {
      name = "Error",
      message = thrown,
      stack = null,
    }: { name?: string; message?: unknown; stack?: string | null } = Object(thrown ?? {});
    return { type, message: `${name}: ${message}`, stack };
  };
  let run;
  try {
    try {
      run = new AsyncFunction(`return (${code}\n);`);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      run = new AsyncFunction(code);
    }
  } catch (error) {
    return failed(error instanceof SyntaxError ? "InvalidArguments" : "Unsupported", error);
  }
  try {
    const value = await run();
    const text = JSON.stringify(value);
    return { value: text === undefined ? (value === undefined ? null : String(value)) : JSON.parse(text) };
  } catch (error) {
    return failed("ScriptFailed", error);
  }
}
