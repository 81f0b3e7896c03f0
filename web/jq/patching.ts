// Writes a changed value into a YAML document, so that what is unchanged keeps its comments and styles.
import { isMap, isScalar, isSeq } from "yaml";

const isEqual = (one: any, other: any): boolean => JSON.stringify(one) === JSON.stringify(other);

/** @returns the document */
export function patched(document: any, value: any): any {
  document.contents = changed(document, document.contents, value);
  return document;
}

/** @returns the node for the value */
function changed(document: any, node: any, value: any): any {
  const isObject = value !== null && typeof value === "object";
  if (isMap(node) && isObject && !Array.isArray(value)) return changedMap(document, node, value);
  if (isSeq(node) && Array.isArray(value)) return changedList(document, node, value);
  if (node && isEqual(node.toJS?.(document) ?? null, value)) return node;
  const fresh = document.createNode(value);
  if (isScalar(node) && isScalar(fresh)) {
    const style = typeof node.value === "string" && typeof value === "string" ? node.type : undefined;
    Object.assign(
      fresh,
      { comment: node.comment, commentBefore: node.commentBefore, spaceBefore: node.spaceBefore },
      style ? { type: style } : {},
    );
  }
  return fresh;
}

function changedMap(document: any, node: any, value: any) {
  const names = Object.keys(value);
  const nameOf = (pair: any) => String(pair.key?.value ?? pair.key);
  const existing = new Map(node.items.map((pair: any) => [nameOf(pair), pair]));
  node.items = names.map((name) => {
    const pair = existing.get(name) ?? document.createPair(name, null);
    pair.value = existing.has(name) ? changed(document, pair.value, value[name]) : document.createNode(value[name]);
    return pair;
  });
  return node;
}

/** Each item keeps the node of an equal one before it, or else of the one in its place. */
function changedList(document: any, node: any, value: any[]) {
  const left = node.items.map((item: any) => ({ item, value: item?.toJS?.(document) ?? null, used: false }));
  const matched = value.map((each) => {
    const found = left.find((one: any) => !one.used && isEqual(one.value, each));
    if (found) found.used = true;
    return found;
  });
  node.items = value.map((each, at) => {
    if (matched[at]) return matched[at].item;
    const place = left[at];
    if (!place || place.used) return document.createNode(each);
    place.used = true;
    return changed(document, place.item, each);
  });
  return node;
}
