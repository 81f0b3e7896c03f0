// Functions in the environment, as `export -f` leaves them: `BASH_FUNC_name%%=() { … }`, which bash reads when it starts.
import type { Node } from "../shell.ts";
import { parse } from "./syntax/reader.ts";
import { SyntaxProblem } from "./syntax/problem.ts";
import { printFunction } from "./syntax/printer.ts";

const VARIABLE = /^BASH_FUNC_([^%]+)%%$/;

/** The variables of the functions that are exported. */
export const environmentOf = (functions: Map<string, Node>): [string, string][] =>
  [...functions]
    .filter(([, { exported }]) => exported)
    .map(([name, definition]) => [
      `BASH_FUNC_${name}%%`,
      printFunction(name, definition).replace(`${name} () \n{`, "() {").trimEnd(),
    ]);

/** Define the functions in an environment; text that isn't the definition of one function is left out. */
export function importFunctions(functions: Map<string, Node>, env: Record<string, string>) {
  for (const [variable, text] of Object.entries(env)) {
    const [, name] = VARIABLE.exec(variable) ?? [];
    if (name === undefined || !text.startsWith("() {")) continue;
    const definition = definitionOf(`${name} ${text}`);
    if (definition) functions.set(name, { ...definition, exported: true });
  }
}

function definitionOf(text: string): Node | null {
  try {
    const statements = parse(text);
    const command = statements[0]?.pipelines[0]?.commands[0];
    const isAlone =
      statements.length === 1 &&
      statements[0]?.pipelines.length === 1 &&
      statements[0].pipelines[0].commands.length === 1;
    return isAlone && command?.type === "FunctionDef" ? command : null;
  } catch (error) {
    if (error instanceof SyntaxProblem) return null;
    throw error;
  }
}
