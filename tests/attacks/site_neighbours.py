"""Attempts of a page made of files to reach what a page of another folder has. See `test_site_origins.py`."""

SECRET, OWN = "A-SECRET", "B-OWN"
PAGE = "<!doctype html><title>Page</title><body>TEXT</body>"
# Answers with the message of the first page that connected.
SHARED = "let said = ''; onconnect = ({ ports: [port] }) => { port.onmessage = ({ data }) => { said ||= data; port.postMessage(said) } }"
# Stores a text wherever a page can. A browser that blocks storage refuses most of it.
PLANT = """
const [text] = arguments;
const steps = [
  () => { localStorage.secret = text },
  () => { sessionStorage.secret = text },
  () => { window.name = text },
  () => { globalThis.secret = text },
  async () => (await caches.open(text)).put('/project/secret', new Response(text)),
  () => new Promise((done) => { const one = indexedDB.open(text); one.onsuccess = one.onerror = done }),
  async () => {
    const file = await (await navigator.storage.getDirectory()).getFileHandle('secret', { create: true });
    const writer = await file.createWritable();
    await writer.write(text);
    await writer.close();
  },
  () => { navigator.locks.request(text, () => new Promise(() => {})).catch(() => 0) },
  () => {
    const channel = new BroadcastChannel('secret');
    channel.onmessage = ({ data }) => data === 'ask' && channel.postMessage(text);
  },
  () => { new SharedWorker('shared.js', 'secret').port.postMessage(text) },
  () => { document.cookie = `secret=${text}` },
  () => { document.cookie = `secret2=${text}; SameSite=None; Secure` },
  () => { document.cookie = `secret3=${text}; SameSite=None; Secure; Partitioned; path=/` },
  () => { addEventListener('message', ({ source, data }) => data === 'ask' && source?.postMessage({ text, heard: true }, '*')) },
];
for (const step of steps) try { await step() } catch {}
"""
# Offers itself to the page script of each other frame as its controller, and returns what they answer.
CONTROL = """await (async () => {
  const heard = [];
  for (let n = 0; n < top.length; n++) for (const frame of [top[n], top[n][0]]) {
    if (!frame) continue;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => heard.push(data);
    port1.postMessage(ASK);
    frame.postMessage({ geminiPage: 'control' }, '*', [port2]);
  }
  await ticks(20);
  return heard.join();
})()"""
# A page's reads, as expressions. `A` is the other page's origin. With it, each finds the page's own text.
READS = {
    "local-storage": "localStorage.secret",
    "session-storage": "sessionStorage.secret",
    "window": "[window, ...near()].map((view) => view.secret + view.name).join()",
    "documents": "[window, ...near()].map((view) => view.document.body.innerText).join()",
    "cache": "(await caches.keys()).join()",
    "cached-response": "(await (await caches.match('/project/secret')).text())",
    "database": "(await indexedDB.databases()).map(({ name }) => name).join()",
    "own-files": "(await (await (await (await navigator.storage.getDirectory()).getFileHandle('secret')).getFile()).text())",
    "lock": "(await navigator.locks.query()).held.map(({ name }) => name).join()",
    "channel": "await soon(new Promise((done) => { const one = new BroadcastChannel('secret'); "
    "one.onmessage = ({ data }) => done(data); one.postMessage('ask') }))",
    "shared-worker": "await soon(new Promise((done) => { const { port } = new SharedWorker('shared.js', 'secret'); "
    "port.onmessage = ({ data }) => done(data); port.postMessage('') }))",
    "cookie": "document.cookie",
    "cookie-store": "(await cookieStore.getAll()).map(({ value }) => value).join()",
    "file-by-path": "await (await fetch('/project/a/secret.txt')).text()",
    "file-by-relative-path": "await (await fetch('../a/secret.txt')).text()",
    "file-by-origin": "await (await fetch(`${A}/project/a/secret.txt`)).text()",
    "file-without-cors": "await (await fetch(`${A}/project/a/secret.js`, { mode: 'no-cors' })).text()",
    "script": "await soon(new Promise((done) => { const one = add('script', { src: `${A}/project/a/secret.js` }); "
    "one.onload = () => done(globalThis.stolen); one.onerror = () => done('refused') }))",
    "style": "await soon(new Promise((done) => { const one = add('link', { rel: 'stylesheet', href: `${A}/project/a/secret.css` }); "
    "one.onload = () => done(getComputedStyle(document.body).getPropertyValue('--secret')); one.onerror = () => done('') }))",
    "frame": "await soon(framed({ src: `${A}/project/a/index.html` }).then((one) => one.contentDocument.body.innerText))",
    "host": "await soon(framed({ src: `${A}/host.html` }).then((one) => one.contentWindow.fetch('/project/a/secret.txt')))"
    ".then((response) => response.text())",
    "worker-of-the-other": "await soon(new Promise((done) => { new Worker(js(`importScripts('${A}/project/a/secret.js'); "
    "postMessage(globalThis.stolen)`)).onmessage = ({ data }) => done(data) }))",
    "service-workers": "(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope).join()",
    "opened-window": "window.open(`${A}/project/a/index.html`).document.body.innerText",
    "opener": "String(window.opener?.secret)",
}
# What a page that may reach a host tries to send there.
SENT = (
    "file-by-path", "file-by-origin", "file-without-cors", "script", "style", "frame", "documents", "local-storage", "cache",
)  # fmt: skip
# A page finds these nowhere, not even its own.
NOWHERE = {"service-workers", "opened-window", "opener", "host", "frame"}
# The browser that blocks storage refuses them.
STORED = {
    "local-storage", "session-storage", "cache", "cached-response", "database", "own-files", "lock", "channel", "shared-worker", "cookie", "cookie-store",
}  # fmt: skip
COOKIES = {
    "plain": "evil=1",
    "lasting": "evil=1; max-age=99999; path=/",
    "localhost": "evil=1; domain=localhost",
    "dot-localhost": "evil=1; domain=.localhost; SameSite=None; Secure",
    "address": "evil=1; domain=127.0.0.1; SameSite=None; Secure",
    "any-site": "evil=1; SameSite=None; Secure",
    "partitioned": "evil=1; SameSite=None; Secure; Partitioned; path=/",
    "partitioned-localhost": "evil=1; domain=localhost; SameSite=None; Secure; Partitioned; path=/",
    "local": "evil=1; domain=local",
}
# Sets as many cookies as Chromium stores for a host, with attributes.
BOMB = (
    "for (let n = 0; n < 170; n++) document.cookie = `bomb${n}=${'x'.repeat(3900)}; path=/; max-age=99999%s`"
)
