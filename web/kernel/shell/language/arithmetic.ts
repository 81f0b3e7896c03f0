// Calculations with integers of 64 bits (Bash manual, 6.5).
import { ArithmeticError, FatalError } from "../control.ts";
import type { Variables } from "./variables.ts";

type Calculation = (variables: Variables) => bigint;
type Target = { name: string; subscript: string | null };

const NUMBER = /\d+#[\w@]+|0[xX][0-9a-fA-F]*|\d+/;
const OPERATOR = /\*\*|<<=|>>=|<<|>>|\+\+|--|&&|\|\||[-+*/%&^|<>=!]=|[-+*/%&^|<>=!~?:,()[\]]/;
const TOKEN = new RegExp(`\\s*(?:(${NUMBER.source})|([A-Za-z_]\\w*)|(${OPERATOR.source}))`, "y");
const ASSIGNMENTS = new Set(["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="]);
/** The binary operators from the weakest on. */
const LEVELS = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<=", ">=", "<", ">"],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];
const MOST_RECURSION = 1024;
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_";

const wrap = (value: bigint) => BigInt.asIntN(64, value);
const truth = (value: boolean) => (value ? 1n : 0n);
let recursion = 0;

const OPERATIONS: Record<string, (left: bigint, right: bigint) => bigint> = {
  "+": (left, right) => wrap(left + right),
  "-": (left, right) => wrap(left - right),
  "*": (left, right) => wrap(left * right),
  "/": (left, right) => wrap(left / right),
  "%": (left, right) => left % right,
  "<<": (left, right) => wrap(left << (right & 63n)),
  ">>": (left, right) => left >> (right & 63n),
  "&": (left, right) => left & right,
  "|": (left, right) => left | right,
  "^": (left, right) => left ^ right,
  "==": (left, right) => truth(left === right),
  "!=": (left, right) => truth(left !== right),
  "<": (left, right) => truth(left < right),
  ">": (left, right) => truth(left > right),
  "<=": (left, right) => truth(left <= right),
  ">=": (left, right) => truth(left >= right),
};

function parseNumber(literal: string): bigint | null {
  if (/^(0|[1-9]\d*)$/.test(literal)) return wrap(BigInt(literal));
  if (/^0[xX]/.test(literal)) return literal.length === 2 ? 0n : wrap(BigInt(literal));
  const [base, digits] = literal.includes("#") ? literal.split("#") : ["8", literal];
  const radix = Number(base);
  if (radix < 2 || radix > 64) return null;
  let value = 0n;
  for (const digit of radix <= 36 ? (digits ?? "").toLowerCase() : (digits ?? "")) {
    const number = DIGITS.indexOf(digit);
    if (number < 0 || number >= radix) return null;
    value = wrap(value * BigInt(radix) + BigInt(number));
  }
  return value;
}

class Parser {
  text: string;
  at = 0;
  start = 0;
  /** The start of the token before the current one. */
  before = 0;
  token: string | null = null;
  kind = "";

  constructor(text: string) {
    this.text = text;
    this.next();
  }

  next() {
    this.before = this.start;
    TOKEN.lastIndex = this.at;
    this.start = this.at;
    const match = TOKEN.exec(this.text);
    if (!match) {
      if (this.text.slice(this.at).trim()) throw this.error("syntax error: operand expected");
      this.token = null;
      this.kind = "end";
      return;
    }
    this.at = TOKEN.lastIndex;
    this.token = match[1] ?? match[2] ?? match[3] ?? "";
    this.kind = match[1] !== undefined ? "number" : match[2] !== undefined ? "name" : "operator";
  }

  isName() {
    return this.kind === "name";
  }
  isOperator() {
    return this.kind === "operator";
  }
  error(reason: string) {
    const start = this.kind === "end" ? this.before : this.start;
    return new ArithmeticError(
      `${this.text.trimStart()}: ${reason} (error token is "${this.text.slice(start).trimStart()}")`,
    );
  }
  accept(token: string) {
    if (this.kind !== "operator" || this.token !== token) return false;
    this.next();
    return true;
  }
  expect(token: string) {
    if (!this.accept(token)) throw this.error(`syntax error: \`${token}' expected`);
  }

