// The body of the function that `Surface` runs in the page.
const [action, parameters, done] = arguments;

const isPolyfill = () => "__isWebMCPPolyfill" in document.modelContext;

/** Resolves with the first truthy result of `find`, called now and after each change of the tools, or undefined after `timeout` ms. */
const whenTools = (find, timeout) =>
  new Promise((resolve, reject) => {
    const finish = (value) => {
      clearTimeout(timer);
      document.modelContext.removeEventListener("toolchange", check);
      resolve(value);
    };
    const check = () => find().then((found) => found && finish(found), reject);
    const timer = setTimeout(finish, timeout);
    document.modelContext.addEventListener("toolchange", check);
    check();
  });

const AsyncFunction = (async () => {}).constructor;
const CHANGES = ["focusin", "focusout", "input", "change", "toggle", "scroll"];
// Some changes have no event: layout, properties of elements, the loading of sounds and pictures.
const RECHECK_MS = 250;

const actions = {
  async call(name, input) {
    const find = async () => (await document.modelContext.getTools()).find((tool) => tool.name === name);
    // A newly declared tool may still be on its way from Python, on a busy machine for seconds.
    const tool = await whenTools(find, 10_000);
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

  waitFor(condition, given, timeout) {
    const test = new AsyncFunction(`return (${condition});`);
    return new Promise((resolve, reject) => {
      let checking = false;
      let changed = false;
      let last;
      const check = async () => {
        changed = checking;
        if (checking) return;
        checking = true;
        try {
          last = await test(...given);
          if (last) finish(() => resolve({ value: last }));
        } catch (error) {
          finish(() => reject(error));
        }
        checking = false;
        if (changed) check();
      };
      const observer = new MutationObserver(check);
      const timer = setTimeout(() => finish(() => resolve({ timedOut: String(JSON.stringify(last)) })), timeout);
      const recheck = setInterval(check, RECHECK_MS);
      const finish = (settle) => {
        clearTimeout(timer);
        clearInterval(recheck);
        observer.disconnect();
        for (const name of CHANGES) document.removeEventListener(name, check, true);
        document.modelContext?.removeEventListener?.("toolchange", check);
        settle();
      };
      observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
      for (const name of CHANGES) document.addEventListener(name, check, true);
      document.modelContext?.addEventListener?.("toolchange", check);
      check();
    });
  },
};

/** Returns an error as `{type, message, hint, data}`; errors of tools and Python have it as `error`, or are such objects. */
const describe = (error) => {
  const { type, message, hint, data } = error?.error ?? error ?? {};
  return { type: type ?? error?.name ?? "Error", message: message ?? String(error), hint: hint ?? null, data };
};

(async () => actions[action](...parameters))().then(
  (value) => done({ value: value ?? null }),
  (error) => done({ error: describe(error) }),
);
