// Starts the page: the session, the event stream, and the screen that the address after # names.

import * as api from "./api.js";
import { live } from "./live.js";
import { dateOf } from "./calendar.js";
import { put } from "./dom.js";
import { failure } from "../components/cards.js";

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
const tab = { welcome: "today", "sign-in": "" };

let current = new AbortController();
let isFirst = true;

/** Shows the screen of the address. `keep` draws it again in place, without moving the focus. */
async function show({ keep = false } = {}) {
  const [name = "today", ...path] = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(
    decodeURIComponent,
  );
  const known = name in screens ? name : "today";
  current.abort();
  delete document.documentElement.dataset.screen;
  const controller = new AbortController();
  current = controller;
  document.getElementById("shell").classList.toggle("signed-out", known === "sign-in");
  for (const link of document.querySelectorAll(".nav a")) {
    if (link.dataset.screen === (tab[known] ?? known)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    const screen = await screens[known]();
    if (controller.signal.aborted) return;
    await screen.render({ main, path, signal: controller.signal });
  } catch (error) {
    if (controller.signal.aborted || error.name === "AbortError") return;
    if (error.status !== 401) put(main, failure(error, () => show()));
  }
  if (controller.signal.aborted) return;
  document.documentElement.dataset.screen = known;
  const heading = main.querySelector("h1");
  document.title = `${heading?.textContent ?? "Health"} · OpenHealthKit`;
  if (!isFirst && !keep) {
    heading?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  isFirst = false;
}

/** Draws again at midnight, when today becomes another day. */
function watchMidnight() {
  let today = dateOf();
  setInterval(() => {
    if (dateOf() === today) return;
    today = dateOf();
    api.forget();
    show({ keep: true });
  }, 30000);
}

async function start() {
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  api.onSessionExpired(() => {
    if (location.hash !== "#/sign-in") location.replace("#/sign-in");
  });
  try {
    await api.openSession();
  } catch (error) {
    if (error.status === 401) location.replace("#/sign-in");
  }
  addEventListener("hashchange", () => show());
  document.addEventListener("redraw", () => show({ keep: true }));
  if (location.hash !== "#/sign-in") live.open();
  await show();
  watchMidnight();
  // The library of the large charts is fetched once the first screen is there, so that Trends opens at once.
  const idle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 500));
  idle(() => import("../components/charts.js").then((charts) => location.hash !== "#/sign-in" && charts.loadCharts()));
}

start();
