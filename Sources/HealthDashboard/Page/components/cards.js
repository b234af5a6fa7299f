// What all screens share: headings, cards, skeletons, empty states, failures and figures.

import { addressOf } from "../app/address.js";
import * as api from "../app/api.js";
import { html, icon, put, uniqueID } from "../app/dom.js";
import { amountAndUnit, number, percent } from "../app/format.js";
import { localized, localizedContent } from "../app/language.js";
import { live } from "../app/live.js";

/** The head of a screen: what stands above the title, the title, and actions on the right. */
export function head(title, { eyebrow = null, actions = [] } = {}) {
  return html(
    "header.head",
    html("div", html("p.eyebrow", eyebrow), html("h1", { tabindex: "-1" }, title)),
    html("div.head-actions", ...actions),
  );
}

/** Says whether the page receives changes. */
export function liveMark() {
  const text = live.state === "open" ? localized("Live") : localized("Connecting");
  return html("span.live", { role: "status", "data-state": live.state }, text);
}

/** A card with a heading. `tone` is a category; `aside` stands at the right of the heading. */
export function card(
  title,
  { tone = "", symbol = null, aside = null, className = "", level = "h2" } = {},
  ...children
) {
  const id = uniqueID("card");
  const body = html("div.stack", { class: "card-body" }, ...children);
  const asideElement = aside instanceof Node && aside.tagName === "A"
    ? (aside.classList.add("aside"), aside)
    : html("span.aside", aside);
  const element = html(
    "section.card",
    { class: `${tone} ${className}`.trim(), "aria-labelledby": id },
    html("header", html(level, { id }, symbol && icon(symbol), title), asideElement),
    body,
  );
  return {
    element,
    body,
    aside: asideElement,
    show: (...parts) => {
      element.removeAttribute("aria-busy");
      put(body, ...parts);
    },
  };
}

/** Gray shapes of the size of what is loading, so that nothing moves when it arrives. */
export function skeleton(...shapes) {
  return shapes.map((shape) => html("div.skeleton", { class: shape, "aria-hidden": "true" }));
}

/** What to do where there is nothing to see. */
export function empty(title, text, ...actions) {
  return html(
    "div.empty",
    html("b", title),
    text && html("span", text),
    actions.length > 0 && html("div.row", ...actions),
  );
}

/** Where there is nothing, how data comes here; who has opened a link sees only that there is none. */
export function nothingYet(title, advice, ...actions) {
  return api.session.isOwner ? empty(title, advice, ...actions) : empty(title);
}

/** A failure in place of what could not be loaded, with a way to try again. */
export function failure(error, retry) {
  const wayOn = api.isUnloaded(error) ? () => location.reload() : retry;
  return html(
    "div.empty",
    { role: "alert" },
    html("b", localized("This could not be loaded")),
    html("span", api.reason(error)),
    wayOn && html("button.button.small", { type: "button", onclick: wayOn }, localized("Try Again")),
  );
}

/** Runs `work`. If it fails, cards say so and offer to try again, unless the screen is gone by then. */
export async function attempt(cards, signal, work) {
  try {
    await work();
  } catch (error) {
    if (signal.aborted || error.name === "AbortError") return;
    for (const one of cards) one.show(failure(error, () => attempt(cards, signal, work)));
  }
}

/** Sentences that compare a value with the person's own, with the part of a day until now or with the whole. */
const usual = {
  same: localized("Same as your 4-week average"),
  above: (amount) => localizedContent("{amount} above your 4-week average", { amount }),
  below: (amount) => localizedContent("{amount} below your 4-week average", { amount }),
};
const usualByNow = {
  same: localized("Same as your usual at this time"),
  above: (amount) => localizedContent("{amount} above your usual at this time", { amount }),
  below: (amount) => localizedContent("{amount} below your usual at this time", { amount }),
};

/**
 * How a value differs from the person's own: ↑ 12% above your 4-week average. Takes the `change` and `relativeChange`
 * of an answer; `format` writes the change instead of the percentage. An arrow and words say the direction, not color.
 */
export function comparison({ change, relativeChange }, { isByNow = false, format = null } = {}) {
  const { same, above, below } = isByNow ? usualByNow : usual;
  if (relativeChange === undefined) return html("p.delta", localized("No 4-week average yet"));
  if (Math.abs(relativeChange) < 0.01) return html("p.delta", icon("even"), same);
  const amount = format ? format(Math.abs(change)) : percent(Math.abs(relativeChange));
  return html(
    "p.delta",
    icon(relativeChange > 0 ? "up" : "down"),
    html("span", (relativeChange > 0 ? above : below)(html("b", amount))),
  );
}

/** A number with its unit. */
export function figure(text, unit, className = "") {
  return html("p.figure", { class: className }, text, unit && html("small", unit));
}

/** Names and values in columns. Each entry is `[name, value, unit, tone]`. */
export function figures(entries, className = "") {
  return html(
    "dl.figures",
    { class: className },
    entries.filter(Boolean).map(([name, value, unit, tone]) =>
      html(
        "div",
        { class: tone ?? "" },
        html("dt", tone && html("span.dot"), name),
        html("dd", value, unit && html("small.unit", unit)),
      )
    ),
  );
}

/** A quantity of an answer as an entry of `figures`. */
export function quantityFigure(name, { quantity: value, unit }, type) {
  return [name, ...amountAndUnit(value, unit, type)];
}

/** A title with a detail below it, as in a list. Facts of the detail, between points, aren't broken into two lines. */
export function titled(title, ...detail) {
  const facts = (text) => text.split(" · ").flatMap((fact, index) => [index > 0 && " · ", html("span.fact", fact)]);
  const parts = detail.flatMap((part) => typeof part === "string" && part.includes(" · ") ? facts(part) : [part]);
  return html("span.text", html("span.title", title), parts.length > 0 && [html("br"), html("span.detail", parts)]);
}

/** A list or table that scrolls by itself. */
export function scrollArea(label, ...content) {
  return html("div.scroll", { tabindex: "0", role: "region", "aria-label": label }, ...content);
}

const rowsOfFold = 8;
/** The lists that are open, by their screens and names. */
const unfolded = new Set();

/** A list whose first rows are shown, and a button for all of them: on phones, nothing scrolls within the page. */
export function foldedList(label, rows) {
  const list = html("ul.list", { "aria-label": label }, rows);
  const key = `${location.hash} ${label}`;
  if (rows.length <= rowsOfFold + 2 || unfolded.has(key)) return list;
  const folded = rows.slice(rowsOfFold);
  for (const row of folded) row.hidden = true;
  const unfold = () => {
    unfolded.add(key);
    for (const row of folded) row.hidden = false;
    folded[0].tabIndex = -1;
    folded[0].focus();
    more.remove();
  };
  const text = localized("Show all {count}", { count: number(rows.length) });
  const more = html("button.button", { type: "button", "aria-label": `${label}: ${text}`, onclick: unfold }, text);
  return [list, more];
}

/** The way back above the title of a screen. */
export function backLink(path, name) {
  return html("a", { href: `#/${path}` }, icon("left", "small"), name);
}

/** The way to every sample of a type. */
export function allDataLink(identifier) {
  return html("a.button.small", { href: addressOf(["trends", "samples", identifier]) }, localized("All data"));
}

/** A button with an icon only, which `label` names. */
export function iconButton(symbol, label, onclick, properties = {}) {
  return html(
    "button.button.icon-only.small",
    { type: "button", "aria-label": label, onclick, ...properties },
    icon(symbol),
  );
}
