// The actions on a page. Each takes a target and its own arguments, and returns a promise.

import * as dom from "../dom.ts";
import type { Downloads } from "../downloads.ts";
import { InvalidArguments, Unsupported } from "../errors.ts";
import type { Refs } from "../refs.ts";
import { regainFocus } from "../retained_focus.ts";
import type { Candidate, Target } from "../targets.ts";
import { askFor, askToLeave } from "./consent.ts";
import { nameAndRole } from "./describing.ts";
import { drag } from "./dragging.ts";
import { focused, moveFocus } from "./focus.ts";
import { InputDevices, type Devices } from "./input_devices.ts";
import { parseChord, parseModifiers } from "./keys.ts";
import { permitted } from "./off_limits.ts";
import { enabled, isShown, present, readable, ready, tagOf, type WaitOptions } from "./ready.ts";
import { hasTarget, scroll } from "./scrolling.ts";
import { select } from "./selecting.ts";
import { type } from "./typing.ts";
import { waitFor } from "./wait_for.ts";
import { callTool } from "../webmcp/tools.ts";
import type { Answers } from "./dialogs.ts";

/** the parts of the page script that actions use */
export interface Page {
  resolve: (target: Target) => Element;
  describe: (element: Element) => Candidate;
  refs: Refs;
  answers: Answers;
  downloads: Downloads;
  /** returns devices whose events the browser trusts, if there are any now */
  devices?: () => Devices | null;
}

/** what actions take besides their own arguments; all of it comes as JSON, so that they check it */
export type Given = Target & WaitOptions & { consented?: boolean };

type Action<Options> = (options: Options) => Promise<object>;

const UNREADABLE =
  "Nothing changed. A style sheet of another origin, which can't be read, may show more to a real mouse.";
const LONGEST_HOLD_S = 10;
const BUTTONS: Record<string, number> = { left: 0, middle: 1, right: 2 };

export function createActions(whole: Page) {
  /** The name of the current action's first target, for the users who watch; an action may remove the element. */
  let target: string | null = null;
  const page = {
    ...whole,
    resolve(given: Target) {
      const element = permitted(whole.resolve(given));
      target ??= nameOf(element);
      return element;
    },
  };
  const devices = new InputDevices(page);
  const inTurn = queue(devices);
  const act = <Options>(action: (devices: InputDevices, options: Options) => Promise<object>) =>
    inTurn(async (options: Options) => {
      target = null;
      const result = await action(devices, options);
      return target === null ? result : { ...result, target };
    });
  return {
    click: act(click),
    type: act(type),
    pressKey: act(pressKey),
    select: act(select),
    scroll: inTurn((options: Parameters<typeof scroll>[1]) =>
      devices.perform(options, async () => {
        const scrolled = await scroll(page, options);
        return () => scrolled;
      }),
    ),
    hover: act(hover),
    drag: act(drag),
    callTool: act(callTool),
    waitFor: (options: Parameters<typeof waitFor>[1] = {}) => waitFor(page, options),
  };
}

function nameOf(element: Element) {
  const { role, name } = nameAndRole(element);
  return name || role;
}

/** Create a wrapper that runs actions one at a time, because they share the mouse and keyboard. */
function queue(devices: InputDevices) {
  let last = Promise.resolve();
  return <Options>(action: Action<Options>) =>
    // Without arguments, an action names the missing ones.
    (options = {} as Options) => {
      const result = last.then(() => {
        regainFocus();
        devices.choose();
        return action(options);
      });
      // The caller gets the failure; the next action runs anyway.
      last = result.then(
        () => {},
        () => {},
      );
      return result;
    };
}

/**
 * @param options - a target; `double`; `button`: left, middle or right; `modifiers` such as Control+Shift; `hold` in
 * seconds; `consented`
 */
async function click(
  devices: InputDevices,
  {
    double = false,
    button = "left",
    modifiers,
    hold = 0,
    consented,
    ...options
  }: Given & { double?: boolean; button?: string; modifiers?: string; hold?: number },
) {
  if (!Object.hasOwn(BUTTONS, button)) {
    throw new InvalidArguments(`There is no button ${JSON.stringify(button)}.`, { hint: "Use left, middle or right." });
  }
  if (!(hold >= 0 && hold <= LONGEST_HOLD_S))
    throw new InvalidArguments(`\`hold\` must be at most ${LONGEST_HOLD_S} seconds.`);
  const keys = parseModifiers(modifiers);
  const place = await ready(devices.page, options, options);
  askToLeave(place.element, consented);
  if (BUTTONS[button] === 0 && isClosedList(place.element)) {
    throw new Unsupported(`Scripts can't open the list of options of ${tagOf(place.element)}.`, {
      hint: "Choose an option with select.",
    });
  }
  const { signal } = options;
  return devices.perform(options, (outcome) => {
    outcome.effects.watchCanvas(place.point);
    return devices.keyboard.holding(keys, () =>
      devices.press(place, { button: BUTTONS[button], double, hold, signal }),
    );
  });
}

function isClosedList(element: Element) {
  return dom.isNamed(element, "select") && !element.multiple && element.size <= 1;
}

/** @param options - `key`, a key or chord; a target, by default the focused element; `consented` */
async function pressKey(devices: InputDevices, { key, consented, ...options }: Given & { key: string }) {
  const { modifiers, key: parsed } = parseChord(key);
  if (hasTarget(options)) {
    const element = enabled(await present(devices.page, options, options));
    if (!moveFocus(element))
      throw new Unsupported(`${tagOf(element)} can't be focused.`, { hint: "Click it, then press the key." });
  }
  readable(permitted(focused()));
  if (Array.from(parsed.key).length === 1 && !modifiers.some((one) => one.key !== "Shift"))
    askFor(focused(), consented);
  if (parsed.key === "Enter" || parsed.key === " ") askToLeave(focused(), consented);
  return devices.perform(options, (outcome) => {
    outcome.effects.countsEachFocus = true;
    return devices.keyboard.chord(modifiers, parsed);
  });
}

/** @param options - a target */
async function hover(devices: InputDevices, options: Given) {
  const { point } = await ready(devices.page, options, options);
  return devices.perform(options, async (outcome) => {
    outcome.effects.watchCanvas(point);
    const { mouse } = devices;
    const open = mouse.hoverStyles.open();
    await mouse.move(point);
    const { shown, unreadable } = mouse.hoverStyles.begin(mouse.targetAt(point));
    const closed = open.filter((one) => !isShown(one));
    for (const one of [...shown, ...closed]) outcome.changed.add(one);
    return () => (unreadable && !outcome.hadEffect() ? { note: UNREADABLE } : {});
  });
}
