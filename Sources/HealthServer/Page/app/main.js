// Starts the page: the session, the event stream, and the screen that the address after # names.

import * as api from "./api.js";
import { dateOf } from "./calendar.js";
import { html, put } from "./dom.js";
import { acceptDrops } from "./drop.js";
import { localized } from "./language.js";
import { live } from "./live.js";
import { openSharedLink, secretOfSharedLink, sharedScreens, showSharing } from "./shared-link.js";
import { failure, head } from "../components/cards.js";

const main = document.getElementById("main");

/** Screens are loaded when they are first shown. Each exports `render({ main, path, signal })`. */
const screens = {
  today: () => import("../screens/today.js"),
  journal: () => import("../screens/journal.js"),
  trends: () => import("../screens/trends.js"),
  data: () => import("../screens/data.js"),
  profile: () => import("../screens/profile.js"),
  welcome: () => import("../screens/welcome.js"),
  "sign-in": () => import("../screens/sign-in.js"),
};
const signInAddress = "#/sign-in";
const millisecondsBetweenLooks = 30000;
/** How long a screen waits for all its parts, which then appear together; later, each appears when it is there. */
const longestArrival = 2000;

let current = new AbortController();
let isFirst = true;

/** Shows the screen of the address. `keepsFocus` draws it again in place. */
async function show({ keepsFocus = false } = {}) {
  const [wanted, ...path] = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decoded);
  const name = screenNamed(wanted);
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const arrive = () => main.classList.remove("arriving");
  const timer = setTimeout(arrive, longestArrival);
  signal.addEventListener("abort", () => clearTimeout(timer));
  main.classList.toggle("arriving", !keepsFocus);
  delete document.documentElement.dataset.screen;
  document.getElementById("shell").classList.toggle("signed-out", name === "sign-in");
  markTab(name === "welcome" ? "today" : name);
  try {
    const screen = await screens[name]();
    if (signal.aborted) return;
    await screen.render({ main, path, signal });
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
  if (!isFirst && !keepsFocus) {
    heading?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  isFirst = false;
}

/** A part of an address; one that somebody has mistyped is what it is. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The screen of an address that may be shown: who has opened a link sees some. */
function screenNamed(wanted) {
  if (api.session.linkExpires && wanted !== "sign-in") {
    return sharedScreens.includes(wanted) ? wanted : sharedScreens[0];
  }
  return wanted in screens ? wanted : "today";
}

/** A screen that could not be loaded, below the name of its tab. */
function showFailure(error) {
  const tab = document.querySelector(".nav [aria-current]")?.textContent.trim();
  put(main, head(tab ?? localized("Health")), html("div.card", failure(error, () => show())));
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
  if (api.session.linkExpires) location.replace(`/?link=failed${signInAddress}`);
  else if (location.hash !== signInAddress) location.replace(signInAddress);
}

/** The secret of the session that a sign-in link has just begun, taken out of the address and the history. */
function secretOfLink() {
  const [, secret] = /^#\/signed-in\/([\w-]+)$/.exec(location.hash) ?? [];
  if (secret) history.replaceState(null, "", "/#/today");
  return secret;
}

/** Loads the library of the large charts once the first screen is there, so that Trends opens at once. */
function loadChartsWhenIdle() {
  const whenIdle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 500));
  whenIdle(async () => {
    if (location.hash === signInAddress) return;
    const { loadCharts } = await import("../components/charts.js");
    loadCharts();
  });
}

/** Opens the session of before, or of the link in the address. */
async function openSession() {
  const shared = secretOfSharedLink();
  let isSignedIn = true;
  try {
    await api.openSession(secretOfLink());
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
  await openSession();
  showSharing();
  api.onSessionExpired(askToSignIn);
  addEventListener("hashchange", () => {
    // A link that is opened in a window with this page.
    if (location.hash.startsWith("#/link/")) location.reload();
    else show();
  });
  acceptDrops({
    isSignedIn: () => location.hash !== signInAddress && api.session.isOwner,
    showPlace: () => {
      location.hash = "#/data";
    },
  });
  if (location.hash !== signInAddress) live.open();
  await show();
  watchMidnight();
  loadChartsWhenIdle();
}

start();
