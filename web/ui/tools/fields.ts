/**
 * A tool's arguments as form fields, from its JSON schema, and the values that the person typed.
 *
 * @typedef {object} Schema the part of JSON Schema that tools use
 * @property {string} [type]
 * @property {string} [description]
 * @property {string} [format]
 * @property {unknown} [default]
 * @property {unknown[]} [enum]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 *
 * @typedef {"choice" | "number" | "text" | "json"} FieldKind
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {FieldKind} kind
 * @property {string} type from the schema
 * @property {boolean} required
 * @property {string} description
 * @property {unknown[]} choices
 * @property {string | null} fallback the default, as JSON
 * @property {Schema} schema
 */

/** A field's value is invalid. */
export class BadField extends Error {
  /** @param {string} field @param {string} message */
  constructor(field, message) {
    super(message);
    this.field = field;
  }
}

/** @param {object} inputSchema @returns {Field[]} required ones first, otherwise in the schema's order */
export function fieldsOf(inputSchema) {
  const { properties = {}, required = [] } = /** @type {Schema} */ (inputSchema);
  const fields = Object.entries(properties).map(([name, schema]) => field(name, schema, required.includes(name)));
  return [...fields.filter(({ required: must }) => must), ...fields.filter(({ required: must }) => !must)];
}

/** @param {string} name @param {Schema} schema @param {boolean} required @returns {Field} */
function field(name, schema, required) {
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

/** @param {Schema} schema @returns {FieldKind} */
function kindOf({ type, enum: choices }) {
  if (choices || type === "boolean") return "choice";
  if (type === "integer" || type === "number") return "number";
  return type === "string" ? "text" : "json";
}

/**
 * Return the arguments of a call from the typed values.
 *
 * @param {Field[]} fields
 * @param {(name: string) => string} typed returns a field's text
 * @returns {Record<string, unknown>}
 * @throws {BadField}
 */
export function argumentsOf(fields, typed) {
  /** @type {Record<string, unknown>} */
  const given = {};
  for (const each of fields) {
    const text = typed(each.name);
    // A required text may be empty; all other empty fields are omitted.
    if (text !== "" || (each.required && each.kind === "text")) given[each.name] = valueOf(each, text);
    else if (each.required) throw new BadField(each.name, `${each.name} is required.`);
  }
  return given;
}

/** @param {Field} field @param {string} text @returns {unknown} */
function valueOf({ name, kind, type }, text) {
  if (kind === "text") return text;
  if (kind === "number") {
    const number = Number(text);
    const fits = Number.isFinite(number) && (type !== "integer" || Number.isInteger(number));
    if (!fits) throw new BadField(name, `${name} must be ${type === "integer" ? "a whole number" : "a number"}, not ${text}.`);
    return number;
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadField(name, `${name} must be JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** Return an argument's text for its field. @param {Field} field @param {unknown} value */
export function typedFor({ kind }, value) {
  if (value === undefined) return "";
  return kind === "text" ? String(value) : JSON.stringify(value);
}
