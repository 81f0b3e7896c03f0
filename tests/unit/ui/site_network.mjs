// Plays steps on the owner of the network access of sites. Arguments: the folder of web/, compiled, and the steps as
// JSON. Prints the hosts after each step as JSON.
const [web, given] = process.argv.slice(2);
const { Consent } = await import(`${web}/ui/consent/consent.js`);
const { Grants } = await import(`${web}/ui/consent/grants.js`);
const { ConsentRecord } = await import(`${web}/ui/consent/record.js`);
const { SiteNetwork } = await import(`${web}/ui/panels/browser/site_network.js`);

const stored = new Map();
const storage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, text) => stored.set(key, text),
  removeItem: (key) => stored.delete(key),
};
let time = Date.parse("2026-01-02T03:04:05Z");
const now = () => time;
let network;
const load = () => {
  const grants = new Grants(storage, now);
  const consent = new Consent({ grants, record: new ConsentRecord(storage), attended: () => true, identify: () => "", now });
  network = new SiteNetwork(consent, (host) => host.includes("own"));
};
load();

const steps = {
  async allow(root, host, answer) {
    const asked = network.ask(root, host);
    const [question] = network.consent.waiting;
    if (question) network.consent.answer(question, answer);
    return asked;
  },
  cutOff: (root) => network.cutOff(root),
  leave: (root) => network.leave(root),
  taint: () => network.consent.noteTaint({ run: "", origin: "file_read" }),
  wait: (ms) => (time += ms),
  load,
  revokeAll: () => network.consent.grants.revokeAll(),
  hostOf: (text) => network.hostOf(text),
};
const results = [];
for (const [name, ...values] of JSON.parse(given)) {
  const value = await steps[name](...values);
  results.push({ value: value ?? null, hosts: network.hosts("/project/a"), listed: [...network.consent.grants.rows(), ...network.consent.grants.ofRuns()].length });
}
process.stdout.write(JSON.stringify(results));
process.exit();
