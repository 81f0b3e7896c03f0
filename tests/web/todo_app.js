// A to-do list in React, as applications are written: controlled inputs, keys, state that drives everything.

import { createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";

const FILTERS = { All: () => true, Active: ({ done }) => !done, Completed: ({ done }) => done };

function Item({ item, change, remove }) {
  const [draft, setDraft] = useState(null);
  const onKeyDown = ({ key }) => {
    if (key === "Enter") change({ ...item, title: draft });
    if (key === "Enter" || key === "Escape") setDraft(null);
  };
  return h("li", { className: item.done ? "done" : "" },
    h("input", {
      type: "checkbox", checked: item.done, "aria-label": `Done: ${item.title}`,
      onChange: () => change({ ...item, done: !item.done }),
    }),
    draft === null
      ? h("label", { onDoubleClick: () => setDraft(item.title) }, item.title)
      : h("input", { "aria-label": "Title", value: draft, onChange: ({ target }) => setDraft(target.value), onKeyDown }),
    h("button", { onClick: remove }, `Remove ${item.title}`));
}

function App() {
  const [items, setItems] = useState([]);
  const [title, setTitle] = useState("");
  const [filter, setFilter] = useState("All");
  const add = (event) => {
    event.preventDefault();
    if (title.trim()) setItems([...items, { id: Date.now() + Math.random(), title: title.trim(), done: false }]);
    setTitle("");
  };
  const shown = items.filter(FILTERS[filter]);
  return h("main", null,
    h("h1", null, "todos"),
    h("form", { onSubmit: add },
      h("input", { value: title, "aria-label": "What needs to be done?", onChange: ({ target }) => setTitle(target.value) })),
    h("ul", null, ...shown.map((item) => h(Item, {
      key: item.id, item,
      change: (changed) => setItems(items.map((one) => (one.id === changed.id ? changed : one))),
      remove: () => setItems(items.filter(({ id }) => id !== item.id)),
    }))),
    h("p", { id: "left" }, `${items.filter(FILTERS.Active).length} left`),
    ...Object.keys(FILTERS).map((name) =>
      h("button", { key: name, "aria-pressed": name === filter, onClick: () => setFilter(name) }, name)));
}

createRoot(document.body.appendChild(document.createElement("div"))).render(h(App));
