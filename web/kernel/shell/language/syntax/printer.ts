// Commands as bash prints them, for `declare -f` and `type` (its print_cmd.c).

import type { Node } from "../../shell.ts";

const STEP = "    ";

export function printFunction(name: string, definition: Node): string {
  const printer = new Printer();
  const redirections = printer.redirections(definition.redirections);
  return `${name} () \n${printer.functionBody(definition.body)}${redirections}\n`;
}

/** @returns as it is written in the script */
export const wordText = (word: Node): string =>
  (word.assignment?.array ? assignmentText(word.assignment) : word.text) ?? word.parts.map(partText).join("");

function assignmentText({ name, append, array, text }: Node): string {
  if (!array) return text ?? name;
  const items = array.map(
    (item: Node) =>
      (item.subscript === undefined ? "" : `[${item.subscript}]${item.append ? "+" : ""}=`) + wordText(item),
  );
  return `${name}${append ? "+" : ""}=(${items.join(" ")})`;
}

/** A part of a word that was made, not read. */
function partText(part: Node): string {
  if (part.type === "DoubleQuoted") return `"${part.parts.map(partText).join("")}"`;
  if (part.type === "SingleQuoted") return `'${part.value}'`;
  if (part.type === "ParameterExpansion") {
    const { parameter, operation } = part;
    return /^\w$|^[A-Za-z_]\w*$|^\W$/.test(parameter) && !operation ? `$${parameter}` : `\${${parameter}}`;
  }
  return part.value ?? part.pattern ?? (part.type === "TildeExpansion" ? "~" : "");
}

/** The head of a loop over words. */
export const headOfLoop = (word: string, { variable, words }: Node) =>
  `${word} ${variable} in ${words ? words.map(wordText).join(" ") : '"$@"'}`;

class Printer {
  indent = "";
  /** The here-documents of the line, with their ends. */
  bodies = "";

  /** @returns its output, one step deeper */
  deeper(print: () => string): string {
    this.indent += STEP;
    const text = print();
    this.indent = this.indent.slice(STEP.length);
    return text;
  }

  functionBody(body: Node): string {
    if (body.type === "Group") return this.group(body) + this.redirections(body.redirections);
    return `${this.indent}{ \n${this.deeper(() => this.indent + this.command(body))}\n${this.indent}}`;
  }

  /** @returns with its first line indented */
  group({ body }: Node): string {
    return `${this.indent}{ \n${this.deeper(() => this.list(body, false))}\n${this.indent}}`;
  }

  /**
   * Statements on lines of their own.
   * @param closed - whether the last ends with a semicolon
   */
  list(statements: Node[], closed: boolean) {
    return statements
      .map((statement, at) => {
        const text = this.indent + this.statement(statement);
        const bodies = this.takeBodies();
        const ends = bodies || statement.background || (at === statements.length - 1 && !closed) ? "" : ";";
        return text + ends + bodies;
      })
      .join("\n");
  }

  takeBodies() {
    const { bodies } = this;
    this.bodies = "";
    return bodies;
  }

  /** Statements on one line, as in a condition. */
  line(statements: Node[]) {
    const texts = statements.map((statement) => this.statement(statement) + (statement.background ? "" : ";"));
    return texts.join(" ") + this.takeBodies();
  }

  statement({ pipelines, operators, background }: Node): string {
    const texts = pipelines.map(
      (pipeline: Node, at: number) => (at > 0 ? ` ${operators[at - 1]} ` : "") + this.pipeline(pipeline),
    );
    return texts.join("") + (background ? " &" : "");
  }

  pipeline({ commands, negated, timed, timePosix, pipeStderr }: Node): string {
    const texts = commands.map(
      (command: Node, at: number) =>
        this.command(command) + (at === commands.length - 1 ? "" : pipeStderr?.[at] ? " 2>&1 | " : " | "),
    );
    return (timed ? `time ${timePosix ? "-p " : ""}` : "") + (negated ? "! " : "") + texts.join("");
  }

  /** @returns its first line isn't indented */
  command(command: Node): string {
    const print = PRINTERS[command.type];
    if (!print) throw new Error(`${command.type} can't be printed`);
    const text = print(this, command);
    return command.type === "SimpleCommand" || command.type === "FunctionDef"
      ? text
      : text + this.redirections(command.redirections);
  }

  /** @returns with a blank in front of each */
  redirections(redirections: Node[]): string {
    return redirections.map((redirection) => ` ${this.redirection(redirection)}`).join("");
  }

