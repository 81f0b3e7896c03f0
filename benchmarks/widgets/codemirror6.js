import { EditorView, basicSetup } from "codemirror6";

globalThis.view = new EditorView({ doc: "old one\nold two", parent: document.body, extensions: [basicSetup] });
