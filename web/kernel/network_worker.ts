// Registers the service worker that is the network door on hosts without a companion, and forwards its questions.

import type { Question } from "../network_door/door.ts";
import { PATH } from "../network_door/protocol.ts";
import type { NetworkPlan } from "./messages.ts";
import type { Network } from "./network.ts";

type Pass = (question: { facts: Question["networkDoor"]["facts"]; words: object }, port: MessagePort) => void;

let found: Promise<Network> | null = null;

/** @param pass - sends a question, and the port for its answer, to the page */
export function findNetwork({ key, door, worker }: NetworkPlan, pass: Pass): Promise<Network> {
  if (door !== null) return Promise.resolve({ door, problem: "" });
  found ??= register(key, worker, pass).catch((error) => ({
    door: null,
    problem: `There is no network here: ${error.message}`,
  }));
  return found;
}

async function register(key: string, script: string | null, pass: Pass): Promise<Network> {
  if (!globalThis.isSecureContext || !("serviceWorker" in navigator)) {
    throw new Error("this page has no secure address (https: or loopback), so requests can't be confirmed");
  }
  navigator.serviceWorker.onmessage = ({ data, ports: [port] }) => {
    const question: Question["networkDoor"] | undefined = data.networkDoor;
    if (question?.key !== key) return;
    port.postMessage({ claimed: true });
    pass({ facts: question.facts, words: question.words }, port);
  };
  // If the surface shares the kernel's origin, its service worker has the door, too. The page has already tried to
  // register it, so don't wait for one.
  const registration =
    script === null
      ? await navigator.serviceWorker.getRegistration()
      : await navigator.serviceWorker.register(new URL(script, document.baseURI));
  if (!registration) throw new Error("this host has no service worker, so requests can't be confirmed");
  await activated(registration);
  return { door: registration.scope + PATH + key, problem: "" };
}

function activated({ active, waiting, installing }: ServiceWorkerRegistration): Promise<void> {
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
