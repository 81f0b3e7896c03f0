// Commands as bash prints them, for `declare -f` and `type` (its print_cmd.c).

/** @typedef {import("../shell.js").Node} Node */

const STEP = "    ";

/** @param {string} name @param {Node} definition @returns {string} */
export function printFunction(name, definition) {
  const printer = new Printer();
  const redirections = printer.redirections(definition.redirections);
  return `${name} () \n${printer.functionBody(definition.body)}${redirections}\n`;
}

/** @param {Node} word @returns {string} as it is written in the script */
export const wordText = (word) => (word.assignment?.array ? assignmentText(word.assignment) : word.text) ?? word.parts.map(partText).join("");

/** @param {Node} assignment @returns {string} */
function assignmentText({ name, append, array, text }) {
  if (!array) return text ?? name;
  const items = array.map((/** @type {Node} */ item) =>
    (item.subscript === undefined ? "" : `[${item.subscript}]${item.append ? "+" : ""}=`) + wordText(item));
  return `${name}${append ? "+" : ""}=(${items.join(" ")})`;
}

/** A part of a word that was made, not read. @param {Node} part @returns {string} */
function partText(part) {
  if (part.type === "DoubleQuoted") return `"${part.parts.map(partText).join("")}"`;
  if (part.type === "SingleQuoted") return `'${part.value}'`;
  if (part.type === "ParameterExpansion") {
    const { parameter, operation } = part;
    return /^\w$|^[A-Za-z_]\w*$|^\W$/.test(parameter) && !operation ? `$${parameter}` : `\${${parameter}}`;
  }
  return part.value ?? part.pattern ?? (part.type === "TildeExpansion" ? "~" : "");
}

class Printer {
  indent = "";
  /** The here-documents of the line, with their ends. */
  bodies = "";

  /** @param {() => string} print @returns {string} what it prints, one step deeper */
  deeper(print) {
    this.indent += STEP;
    const text = print();
    this.indent = this.indent.slice(STEP.length);
    return text;
  }

  /** @param {Node} body @returns {string} */
  functionBody(body) {
    if (body.type === "Group") return this.group(body) + this.redirections(body.redirections);
    return `${this.indent}{ \n${this.deeper(() => this.indent + this.command(body))}\n${this.indent}}`;
  }

  /** @param {Node} group @returns {string} with its first line indented */
  group({ body }) {
    return `${this.indent}{ \n${this.deeper(() => this.list(body, false))}\n${this.indent}}`;
  }

  /** Statements on lines of their own. @param {Node[]} statements @param {boolean} closed whether the last ends with a semicolon */
  list(statements, closed) {
    return statements.map((statement, at) => {
      const text = this.indent + this.statement(statement);
      const bodies = this.takeBodies();
      const ends = bodies || statement.background || (at === statements.length - 1 && !closed) ? "" : ";";
      return text + ends + bodies;
    }).join("\n");
  }

  takeBodies() {
    const { bodies } = this;
    this.bodies = "";
    return bodies;
  }

  /** Statements on one line, as in a condition. @param {Node[]} statements */
  line(statements) {
    const texts = statements.map((statement) => this.statement(statement) + (statement.background ? "" : ";"));
    return texts.join(" ") + this.takeBodies();
  }

  /** @param {Node} statement @returns {string} */
  statement({ pipelines, operators, background }) {
    const texts = pipelines.map((/** @type {Node} */ pipeline, /** @type {number} */ at) =>
      (at > 0 ? ` ${operators[at - 1]} ` : "") + this.pipeline(pipeline));
    return texts.join("") + (background ? " &" : "");
  }

  /** @param {Node} pipeline @returns {string} */
  pipeline({ commands, negated, timed, timePosix, pipeStderr }) {
    const texts = commands.map((/** @type {Node} */ command, /** @type {number} */ at) =>
      this.command(command) + (at === commands.length - 1 ? "" : pipeStderr?.[at] ? " 2>&1 | " : " | "));
    return (timed ? `time ${timePosix ? "-p " : ""}` : "") + (negated ? "! " : "") + texts.join("");
  }

  /** @param {Node} command @returns {string} its first line isn't indented */
  command(command) {
    const print = PRINTERS[command.type];
    if (!print) throw new Error(`${command.type} can't be printed`);
    const text = print(this, command);
    return command.type === "SimpleCommand" || command.type === "FunctionDef" ? text : text + this.redirections(command.redirections);
  }

