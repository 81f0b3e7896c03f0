// Writes a changed value into a YAML document, so that unchanged parts keep their comments and styles.
import { isMap, isNode, isScalar, isSeq, type Document, type Node, type YAMLMap, type YAMLSeq } from "yaml";

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** @returns the document */
export function patched(document: Document, value: unknown): Document {
  document.contents = changed(document, document.contents, value);
  return document;
}

/** @returns the node for the value */
function changed(document: Document, node: unknown, value: unknown): Node {
  const isObject = value !== null && typeof value === "object";
  if (isMap(node) && isObject && !Array.isArray(value)) return changedMap(document, node, value);
  if (isSeq(node) && Array.isArray(value)) return changedList(document, node, value);
  if (isNode(node) && isEqual(node.toJS(document) ?? null, value)) return node;
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

function changedMap(document: Document, node: YAMLMap, value: object) {
  const names = Object.keys(value);
  const nameOf = ({ key }: { key: unknown }) => String((isScalar(key) ? key.value : null) ?? key);
  const existing = new Map(node.items.map((pair) => [nameOf(pair), pair]));
  node.items = names.map((name) => {
    const pair = existing.get(name) ?? document.createPair(name, null);
    pair.value = existing.has(name)
      ? changed(document, pair.value, Reflect.get(value, name))
      : document.createNode(Reflect.get(value, name));
    return pair;
  });
  return node;
}

/** Each item keeps the node of an equal one before it, or else of the one in its place. */
function changedList(document: Document, node: YAMLSeq, value: unknown[]) {
  const left = node.items.map((item) => ({
    item,
    value: isNode(item) ? (item.toJS(document) ?? null) : null,
    used: false,
  }));
  const matched = value.map((each) => {
    const found = left.find((one) => !one.used && isEqual(one.value, each));
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
