/** A tool's arguments as form fields, from its JSON schema, and the values that the user typed. */

/** the part of JSON Schema that tools use */
interface Schema {
  type?: string;
  description?: string;
  format?: string;
  default?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
}

type FieldKind = "choice" | "number" | "text" | "json";

export interface Field {
  name: string;
  kind: FieldKind;
  /** from the schema */
  type: string;
  required: boolean;
  description: string;
  choices: unknown[];
  /** the default, as JSON */
  fallback: string | null;
  schema: Schema;
}

/** A field's value is invalid. */
export class BadField extends Error {
  field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** @returns required ones first, otherwise in the schema's order */
export function fieldsOf(inputSchema: object): Field[] {
  const { properties = {}, required = [] }: Schema = inputSchema;
  const fields = Object.entries(properties).map(([name, schema]) => field(name, schema, required.includes(name)));
  return [...fields.filter(({ required: must }) => must), ...fields.filter(({ required: must }) => !must)];
}

function field(name: string, schema: Schema, required: boolean): Field {
  const type = schema.type ?? "any";
  return {
    name,
    kind: kindOf(schema),
    type,
    required,
    description: schema.description ?? "",
    choices: schema.enum ?? (type === "boolean" ? [true, false] : []),
    fallback: "default" in schema ? JSON.stringify(schema.default) : null,
    schema,
  };
}

function kindOf({ type, enum: choices }: Schema): FieldKind {
  if (choices || type === "boolean") return "choice";
  if (type === "integer" || type === "number") return "number";
  return type === "string" ? "text" : "json";
}

/**
 * Return the arguments of a call from the typed values.
 *
 * @param typed - returns a field's text
 * @throws {BadField}
 */
export function argumentsOf(fields: Field[], typed: (name: string) => string): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const each of fields) {
    const text = typed(each.name);
    // A required text may be empty; all other empty fields are omitted.
    if (text !== "" || (each.required && each.kind === "text")) given[each.name] = valueOf(each, text);
    else if (each.required) throw new BadField(each.name, `${each.name} is required.`);
  }
  return given;
}

function valueOf({ name, kind, type }: Field, text: string): unknown {
  if (kind === "text") return text;
  if (kind === "number") {
    const number = Number(text);
    const fits = Number.isFinite(number) && (type !== "integer" || Number.isInteger(number));
    if (!fits)
      throw new BadField(name, `${name} must be ${type === "integer" ? "a whole number" : "a number"}, not ${text}.`);
    return number;
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadField(name, `${name} must be JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** Return an argument's text for its field. */
export function typedFor({ kind }: Field, value: unknown) {
  if (value === undefined) return "";
  return kind === "text" ? String(value) : JSON.stringify(value);
}
