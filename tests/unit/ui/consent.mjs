// Plays steps on the page's consent. Arguments: the folder of web/, compiled, and the steps as JSON. Prints the result as JSON.
const [web, given] = process.argv.slice(2);
const { Consent } = await import(`${web}/ui/consent/consent.js`);
const { Grants } = await import(`${web}/ui/consent/grants.js`);
const { ConsentRecord } = await import(`${web}/ui/consent/record.js`);
const { reportQuestions } = await import(`${web}/ui/panels/inbox/report.js`);
const { createStore } = await import(`${web}/ui/state/store.js`);

const stored = new Map();
const storage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, text) => stored.set(key, text),
  removeItem: (key) => stored.delete(key),
};
let time = Date.parse("2026-01-02T03:04:05Z");
let attended = true;
let grants, consent;
let questions = {};
const reported = [];
globalThis.requestAnimationFrame = (draw) => setImmediate(draw);
globalThis.document = { visibilityState: "visible", addEventListener() {} };
const load = () => {
  questions = {};
  grants = new Grants(storage, () => time);
  const known = ["r1", "r2"];
  const identify = ({ run }) => (known.includes(run) ? `run ${run}` : "");
  consent = new Consent({ grants, record: new ConsentRecord(storage), attended: () => attended, identify, now: () => time });
};
load();

const outcomes = {};
const controllers = {};
const find = (name) => consent.waiting.find(({ id }) => id === questions[name]);

const steps = {
  ask(name, request) {
    controllers[name] = new AbortController();
    const before = consent.waiting.map(({ id }) => id);
    consent.ask(request, controllers[name].signal).then(
      (outcome) => (outcomes[name] = outcome),
      (reason) => (outcomes[name] = String(reason?.message ?? reason)),
    );
    questions[name] = consent.waiting.find(({ id }) => !before.includes(id))?.id;
  },
  answer: (name, decision, entered) => consent.answer(find(name), decision, entered),
  refuseCaller: (name) => consent.refuseCaller(find(name)),
  refuseWaiting: () => consent.refuseWaiting(),
  askAgain: () => consent.askAgain(),
  withdraw: (name) => controllers[name].abort(new Error("withdrawn")),
  taint: (run, origin) => consent.noteTaint({ run, origin }),
  /** Python starts; `bare`: by the user's press. */
  start: (bare) => consent.record.start(bare),
  savedCode: () => consent.record.useSavedCode(),
  trust: () => consent.record.trustSavedCode(),
  renew: () => consent.renew(),
  attend: (value) => {
    attended = value;
    if (!value) consent.refuseAll();
  },
  wait: (ms) => (time += ms),
  revoke: (index) => grants.revoke([...grants.rows(), ...grants.ofRuns()][index]),
  revokeAll: () => grants.revokeAll(),
  store: (text, key = "gemini-consent-grants") => stored.set(key, text),
  load,
  kernel: (state) => store.dispatch({ type: "kernel", kernel: state, reason: null }),
};
const store = createStore();
const request = async (method, { questions }) => reported.push([method, ...questions.map(({ run, call }) => run ?? call)]);

reportQuestions(store, consent, { request });
for (const [step, ...args] of JSON.parse(given)) {
  steps[step](...args);
  await new Promise(setImmediate);
}
process.stdout.write(JSON.stringify({
  outcomes,
  waiting: Object.keys(questions).filter((name) => find(name)),
  flooded: Object.keys(questions).filter((name) => find(name) && consent.isFlooded(find(name))),
  standing: grants.rows().map(({ kind, subject, answer }) => `${kind}: ${subject} (${answer})`),
  reported,
  record: { taint: consent.record.taint, suspect: consent.record.suspect, canTrust: consent.record.canTrust },
  runs: grants.ofRuns().map(({ subject, run }) => `${subject} for ${run}`),
}));
