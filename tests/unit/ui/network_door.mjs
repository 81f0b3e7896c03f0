// Sends a request to the service worker's network door. Arguments: the folder of its modules, and the case as JSON. Prints the
// result as JSON.
const [folder, given] = process.argv.slice(2);
const { NetworkDoor } = await import(`${folder}/door.js`);
const { method = "POST", key = "key", description, body, answer = { allowed: true }, status = 200, opaque = false } = JSON.parse(given);

const asked = [];
const fetched = [];
const page = {
  postMessage({ networkDoor }, [port]) {
    asked.push(networkDoor);
    if (networkDoor.key !== "key") return port.close();
    port.postMessage({ claimed: true });
    port.postMessage(answer);
  },
};
const door = new NetworkDoor({
  scope: "https://kernel.example/",
  pages: async () => [page],
  fetch: async (url, { body: sent, headers, signal: _, ...options }) => {
    fetched.push({ url, ...options, headers: [...headers], body: sent ? await sent.text() : null });
    if (opaque) return { type: "opaqueredirect" };
    return new Response("far", { status, headers: { "content-type": "text/plain; charset=latin-1", "x-own": "1" } });
  },
});
const headers = description === undefined ? {} : { "X-Network-Request": JSON.stringify(description) };
const request = new Request(`https://kernel.example/network/worker/${key}`, { method, headers, body });
const response = await door.answer(request);
const problem = response.headers.get("X-Network-Problem");
const details = response.headers.get("X-Network-Answer");
console.log(JSON.stringify({
  asked: asked.map(({ facts, words }) => ({ facts, words })), fetched,
  problem: problem && JSON.parse(problem).type, answer: details && JSON.parse(details), text: await response.text(),
  type: response.headers.get("Content-Type"),
}));
process.exit(0);
