// The page that the worker shows while the server can't be reached, at the address that was asked for.

import { dateLocale, localized } from "./app/language.js";

const millisecondsBetweenLooks = 3000;

const answered = Number(localStorage.getItem("answered"));
if (answered) {
  const format = new Intl.DateTimeFormat(dateLocale, { dateStyle: "long", timeStyle: "short" });
  const text = localized("It hasn’t answered since {time}.", { time: format.format(answered) });
  document.getElementById("since").textContent = text;
}

document.querySelector("button").addEventListener("click", () => location.reload());

/** Loads the page once the server answers. */
async function look() {
  try {
    const { ok } = await fetch("/health/live");
    if (ok) location.reload();
  } catch {
    // It still doesn't.
  }
}

setInterval(look, millisecondsBetweenLooks);
