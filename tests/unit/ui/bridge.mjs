// Prints the tools that each kind of client has, as JSON: node bridge.mjs <URL of webmcp_bridge.js>
const { Bridge, Connection } = await import(process.argv[2]);

const tools = ["a", "b", "c", "d", "e", "x", "y"].map((name) => ({
  name, description: name, inputSchema: {}, ...("de".includes(name) ? { lean: true } : {}), ...("xy".includes(name) ? { code: true } : {}),
}));

/** A client that takes `most` tools. */
class Client {
  registered = new Map();

  constructor({ most = Infinity, refused = "" } = {}) {
    this.most = most;
    this.refused = refused;
  }

  get names() {
    return [...this.registered.keys()].join("");
  }

  add(tool) {
    const { name } = tool;
    if ("lean" in tool || "code" in tool) throw new TypeError("the client doesn't know this member");
    if (this.registered.has(name) || this.registered.size >= this.most || this.refused === name) throw new Error(`refused ${name}`);
    this.registered.set(name, tool);
  }

  async registerTool(tool, { signal }) {
    this.add(tool);
    signal.addEventListener("abort", () => this.registered.delete(tool.name));
  }

  getTools() {}
}

/** A version with `unregisterTool`, which ignores signals. */
class Older extends Client {
  registerTool = (tool) => this.add(tool);
  unregisterTool = (name) => this.registered.delete(name);
  getTools = undefined;
}

const frozenContext = (client) => Object.freeze({ registerTool: client.registerTool.bind(client) });
const errors = [];
console.error = (...text) => errors.push(text.join(" "));

/** Register, choose each in turn, and return the client's tools after each. */
async function seen(client, choices, modelContext = client) {
  const rows = [];
  const bridge = new Bridge(new Connection(), { modelContext, onRegistered: (row) => rows.push(row) });
  const names = [];
  const after = () => names.push([client.names, rows.at(-1).reason]);
  await bridge.start(tools).catch(({ message }) => errors.push(message));
  after();
  for (const choice of choices) {
    await bridge.choose(choice);
    after();
  }
  return names;
}

const frozen = new Client();
const result = {
  native: await seen(new Client(), ["lean", "all", "code", "automatic"]),
  frozen: await seen(frozen, ["all", "lean"], frozenContext(frozen)),
  older: await seen(new Older(), ["all", "automatic"]),
  limited: await seen(new Client({ most: 3 }), ["all", "automatic"]),
  picky: await seen(new Client({ refused: "b" }), []),
};
process.stdout.write(JSON.stringify({ ...result, errors }));