  /** @param {Node[]} redirections @returns {string} with a blank in front of each */
  redirections(redirections) {
    return redirections.map((redirection) => ` ${this.redirection(redirection)}`).join("");
  }

  /** @param {Node} redirection @returns {string} */
  redirection({ fd, fdVariable, operator, target }) {
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

  /** @param {Node} loop @param {string} head @returns {string} */
  forLoop({ body }, head) {
    return `${head}\n${this.indent}do\n${this.deeper(() => this.list(body, true))}\n${this.indent}done`;
  }

  /** @param {Node} loop @param {string} word @returns {string} */
  whileLoop({ condition, body }, word) {
    return `${word} ${this.line(condition)} do\n${this.deeper(() => this.list(body, true))}\n${this.indent}done`;
  }
}

/** @param {Printer} printer @param {Node} item @returns {string} */
function printItem(printer, { patterns, body, terminator }) {
  const head = `${printer.indent}${patterns.map(wordText).join(" | ")})\n`;
  return `${head}${printer.deeper(() => printer.list(body, false))}\n${printer.indent}${terminator}`;
}

/** @param {Node} expression @returns {string} */
function printCondition(expression) {
  const { type, operator, left, right } = expression;
  if (type === "CondAnd") return `${printCondition(left)} && ${printCondition(right)}`;
  if (type === "CondOr") return `${printCondition(left)} || ${printCondition(right)}`;
  if (type === "CondNot") return `! ${printCondition(expression.operand)}`;
  if (type === "CondGroup") return `( ${printCondition(expression.expression)} )`;
  if (type === "CondUnary") return `${operator} ${wordText(expression.operand)}`;
  return type === "CondWord" ? `-n ${wordText(expression.word)}` : `${wordText(left)} ${operator} ${wordText(right)}`;
}

/** @param {Node | null} part */
const calculation = (part) => part?.originalText.trim() || "1";

/** @type {Record<string, (printer: Printer, command: Node) => string>} */
const PRINTERS = {
  SimpleCommand: (printer, { assignments, name, args, redirections }) =>
    [...assignments.map(assignmentText), ...(name ? [name, ...args].map(wordText) : [])].join(" ")
    + printer.redirections(redirections).slice(name || assignments.length ? 0 : 1),
  Group: (printer, command) => printer.group(command).trimStart(),
  Subshell: (printer, { body }) => `( ${printer.list(body, false).trimStart()} )`,
  If: (printer, { clauses, elseBody }) => {
    const body = (/** @type {Node[]} */ statements) => printer.deeper(() => printer.list(statements, true));
    const print = (/** @type {number} */ at) => {
      const { condition, body: then } = clauses[at];
      /** @type {string} */
      let text = `if ${printer.line(condition)} then\n${body(then)}\n`;
      // bash prints `elif` as an `if` within `else`.
      if (at + 1 < clauses.length) text += `${printer.indent}else\n${printer.deeper(() => `${printer.indent}${print(at + 1)};`)}\n`;
      else if (elseBody) text += `${printer.indent}else\n${body(elseBody)}\n`;
      return `${text}${printer.indent}fi`;
    };
    return print(0);
  },
  For: (printer, command) => printer.forLoop(command, `for ${command.variable} in ${command.words ? command.words.map(wordText).join(" ") : '"$@"'};`),
  Select: (printer, command) => printer.forLoop(command, `select ${command.variable} in ${command.words ? command.words.map(wordText).join(" ") : '"$@"'};`),
  CStyleFor: (printer, command) =>
    printer.forLoop(command, `for ((${calculation(command.init)}; ${calculation(command.condition)}; ${calculation(command.update)}))`),
  While: (printer, command) => printer.whileLoop(command, "while"),
  Until: (printer, command) => printer.whileLoop(command, "until"),
  Case: (printer, { word, items }) =>
    `case ${wordText(word)} in \n${printer.deeper(() => items.map((/** @type {Node} */ item) => `${printItem(printer, item)}\n`).join(""))}${printer.indent}esac`,
  ArithmeticCommand: (_, { expression }) => `((${expression.originalText}))`,
  ConditionalCommand: (_, { expression }) => `[[ ${printCondition(expression)} ]]`,
  FunctionDef: (printer, { name, body, redirections }) => `function ${name} () \n${printer.functionBody(body)}${printer.redirections(redirections)}`,
  Coprocess: (printer, { name, command }) => `coproc ${command.type === "SimpleCommand" ? "" : `${name} `}${printer.command(command)}`,
};
