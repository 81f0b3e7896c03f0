#!/usr/bin/env node
// Serves the page of this package on loopback, with the headers that isolate it, and opens it: `npx control-surface`.
import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
// A name that an old Node.js lacks would end the program before its message.
import util from "node:util";

const OLDEST_NODE = [18, 3];
const SITE = fileURLToPath(new URL("site/", import.meta.url));
const HOST = "127.0.0.1";
const USAGE = `Usage: control-surface [--port NUMBER] [--no-open] [--version] [--help]

Serves the control surface on ${HOST} and opens it in the browser. --port 0 takes a free port.`;
const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".whl": "application/zip",
  ".zip": "application/zip",
};
// Isolation makes shared memory available to Python, by which it can be interrupted.
const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
// These folders are named by a hash of their content.
const HASHED = /^\/[a-z]+-[0-9a-f]{16}\//;
// A path of the package: no `..`, no hidden file, no other separator.
const PATH = /^(\/[\w@+-][\w@+.-]*)*\/?$/;
const COMMANDS = { darwin: ["open"], win32: ["cmd", "/c", "start", ""] };

function fail(message) {
  console.error(message);
  process.exit(2);
}

function options() {
  try {
    const { values } = util.parseArgs({
      options: {
        port: { type: "string", default: "8765" },
        "no-open": { type: "boolean" },
        version: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65535) fail(`${values.port} is not a port number.`);
    return values;
  } catch (problem) {
    return fail(`${problem.message}\n${USAGE}`);
  }
}

async function find(path) {
  const decoded = path.includes("%") ? "/%" : path;
  if (!PATH.test(decoded)) return null;
  const file = join(SITE, decoded.endsWith("/") ? `${decoded}index.html` : decoded);
  const found = await stat(file).catch(() => null);
  return found?.isFile() ? { file, size: found.size } : null;
}

async function answer(request, response) {
  // A page of another name that resolves to this machine must not read answers.
  const { port } = request.socket.address();
  if (![`${HOST}:${port}`, `localhost:${port}`].includes(request.headers.host)) return end(response, 421);
  if (request.method !== "GET" && request.method !== "HEAD") return end(response, 405);
  const path = request.url.split("?", 1)[0];
  const found = await find(path);
  if (!found) return end(response, 404);
  response.writeHead(200, {
    ...HEADERS,
    "Content-Type": TYPES[extname(found.file)] ?? "application/octet-stream",
    "Content-Length": found.size,
    "Cache-Control": HASHED.test(path) ? "public, max-age=31536000, immutable" : "no-cache",
  });
  if (request.method === "HEAD") return response.end();
  const stream = createReadStream(found.file);
  stream.on("error", () => response.destroy());
  response.on("close", () => stream.destroy());
  return stream.pipe(response);
}

function end(response, status) {
  response.writeHead(status, { ...HEADERS, "Content-Type": "text/plain" });
  response.end();
}

function open(url) {
  const [program, ...given] = COMMANDS[process.platform] ?? ["xdg-open"];
  const opened = spawn(program, [...given, url], { stdio: "ignore", detached: true });
  opened.on("error", () => console.log(`Open ${url} in a browser.`));
  opened.unref();
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [least, leastMinor] = OLDEST_NODE;
  if (major > least || (major === least && minor >= leastMinor)) return;
  fail(`control-surface needs Node.js ${OLDEST_NODE.join(".")} or newer, but this is ${process.versions.node}.`);
}

checkNode();
const chosen = options();
if (chosen.help) {
  console.log(USAGE);
} else if (chosen.version) {
  console.log(JSON.parse(await readFile(new URL("package.json", import.meta.url), "utf-8")).version);
} else {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.on("error", (problem) =>
    fail(
      problem.code === "EADDRINUSE"
        ? `Port ${chosen.port} is in use; choose another port with --port.`
        : `The port can't be opened: ${problem.message}`,
    ),
  );
  server.listen(Number(chosen.port), HOST, () => {
    const url = `http://${HOST}:${server.address().port}/`;
    console.log(`Serving ${url} (Ctrl-C stops)`);
    if (!chosen["no-open"]) open(url);
  });
}
