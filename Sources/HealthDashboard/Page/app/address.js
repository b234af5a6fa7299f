// The address of a screen, which is all that a bookmark has: its path, and what is chosen on it, such as
// #/trends/type/HKQuantityTypeIdentifierStepCount/year?date=2019-06-12&compare=before. The place of each entry of the
// history is kept beside it: how far it was scrolled, and what had the focus.

import { focusPlace } from "./dom.js";

/** The parts of the path of the current address, and what is chosen by its names. */
export function currentAddress() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  return { path: path.split("/").filter(Boolean).map(decoded), chosen: Object.fromEntries(new URLSearchParams(query)) };
}

/** A part of an address; one that somebody has mistyped is what it is. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a path, as text or in parts, and of what is chosen; nothing stands for what is usual. */
export function addressOf(path, chosen = {}) {
  const isChosen = ([, value]) => value !== undefined && value !== null && value !== false && value !== "";
  const query = new URLSearchParams(Object.entries(chosen).filter(isChosen)).toString();
  const parts = Array.isArray(path) ? path.filter(Boolean).map(encodeURIComponent).join("/") : path;
  return `#/${parts}${query && `?${query}`}`;
}

/** Has the address say what is chosen on the screen, as a new entry of the history unless it `replaces` this one. */
export function choose(chosen, { path = currentAddress().path, replaces = false } = {}) {
  const address = addressOf(path, chosen);
  if (address === location.hash) return;
  if (replaces) {
    history.replaceState(history.state, "", address);
  } else {
    leave();
    history.pushState(null, "", address);
    enter();
  }
}

// The places of the history

const storageKey = "places";
const mostPlaces = 100;
const places = new Map(JSON.parse(sessionStorage.getItem(storageKey) ?? "[]"));
const main = document.getElementById("main");
let entry;

history.scrollRestoration = "manual";
addEventListener("pagehide", () => {
  leave();
  sessionStorage.setItem(storageKey, JSON.stringify([...places].slice(-mostPlaces)));
});

/** Remembers the place on the entry that is left. */
export function leave() {
  if (!entry) return;
  places.delete(entry);
  places.set(entry, { scroll: scrollY, focus: focusPlace(main) });
}

/** The place at which the current entry of the history was left; nothing if it is new. */
export function enter() {
  entry = history.state?.entry;
  if (entry) return places.get(entry);
  entry = `${Date.now()}-${Math.random()}`;
  history.replaceState({ entry }, "");
  return undefined;
}
