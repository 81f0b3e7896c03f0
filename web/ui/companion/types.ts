/**
 * The shapes of the companion's settings (py/gemini_companion/settings/settings.py).
 *
 * @typedef {object} McpClient a client that is or was connected by MCP
 * @property {string} key the name of its token
 * @property {string} name given by the client
 * @property {string} transport
 * @property {boolean} live
 * @property {number} calls
 * @property {string | null} last the tool called last
 * @property {string} heard ISO 8601
 * @property {{name: string, calls: number}[]} tools the tools called most
 *
 * @typedef {object} Configuration of an MCP client, ready to paste
 * @property {string} client
 * @property {string} way
 * @property {string} place the file or setting that it belongs in
 * @property {string} text
 * @property {string} shown the text with the token masked
 * @property {boolean} secret whether it contains a token
 * @property {boolean} shared whether the client uses the open page
 * @property {boolean} needs_saved whether only a saved client can use it
 *
 * @typedef {object} SavedClient its token outlives the companion
 * @property {string} client
 * @property {string} since ISO 8601
 * @property {boolean} known whether its configuration has the saved token, of which the companion stores only a hash
 *
 * @typedef {object} HostGrant beyond one request
 * @property {number} id
 * @property {"open" | "run" | "type"} action
 * @property {string | null} program the program that it allows, in one directory; null: everything that the action covers
 * @property {string | null} directory
 * @property {string} until ISO 8601
 *
 * @typedef {object} HostAccess the page's access to the computer
 * @property {boolean} allowed
 * @property {string[]} directories
 * @property {HostGrant[]} grants
 * @property {number} terminals the number of open ones
 *
 * @typedef {object} KnownBrowsers the browsers that the companion admits without a code
 * @property {{id: string, origin: string, since: string, seen: string}[]} known last seen first
 * @property {string} here the id of this browser
 *
 * @typedef {object} CompanionStatus
 * @property {{on: boolean, url: string, port: number, former: number[], movable: boolean}} mcp `former`: earlier ports that lead to this
 *   one; `movable`: whether the person can change it
 * @property {McpClient[]} clients
 * @property {Configuration[]} configurations
 * @property {SavedClient[]} saved
 * @property {KnownBrowsers} browsers
 * @property {HostAccess} host
 *
 * @typedef {object} Provider of language models
 * @property {string} name
 * @property {string} label
 * @property {string} base_url
 * @property {boolean} local whether it is on this computer
 * @property {boolean} added whether the person added it by its address
 * @property {boolean} needs_key
 * @property {boolean} takes_key
 * @property {boolean} has_key
 * @property {"environment" | "keyring" | "file" | null} key_from
 * @property {string[]} variables environment variables that may contain its key
 * @property {string | null} problem why a stored key can't be used
 *
 * @typedef {object} Providers
 * @property {string | null} keyring the name of the system's keyring
 * @property {string} file the path of the file that stores keys where there is no keyring
 * @property {Provider[]} providers
 * @property {Allowance[]} allowances
 *
 * @typedef {object} Allowance a model that scheduled runs may use without a question
 * @property {string} provider
 * @property {string} model
 * @property {string} since ISO 8601
 * @property {{requests: number, tokens: number, dollars: number | null}} day its ceiling a day
 * @property {{requests: number, tokens: number, dollars: number}} spent today
 *
 * @typedef {object} GitCredentials
 * @property {string | null} keyring the name of the system's keyring
 * @property {{origin: string, user: string, stored: "keyring" | "memory"}[]} credentials
 *
 * @typedef {object} SearchEngine
 * @property {string} name
 * @property {string} label
 * @property {boolean} needs_key
 * @property {boolean} needs_address
 * @property {"environment" | "keyring" | "file" | null} key_from
 * @property {string[]} variables the environment variables that may hold the key
 * @property {string | null} problem
 *
 * @typedef {object} SearchSettings
 * @property {string | null} keyring the name of the system's keyring
 * @property {string} file the path of the file that stores keys where there is no keyring
 * @property {string} engine the name of the chosen one
 * @property {string} address of the person's own instance; empty if there is none
 * @property {SearchEngine[]} engines
 *
 * @typedef {object} PlaceSettings
 * @property {string} address of the person's own server of places; empty for the public one
 * @property {string} public the address of the public one
 *
 * @typedef {{tools: number, called: string, protocol: string, duration_ms: number}} McpTest
 * @typedef {{provider: string, base_url: string, models: string[]}} LocalServer
 *
 * @typedef {object} FoundModels
 * @property {string | null} provider null for an address that isn't added
 * @property {string} base_url
 * @property {"openai" | "anthropic" | null} api null if Python derives it from the address
 * @property {string[]} models
 * @property {number | null} duration_ms
 */

export {};
