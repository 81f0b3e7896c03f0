// The frame's side of a network door in a service worker, for hosts without a companion.

/**
 * @import { NetworkPlan } from "./messages.js"
 * @import { Network } from "./network.js"
 * @import { Question } from "../network_door/door.js"
 *
 * @typedef {(question: { facts: Question["networkDoor"]["facts"], words: object }, port: MessagePort) => void} Pass
 */

import { PATH } from "../network_door/protocol.js";

/** @type {Promise<Network> | null} */
let found = null;

/**
 * @param {NetworkPlan} plan
 * @param {Pass} pass hands a question, and the port for its answer, to the page
 * @returns {Promise<Network>}
 */
export function findNetwork({ key, door, worker }, pass) {
  if (door !== null) return Promise.resolve({ door, problem: "" });
  found ??= register(key, worker, pass).catch((error) => ({ door: null, problem: `There is no network here: ${error.message}` }));
  return found;
}

/** @param {string} key @param {string | null} script @param {Pass} pass @returns {Promise<Network>} */
async function register(key, script, pass) {
  if (!globalThis.isSecureContext || !("serviceWorker" in navigator)) {
    throw new Error("this page has no secure address (https: or loopback), so its browser can't ask before a request");
  }
  navigator.serviceWorker.onmessage = ({ data, ports: [port] }) => {
    /** @type {Question["networkDoor"] | undefined} */
    const question = data.networkDoor;
    if (question?.key !== key) return;
    port.postMessage({ claimed: true });
    pass({ facts: question.facts, words: question.words }, port);
  };
  // Where the surface shares the kernel's origin, its own service worker has the door, too. The page has registered it, or
  // could not, so this doesn't wait for one to come.
  const registration = script === null
    ? await navigator.serviceWorker.getRegistration()
    : await navigator.serviceWorker.register(new URL(script, document.baseURI));
  if (!registration) throw new Error("this host has no service worker, which asks before a request");
  await activated(registration);
  return { door: registration.scope + PATH + key, problem: "" };
}

/** @param {ServiceWorkerRegistration} registration @returns {Promise<void>} */
function activated({ active, waiting, installing }) {
  return new Promise((resolve, reject) => {
    const worker = active ?? waiting ?? installing;
    if (worker === null) return reject(new Error("its service worker doesn't start"));
    const look = () => {
      if (worker.state === "activated") resolve();
      else if (worker.state === "redundant") reject(new Error("its service worker doesn't start"));
    };
    worker.addEventListener("statechange", look);
    look();
  });
}
