// The types with their latest values, by topic: in Trends, and as the other person will see them.

import * as api from "../app/api.js";
import { dateOf } from "../app/calendar.js";
import { html, icon } from "../app/dom.js";
import { ago, amountAndUnit, daysAgo, duration, number } from "../app/format.js";
import { locale, localized } from "../app/language.js";
import { categories, category, typeAddress, typeName } from "../app/types.js";
import { card, titled } from "./cards.js";
import { sparkline } from "./plots.js";

/** The latest value, with its unit in small letters. */
export function latest({ type, recent: { value, unit } }) {
  if (unit === "s") return [duration(value)];
  const [text, name] = amountAndUnit(value, unit, type);
  return [text, name && html("small", name)];
}

export function latestTime({ recent: { date: moment, isOfDay, unit } }) {
  if (!isOfDay) return ago(moment);
  const day = dateOf(new Date(moment));
  if (day !== dateOf()) return daysAgo(day);
  return unit === "s" ? localized("last night") : localized("today so far");
}

/** When the latest sample ended; what lasts for the whole day, such as rings, ends after now. */
export const latestEnd = ({ endDate }) => endDate ? ago(Math.min(Date.parse(endDate), Date.now())) : "–";

/** The last four weeks as a line. */
export const weeks = ({ type, recent }, height) =>
  sparkline(
    localized("{name} in the four weeks before today", { name: typeName(type) }),
    recent.days.map(({ value }) => value),
    height,
  );

/**
 * A card for each topic with the types whose names have a text. `pin()` pins a type; `isPreview` leaves out what leads
 * elsewhere.
 */
export function categoryCards(types, text, { pin, isPreview = false }) {
  const matches = (type) =>
    [typeName(type.type), categories[category(type.type)].name].some((name) => name.toLowerCase().includes(text));
  const groups = Map.groupBy(types.filter(matches), (type) => category(type.type));
  if (groups.size === 0) return html("p.muted", localized("No type of this name has data."));
  const shown = Object.keys(categories).filter((name) => groups.has(name));
  return html("div.masonry", shown.map((name) => categoryCard(name, groups.get(name), { pin, isPreview })));
}

function categoryCard(tone, types, { pin, isPreview }) {
  const { name, icon: symbol } = categories[tone];
  const sorted = [...types].sort((a, b) => typeName(a.type).localeCompare(typeName(b.type), locale));
  const aside = tone === "symptoms" && !isPreview && html("a", { href: "#/trends/symptoms" }, localized("By severity"));
  const rows = html("ul.list", sorted.map((type) => typeRow(type, { pin, isPreview })));
  return card(name, { tone, symbol, level: "h3", aside: aside || null }, rows).element;
}

function typeRow(type, { pin, isPreview }) {
  const name = typeName(type.type);
  const detail = type.recent ? latestTime(type) : `${number(type.count)} · ${latestEnd(type)}`;
  const mark = {
    type: "button",
    "aria-label": localized("Pin {name}", { name }),
    "aria-pressed": String(Boolean(type.pin)),
    onclick: () => pin(type),
  };
  const content = [
    titled(name, detail),
    type.recent && html("span.weeks", weeks(type, 28)),
    type.recent && html("span.value", ...latest(type)),
  ];
  return html(
    "li",
    { class: category(type.type), "data-type": type.type },
    isPreview ? content : html("a", { href: typeAddress(type.type) }, content),
    !isPreview && api.session.isOwner && html("button.button.icon-only.plain.small.pin", mark, icon("pin")),
  );
}
