/**
 * What the companion tells the settings (py/gemini_companion/settings/settings.py).
 *
 * @typedef {object} McpClient somebody who is, or was, connected by MCP
 * @property {string} key whose token it has
 * @property {string} name as it calls itself
 * @property {string} transport
 * @property {boolean} live
 * @property {number} calls
 * @property {string | null} last the tool that it called last
 * @property {string} heard ISO 8601
 * @property {{name: string, calls: number}[]} tools those that it called most
 *
 * @typedef {object} Configuration of an MCP client, ready to be pasted
 * @property {string} client
 * @property {string} way
 * @property {string} place where it goes
 * @property {string} text
 * @property {string} shown the same with the token masked
 * @property {boolean} secret whether there is a token in it
 *
 * @typedef {object} HostGrant beyond one request
 * @property {number} id
 * @property {"open" | "run" | "type"} action
 * @property {string | null} program the one program that it is for, in one directory; null for all of its action
 * @property {string | null} directory
 * @property {string} until ISO 8601
 *
 * @typedef {object} HostAccess what this page has of the computer
 * @property {boolean} allowed
 * @property {string[]} directories
 * @property {HostGrant[]} grants
 * @property {number} terminals how many are open
 *
 * @typedef {object} KnownBrowsers those that the companion lets in without a code
 * @property {{id: string, origin: string, since: string, seen: string}[]} known the last seen first
 * @property {string} here the id of this one
 *
 * @typedef {object} CompanionStatus
 * @property {{on: boolean, url: string, port: number}} mcp
 * @property {McpClient[]} clients
 * @property {Configuration[]} configurations
 * @property {KnownBrowsers} browsers
 * @property {HostAccess} host
 *
 * @typedef {object} Provider of language models
 * @property {string} name
 * @property {string} base_url
 * @property {boolean} needs_key
 * @property {boolean} takes_key
 * @property {boolean} has_key
 * @property {"environment" | "keyring" | null} key_from
 * @property {string[]} variables of the environment that may have its key
 * @property {string | null} problem why a key that is kept can't be used
 *
 * @typedef {object} Providers
 * @property {string | null} keyring what keeps the system's secrets
 * @property {Provider[]} providers
 *
 * @typedef {{tools: number, called: string, protocol: string, duration_ms: number}} McpTest
 * @typedef {{models: string[], duration_ms: number}} ProviderTest
 */

export {};