  redirection({ fd, fdVariable, operator, target }: Node): string {
    const number = fdVariable ? `{${fdVariable}}` : fd === null ? "" : String(fd);
    if (target.type === "HereDoc") {
      const { content, delimiter, quoted, source = content.parts.map(partText).join("") } = target;
      this.bodies += `\n${source}${delimiter}\n`;
      return `${number}${operator}${quoted ? `'${delimiter}'` : delimiter}`;
    }
    const duplicates = operator === ">&" || operator === "<&";
    const implied = duplicates && number === "" ? (operator === ">&" ? "1" : "0") : number;
    if (duplicates && /^[\d-]+$/.test(wordText(target))) return `${implied}${operator}${wordText(target)}`;
    return `${number}${operator}${duplicates ? "" : " "}${wordText(target)}`;
  }

  forLoop({ body }: Node, head: string): string {
    return `${head}\n${this.indent}do\n${this.deeper(() => this.list(body, true))}\n${this.indent}done`;
  }

  whileLoop({ condition, body }: Node, word: string): string {
    return `${word} ${this.line(condition)} do\n${this.deeper(() => this.list(body, true))}\n${this.indent}done`;
  }
}

function printItem(printer: Printer, { patterns, body, terminator }: Node): string {
  const head = `${printer.indent}${patterns.map(wordText).join(" | ")})\n`;
  return `${head}${printer.deeper(() => printer.list(body, false))}\n${printer.indent}${terminator}`;
}

function printCondition(expression: Node): string {
  const { type, operator, left, right } = expression;
  if (type === "CondAnd") return `${printCondition(left)} && ${printCondition(right)}`;
  if (type === "CondOr") return `${printCondition(left)} || ${printCondition(right)}`;
  if (type === "CondNot") return `! ${printCondition(expression.operand)}`;
  if (type === "CondGroup") return `( ${printCondition(expression.expression)} )`;
  if (type === "CondUnary") return `${operator} ${wordText(expression.operand)}`;
  return type === "CondWord" ? `-n ${wordText(expression.word)}` : `${wordText(left)} ${operator} ${wordText(right)}`;
}

const calculation = (part: Node | null) => part?.originalText.trim() || "1";

const PRINTERS: Record<string, (printer: Printer, command: Node) => string> = {
  SimpleCommand: (printer, { assignments, name, args, redirections }) =>
    [...assignments.map(assignmentText), ...(name ? [name, ...args].map(wordText) : [])].join(" ") +
    printer.redirections(redirections).slice(name || assignments.length ? 0 : 1),
  Group: (printer, command) => printer.group(command).trimStart(),
  Subshell: (printer, { body }) => `( ${printer.list(body, false).trimStart()} )`,
  If: (printer, { clauses, elseBody }) => {
    const body = (statements: Node[]) => printer.deeper(() => printer.list(statements, true));
    const print = (at: number) => {
      const { condition, body: then } = clauses[at];
      let text: string = `if ${printer.line(condition)} then\n${body(then)}\n`;
      // bash prints `elif` as an `if` within `else`.
      if (at + 1 < clauses.length)
        text += `${printer.indent}else\n${printer.deeper(() => `${printer.indent}${print(at + 1)};`)}\n`;
      else if (elseBody) text += `${printer.indent}else\n${body(elseBody)}\n`;
      return `${text}${printer.indent}fi`;
    };
    return print(0);
  },
  For: (printer, command) => printer.forLoop(command, `${headOfLoop("for", command)};`),
  Select: (printer, command) => printer.forLoop(command, `${headOfLoop("select", command)};`),
  CStyleFor: (printer, command) =>
    printer.forLoop(
      command,
      `for ((${calculation(command.init)}; ${calculation(command.condition)}; ${calculation(command.update)}))`,
    ),
  While: (printer, command) => printer.whileLoop(command, "while"),
  Until: (printer, command) => printer.whileLoop(command, "until"),
  Case: (printer, { word, items }) =>
    `case ${wordText(word)} in \n${printer.deeper(() => items.map((item: Node) => `${printItem(printer, item)}\n`).join(""))}${printer.indent}esac`,
  ArithmeticCommand: (_, { expression }) => `((${expression.originalText}))`,
  ConditionalCommand: (_, { expression }) => `[[ ${printCondition(expression)} ]]`,
  FunctionDef: (printer, { name, body, redirections }) =>
    `function ${name} () \n${printer.functionBody(body)}${printer.redirections(redirections)}`,
  Coprocess: (printer, { name, command }) =>
    `coproc ${command.type === "SimpleCommand" ? "" : `${name} `}${printer.command(command)}`,
};
