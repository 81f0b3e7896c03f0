// What Surface runs in the page, as the body of a function; no two pages share anything of it.
const [action, parameters, done] = arguments;

const isPolyfill = () => "__isWebMCPPolyfill" in document.modelContext;

/** Tells when `find` gives something, now or after a change of the tools; undefined after `patience` ms. */
const whenTools = (find, patience) =>
  new Promise((resolve, reject) => {
    const finish = (value) => {
      clearTimeout(timer);
      document.modelContext.removeEventListener("toolchange", look);
      resolve(value);
    };
    const look = () => find().then((found) => found && finish(found), reject);
    const timer = setTimeout(finish, patience);
    document.modelContext.addEventListener("toolchange", look);
    look();
  });

const AsyncFunction = (async () => {}).constructor;
const CHANGES = ["focusin", "focusout", "input", "change", "toggle", "scroll"];

const actions = {
  async call(name, input) {
    const find = async () => (await document.modelContext.getTools()).find((tool) => tool.name === name);
    // One that was declared a moment ago is on its way from Python.
    const tool = await whenTools(find, 2000);
    if (!tool) throw { type: "UnknownTool", message: `the page has no tool '${name}'` };
    return document.modelContext.executeTool(tool, isPolyfill() ? JSON.stringify(input) : input);
  },

  async tools() {
    const tools = await document.modelContext.getTools();
    return tools.map(({ name, title, description, inputSchema, annotations }) => ({
      name,
      title,
      description,
      inputSchema: typeof inputSchema === "string" ? JSON.parse(inputSchema) : inputSchema,
      annotations,
    }));
  },

  python: (code) => globalThis.gemini.python(code),

  javascript: (body, given) => new AsyncFunction(body)(...given),

  waitFor(condition, given, patience) {
    const test = new AsyncFunction(`return (${condition});`);
    return new Promise((resolve, reject) => {
      let looking = false;
      let changed = false;
      let last;
      const look = async () => {
        changed = looking;
        if (looking) return;
        looking = true;
        try {
          last = await test(...given);
          if (last) finish(() => resolve({ value: last }));
        } catch (error) {
          finish(() => reject(error));
        }
        looking = false;
        if (changed) look();
      };
      const observer = new MutationObserver(look);
      const timer = setTimeout(() => finish(() => resolve({ timedOut: String(JSON.stringify(last)) })), patience);
      const finish = (settle) => {
        clearTimeout(timer);
        observer.disconnect();
        for (const name of CHANGES) document.removeEventListener(name, look, true);
        document.modelContext?.removeEventListener("toolchange", look);
        settle();
      };
      observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
      for (const name of CHANGES) document.addEventListener(name, look, true);
      document.modelContext?.addEventListener("toolchange", look);
      look();
    });
  },
};

/** An error of a tool or of Python says more in `error`, or is such an object itself. */
const told = (error) => {
  const { type, message, hint, data } = error?.error ?? error ?? {};
  return { type: type ?? error?.name ?? "Error", message: message ?? String(error), hint: hint ?? null, data };
};

(async () => actions[action](...parameters))().then(
  (value) => done({ value: value ?? null }),
  (error) => done({ error: told(error) }),
);
