// The links between the sections of Trends, which are screens of their own.

import { html } from "../app/dom.js";
import { localized } from "../app/language.js";

const sections = [
  ["", localized("Types")],
  ["sleep", localized("Sleep")],
  ["workouts", localized("Workouts")],
  ["rings", localized("Rings")],
];

/** The links, of which the current one is marked. */
export function sectionLinks(current) {
  const links = sections.map(([path, name]) =>
    html("a", { href: `#/trends${path && `/${path}`}`, "aria-current": path === current ? "page" : null }, name)
  );
  return html("nav.segmented", { "aria-label": localized("Trends") }, links);
}
