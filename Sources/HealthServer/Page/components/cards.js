// What all screens share: headings, cards, skeletons, empty states, failures and figures.

import { html, icon, put, uniqueID } from "../app/dom.js";
import { amountAndUnit, percent } from "../app/format.js";
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

/** A failure in place of what could not be loaded, with a way to try again. */
export function failure(error, retry) {
  return html(
    "div.empty",
    { role: "alert" },
    html("b", localized("This could not be loaded")),
    html("span", error.message),
    retry && html("button.button.small", { type: "button", onclick: retry }, localized("Try Again")),
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

/** A title with a detail below it, as in a list. */
export function titled(title, ...detail) {
  return html("span.text", html("span.title", title), html("br"), html("span.detail", ...detail));
}

/** A list or table that scrolls by itself. */
export function scrollArea(label, ...content) {
  return html("div.scroll", { tabindex: "0", role: "region", "aria-label": label }, ...content);
}

/** The way back above the title of a screen. */
export function backLink(path, name) {
  return html("a", { href: `#/${path}` }, icon("left", "small"), name);
}

/** A button with an icon only, which `label` names. */
export function iconButton(symbol, label, onclick, properties = {}) {
  return html(
    "button.button.icon-only.small",
    { type: "button", "aria-label": label, onclick, ...properties },
    icon(symbol),
  );
}