  whole(): Calculation {
    if (this.kind === "end") return () => 0n;
    const calculation = this.comma();
    if (this.kind !== "end") throw this.error("syntax error in expression");
    return calculation;
  }
  comma(): Calculation {
    let left = this.assignment();
    while (this.accept(",")) {
      const [before, after] = [left, this.assignment()];
      left = (variables) => (before(variables), after(variables));
    }
    return left;
  }
  assignment(): Calculation {
    if (!this.isName()) return this.condition();
    const saved = { at: this.at, start: this.start, token: this.token, kind: this.kind };
    const target = this.target();
    const operator = this.token ?? "";
    if (this.kind === "operator" && ASSIGNMENTS.has(operator)) {
      this.next();
      return assign(target, operator, this.assignment(), this);
    }
    Object.assign(this, saved);
    return this.condition();
  }
  condition(): Calculation {
    const test = this.binary(0);
    if (!this.accept("?")) return test;
    const yes = this.assignment();
    this.expect(":");
    const no = this.assignment();
    return (variables) => (test(variables) ? yes(variables) : no(variables));
  }
  binary(level: number): Calculation {
    const operators = LEVELS[level];
    if (!operators) return this.power();
    let left = this.binary(level + 1);
    while (this.kind === "operator" && operators.includes(this.token ?? "")) {
      const operator = this.token ?? "";
      this.next();
      left = combine(operator, left, this.binary(level + 1), this);
    }
    return left;
  }
  power(): Calculation {
    const base = this.unary();
    if (!this.accept("**")) return base;
    const exponent = this.power();
    return (variables) => {
      const [value, times] = [base(variables), exponent(variables)];
      if (times < 0n) throw this.error("exponent less than 0");
      return modularPower(value, times);
    };
  }
  unary(): Calculation {
    const { token } = this;
    if (!this.isOperator()) return this.postfix();
    if (token === "++" || token === "--") {
      this.next();
      if (!this.isName()) {
        const operand = this.unary();
        return token === "--" ? (variables) => operand(variables) : operand;
      }
      return change(this.target(), token === "++" ? 1n : -1n, true);
    }
    if (token === "!" || token === "~" || token === "-" || token === "+") {
      this.next();
      const operand = this.unary();
      if (token === "!") return (variables) => truth(operand(variables) === 0n);
      if (token === "~") return (variables) => ~operand(variables);
      return token === "-" ? (variables) => wrap(-operand(variables)) : operand;
    }
    return this.postfix();
  }
  postfix(): Calculation {
    if (this.accept("(")) {
      const inside = this.comma();
      this.expect(")");
      return inside;
    }
    if (this.kind === "number") {
      const value = parseNumber(this.token ?? "");
      if (value === null) {
        // Bash has cut the text behind the number by then.
        this.text = this.text.slice(0, this.at);
        throw this.error("value too great for base");
      }
      this.next();
      return () => value;
    }
    if (this.kind !== "name") throw this.error("syntax error: operand expected");
    const target = this.target();
    if (this.accept("++")) return change(target, 1n, false);
    if (this.accept("--")) return change(target, -1n, false);
    return (variables) => read(variables, target);
  }

  /** A name, with the text of its subscript. */
  target(): Target {
    const name = this.token ?? "";
    if (this.text.charAt(this.at) !== "[") {
      this.next();
      return { name, subscript: null };
    }
    const start = this.at + 1;
    let depth = 0;
    do {
      const character = this.text.charAt(this.at++);
      if (character === "[") depth++;
      else if (character === "]") depth--;
      else if (character === "") throw this.error("bad array subscript");
    } while (depth > 0);
    const subscript = this.text.slice(start, this.at - 1);
    this.next();
    return { name, subscript };
  }
}

function modularPower(base: bigint, exponent: bigint) {
  let result = 1n;
  for (; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = wrap(result * base);
    base = wrap(base * base);
  }
  return result;
}

function combine(operator: string, left: Calculation, right: Calculation, parser: Parser): Calculation {
  if (operator === "&&") return (variables) => truth(left(variables) !== 0n && right(variables) !== 0n);
  if (operator === "||") return (variables) => truth(left(variables) !== 0n || right(variables) !== 0n);
  const operation = OPERATIONS[operator];
  if (!operation) throw parser.error("syntax error in expression");
  if (operator !== "/" && operator !== "%") return (variables) => operation(left(variables), right(variables));
  const { text, start } = parser;
  const token = text.slice(0, start).match(/[^/%]*$/)?.[0] ?? "";
  return (variables) => {
    const [dividend, divisor] = [left(variables), right(variables)];
    if (divisor === 0n) throw new ArithmeticError(`${text.trim()}: division by 0 (error token is "${token.trim()}")`);
    return operation(dividend, divisor);
  };
}

/** An index that is calculated once. */
function settled(variables: Variables, { name, subscript }: Target): Target {
  if (subscript === null || variables.isMap(name)) return { name, subscript };
  return { name, subscript: String(variables.index(subscript)) };
}

function read(variables: Variables, { name, subscript }: Target): bigint {
  const text = subscript === null ? variables.text(name) : variables.element(name, subscript);
  if (text === undefined || text === "") {
    if (text === undefined && variables.isStrict()) throw new FatalError(`${name}: unbound variable`);
    return 0n;
  }
  return calculate(variables, text);
}

function write(variables: Variables, target: Target, value: bigint) {
  variables.assignTo(target, String(value));
  return value;
}

function assign(target: Target, operator: string, value: Calculation, parser: Parser): Calculation {
  if (operator === "=") {
    return (variables) => {
      const place = settled(variables, target);
      return write(variables, place, value(variables));
    };
  }
  return (variables) => {
    const place = settled(variables, target);
    const before = read(variables, place);
    return write(variables, place, combine(operator.slice(0, -1), () => before, value, parser)(variables));
  };
}

/** `++` and `--`. */
function change(target: Target, step: bigint, prefix: boolean): Calculation {
  return (variables) => {
    const place = settled(variables, target);
    const before = read(variables, place);
    const after = write(variables, place, wrap(before + step));
    return prefix ? after : before;
  };
}

const parsed = new Map<string, Calculation>();
const MOST_PARSED = 2000;

/** @param text - in which nothing should be expanded */
export function calculate(variables: Variables, text: string): bigint {
  if (/^(?:0|-?[1-9]\d{0,17})$/.test(text)) return BigInt(text);
  let calculation = parsed.get(text);
  if (!calculation) {
    calculation = new Parser(text).whole();
    if (parsed.size > MOST_PARSED) parsed.clear();
    parsed.set(text, calculation);
  }
  if (++recursion > MOST_RECURSION) {
    recursion = 0;
    throw new ArithmeticError(`${text}: expression recursion level exceeded (error token is "${text}")`);
  }
  try {
    return calculation(variables);
  } finally {
    recursion = Math.max(0, recursion - 1);
  }
}
