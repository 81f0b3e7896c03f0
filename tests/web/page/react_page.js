// A page of controlled inputs, which show only React's state.

import { createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";

const FIELDS = { text: "text", shout: "text", number: "number", date: "date", color: "color", range: "range" };

function Page() {
  const [state, setState] = useState({ text: "", shout: "", number: "", date: "", color: "#000000", range: "50", area: "", list: "x", yes: false, sent: [] });
  const set = (name) => ({ target }) => {
    const value = target.type === "checkbox" ? target.checked : name === "shout" ? target.value.toUpperCase() : target.value;
    setState((before) => ({ ...before, [name]: value }));
  };
  const submit = (event) => {
    event.preventDefault();
    setState((before) => ({ ...before, sent: [...before.sent, before.text], text: "" }));
  };
  const field = ([name, type]) => h("input", { key: name, id: name, type, value: state[name], onChange: set(name) });
  return h("form", { onSubmit: submit },
    ...Object.entries(FIELDS).map(field),
    h("textarea", { id: "area", value: state.area, onChange: set("area") }),
    h("input", { id: "yes", type: "checkbox", checked: state.yes, onChange: set("yes") }),
    h("select", { id: "list", value: state.list, onChange: set("list") }, h("option", null, "x"), h("option", null, "y")),
    h("button", null, "Send"),
    h("pre", { id: "state" }, JSON.stringify(state)));
}

createRoot(document.body.appendChild(document.createElement("div"))).render(h(Page));
