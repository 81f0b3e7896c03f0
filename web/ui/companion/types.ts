/** The shapes of the companion's settings (py/gemini_companion/settings/settings.py). */

/** a client that is or was connected by MCP */
export interface McpClient {
  /** the name of its token */
  key: string;
  /** given by the client */
  name: string;
  transport: string;
  live: boolean;
  calls: number;
  /** the tool called last */
  last: string | null;
  /** ISO 8601 */
  heard: string;
  /** the tools called most */
  tools: { name: string; calls: number }[];
}

/** of an MCP client, ready to paste */
export interface Configuration {
  client: string;
  way: string;
  /** the file or setting that it belongs in */
  place: string;
  text: string;
  /** the text with the token masked */
  shown: string;
  /** whether it contains a token */
  secret: boolean;
  /** whether the client uses the open page */
  shared: boolean;
  /** whether only a saved client can use it */
  needs_saved: boolean;
}

/** its token outlives the companion */
export interface SavedClient {
  client: string;
  /** ISO 8601 */
  since: string;
  /** whether its configuration has the saved token, of which the companion stores only a hash */
  known: boolean;
}

/** beyond one request */
export interface HostGrant {
  id: number;
  action: "open" | "run" | "type";
  /** the program that it allows, in one directory; null: everything that the action covers */
  program: string | null;
  directory: string | null;
  /** ISO 8601 */
  until: string;
}

/** the page's access to the computer */
export interface HostAccess {
  allowed: boolean;
  directories: string[];
  grants: HostGrant[];
  /** the number of open ones */
  terminals: number;
}

/** the browsers that the companion admits without a code */
export interface KnownBrowsers {
  /** last seen first */
  known: { id: string; origin: string; since: string; seen: string }[];
  /** the id of this browser */
  here: string;
}

export interface CompanionStatus {
  /** `former`: earlier ports that lead to this one; `movable`: whether the user can change it; `tools`: those that clients list */
  mcp: { on: boolean; tools: "all" | "code"; url: string; port: number; former: number[]; movable: boolean };
  clients: McpClient[];
  configurations: Configuration[];
  saved: SavedClient[];
  browsers: KnownBrowsers;
  host: HostAccess;
}

/** of language models */
export interface Provider {
  name: string;
  label: string;
  base_url: string;
  /** whether it is on this computer */
  local: boolean;
  /** whether the user added it by its address */
  added: boolean;
  needs_key: boolean;
  takes_key: boolean;
  has_key: boolean;
  key_from: "environment" | "keyring" | "file" | null;
  /** environment variables that may contain its key */
  variables: string[];
  /** why a stored key can't be used */
  problem: string | null;
}

export interface Providers {
  /** the name of the system's keyring */
  keyring: string | null;
  /** the path of the file that stores keys where there is no keyring */
  file: string;
  providers: Provider[];
  allowances: Allowance[];
}

/** a model that scheduled runs may use without a question */
export interface Allowance {
  provider: string;
  model: string;
  /** ISO 8601 */
  since: string;
  /** its ceiling a day */
  day: { requests: number; tokens: number; dollars: number | null };
  /** today */
  spent: { requests: number; tokens: number; dollars: number };
}

export interface GitCredentials {
  /** the name of the system's keyring */
  keyring: string | null;
  credentials: { origin: string; user: string; stored: "keyring" | "memory" }[];
}

export interface SearchEngine {
  name: string;
  label: string;
  needs_key: boolean;
  needs_address: boolean;
  key_from: "environment" | "keyring" | "file" | null;
  /** the environment variables that may hold the key */
  variables: string[];
  problem: string | null;
}

export interface SearchSettings {
  /** the name of the system's keyring */
  keyring: string | null;
  /** the path of the file that stores keys where there is no keyring */
  file: string;
  /** the name of the chosen one */
  engine: string;
  /** of the user's own instance; empty if there is none */
  address: string;
  engines: SearchEngine[];
}

export interface PlaceSettings {
  /** of the user's own server of places; empty for the public one */
  address: string;
  /** the address of the public one */
  public: string;
}

export type McpTest = { tools: number; called: string; protocol: string; duration_ms: number };
export type LocalServer = { provider: string; base_url: string; models: string[] };

/** A server for embeddings at an address, and its models. */
export interface FoundEmbeddings {
  /** null for an address that isn't added */
  provider: string | null;
  base_url: string;
  models: string[];
  /** whether the first model computes embeddings */
  embeds: boolean;
  duration_ms: number;
}

export interface FoundModels {
  /** null for an address that isn't added */
  provider: string | null;
  base_url: string;
  /** null if Python derives it from the address */
  api: "openai" | "anthropic" | null;
  models: string[];
  duration_ms: number | null;
}
