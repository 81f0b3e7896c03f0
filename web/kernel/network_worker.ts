// Registers the service worker that is the network door on hosts without a companion, and forwards its questions.

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
 * @param {Pass} pass sends a question, and the port for its answer, to the page
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
    throw new Error("this page has no secure address (https: or loopback), so requests can't be confirmed");
  }
  navigator.serviceWorker.onmessage = ({ data, ports: [port] }) => {
    /** @type {Question["networkDoor"] | undefined} */
    const question = data.networkDoor;
    if (question?.key !== key) return;
    port.postMessage({ claimed: true });
    pass({ facts: question.facts, words: question.words }, port);
  };
  // If the surface shares the kernel's origin, its service worker has the door, too. The page has already tried to
  // register it, so don't wait for one.
  const registration = script === null
    ? await navigator.serviceWorker.getRegistration()
    : await navigator.serviceWorker.register(new URL(script, document.baseURI));
  if (!registration) throw new Error("this host has no service worker, so requests can't be confirmed");
  await activated(registration);
  return { door: registration.scope + PATH + key, problem: "" };
}

/** @param {ServiceWorkerRegistration} registration @returns {Promise<void>} */
function activated({ active, waiting, installing }) {
  return new Promise((resolve, reject) => {
    const worker = active ?? waiting ?? installing;
    if (worker === null) return reject(new Error("its service worker could not be started"));
    const check = () => {
      if (worker.state === "activated") resolve();
      else if (worker.state === "redundant") reject(new Error("its service worker could not be started"));
    };
    worker.addEventListener("statechange", check);
    check();
  });
}
