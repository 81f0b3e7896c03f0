// Tables by a name that the user types.

/** Return a table that has only its own names: others that every object has, such as `constructor`, aren't in it. */
export function tableOf<Value>(entries: Record<string, Value>): Record<string, Value> {
  return Object.assign(Object.create(null), entries);
}
