// Starts the page: the session, the event stream, and the screen that the address after # names.

import { addressOf, currentAddress, enter, leave } from "./app/address.js";
import * as api from "./app/api.js";
import { dateOf } from "./app/calendar.js";
import { focusAt, html, put } from "./app/dom.js";
import { localized } from "./app/language.js";
import { live } from "./app/live.js";
import { startWorker } from "./app/worker.js";
import { failure, head } from "./components/cards.js";
import { acceptDrops } from "./components/drop.js";
import { openSharedLink, secretOfSharedLink, sharedScreens, showSharing } from "./components/shared-link.js";

const main = document.getElementById("main");

/**
 * Screens are loaded when they are first shown. Each exports `render({ main, path, chosen, signal })`; one that loads
 * others exports `prepare(path)` as well, which begins that.
 */
const screens = {
  today: () => import("./screens/today.js"),
  journal: () => import("./screens/journal.js"),
  trends: () => import("./screens/trends.js"),
  data: () => import("./screens/data.js"),
  profile: () => import("./screens/profile.js"),
  welcome: () => import("./screens/welcome.js"),
  iphone: () => import("./screens/iphone.js"),
  authorize: () => import("./screens/authorize.js"),
  "sign-in": () => import("./screens/sign-in.js"),
};
const isSigningIn = () => currentAddress().path[0] === "sign-in";
const millisecondsBetweenLooks = 30000;
/** How long a screen waits for all its parts, which then appear together; later, each appears when it is there. */
const longestArrival = 2000;

let current = new AbortController();
let isFirst = true;

/** Shows the screen of the address at the place where it was left. `keepsFocus` draws it again in place. */
async function show({ keepsFocus = false } = {}) {
  const { path: [wanted, ...path], chosen } = currentAddress();
  const place = keepsFocus ? undefined : enter();
  const name = screenNamed(wanted);
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const arrive = () => main.classList.remove("arriving");
  const timer = setTimeout(() => {
    performance.mark("screen-in-parts");
    arrive();
  }, longestArrival);
  signal.addEventListener("abort", () => clearTimeout(timer));
  main.classList.toggle("arriving", !keepsFocus);
  delete document.documentElement.dataset.screen;
  document.getElementById("shell").classList.toggle("signed-out", name === "sign-in");
  markTab({ welcome: "today", iphone: "data", authorize: "data" }[name] ?? name);
  if (isFirst) nameScreen();
  try {
    const screen = await screens[name]();
    if (signal.aborted) return;
    await screen.render({ main, path, chosen, signal });
  } catch (error) {
    if (signal.aborted || error.name === "AbortError") return;
    if (error.status !== 401) showFailure(error);
  }
  if (signal.aborted) return;
  clearTimeout(timer);
  arrive();
  document.documentElement.dataset.screen = name;
  const heading = main.querySelector("h1");
  document.title = `${heading?.textContent ?? localized("Health")} · OpenHealthKit`;
  if (place) {
    scrollTo(0, place.scroll);
    if (place.focus) focusAt(main, place.focus);
  } else if (!isFirst && !keepsFocus) {
    heading?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  isFirst = false;
}

/** The screen of an address that may be shown: who has opened a link sees some. */
function screenNamed(wanted) {
  if (api.session.linkExpires && wanted !== "sign-in") {
    return sharedScreens.includes(wanted) ? wanted : sharedScreens[0];
  }
  return Object.hasOwn(screens, wanted) ? wanted : "today";
}

const tabName = () => document.querySelector(".nav [aria-current]")?.textContent.trim() ?? localized("Health");

/** The heading that the page arrives with is that of Today. */
function nameScreen() {
  main.querySelector("h1").textContent = tabName();
}

/** A screen that could not be loaded, below the name of its tab. */
function showFailure(error) {
  put(main, head(tabName()), html("div.card", failure(error, () => show())));
}

function markTab(name) {
  for (const link of document.querySelectorAll(".nav a")) {
    if (link.dataset.screen === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Draws again at midnight, when today becomes another day. */
function watchMidnight() {
  let today = dateOf();
  setInterval(() => {
    if (dateOf() === today) return;
    today = dateOf();
    api.forget();
    show({ keepsFocus: true });
  }, millisecondsBetweenLooks);
}

function askToSignIn() {
  // Nothing of a link stays that is over, not even whose it was.
  if (api.session.linkExpires) location.replace("/?link=failed#/sign-in");
  else if (!isSigningIn()) {
    const wanted = location.hash.slice(2);
    location.replace(addressOf("sign-in", { to: wanted !== "today" && wanted }));
  }
}

/** The code of a sign-in link, taken out of the address and the history, which then has the screen that it leads to. */
function codeOfLink() {
  const [, code, screen = "today"] = /^#\/code\/([\w-]+)(?:\/([\w/-]+))?$/.exec(location.hash) ?? [];
  if (code) history.replaceState(null, "", `/#/${screen}`);
  return code;
}

/** Signs in with the code of a link. One that was used doesn't end the session of before. */
async function signInWithLink(code) {
  try {
    await api.signInWithCode(code);
  } catch (error) {
    if (error.status !== 401) throw error;
    history.replaceState(null, "", `/?sign-in=failed${location.hash}`);
  }
}

/** Starts the worker once the first screen is there, and loads the library of the large charts for Trends. */
function prepareWhenIdle() {
  const whenIdle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 500));
  whenIdle(async () => {
    startWorker();
    if (isSigningIn()) return;
    const { loadCharts } = await import("./components/charts.js");
    loadCharts();
  });
}

/** Loads the modules of the screen that the address names. */
async function prepareScreen() {
  const { path: [name, ...path] } = currentAddress();
  if (Object.hasOwn(screens, name)) await (await screens[name]()).prepare?.(path);
}

/** Opens the session of before, or of the link in the address. */
async function openSession() {
  const shared = secretOfSharedLink();
  const code = codeOfLink();
  let isSignedIn = true;
  try {
    if (code) await signInWithLink(code);
    await api.openSession();
  } catch (error) {
    if (error.status !== 401) return;
    isSignedIn = false;
  }
  if (shared ? !await openSharedLink(shared, { isSignedIn }) : !isSignedIn) askToSignIn();
}

async function start() {
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  // They arrive while the session is opened. If they don't, the screen says so when it is shown.
  prepareScreen().catch(() => {});
  await openSession();
  showSharing();
  api.onSessionExpired(askToSignIn);
  api.onSignOut(() => location.reload());
  addEventListener("hashchange", () => {
    // A link that is opened in a window with this page.
    if (/^#\/(link|code)\//.test(location.hash)) return location.reload();
    leave();
    return show();
  });
  acceptDrops({
    isSignedIn: () => !isSigningIn() && api.session.isOwner && !api.session.isDemo,
    showPlace: () => {
      location.hash = "#/data";
    },
  });
  if (!isSigningIn()) live.open();
  await show();
  watchMidnight();
  prepareWhenIdle();
}

start();
