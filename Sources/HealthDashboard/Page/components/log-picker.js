// Finds what to log by name: all that an app may write, what was logged recently first.

import { html } from "../app/dom.js";
import { localized } from "../app/language.js";
import { categories, category, typeBadge } from "../app/types.js";
import { scrollArea, titled } from "./cards.js";
import { field } from "./controls.js";
import { openDialog } from "./dialogs.js";

/** Types that are logged with others: the values of a blood pressure. */
const parts = new Set(["bloodPressureSystolic", "bloodPressureDiastolic"]);

/**
 * Opens the search among `loggable`, names in HealthKit with titles; `choose(name)` gets what was chosen. `recent` are
 * names that come first.
 */
export function openLogPicker({ loggable, recent, choose }) {
  const search = html("input", {
    type: "search",
    autocomplete: "off",
    "data-autofocus": true,
    placeholder: localized("Glucose, temperature, headache …"),
  });
  const list = html("ul.list.compact-list");
  // A kind of its own comes before the type of the same name.
  const titles = new Map(loggable.filter(([name]) => !parts.has(name)).reverse());
  const all = [...titles].sort(([, one], [, other]) => one.localeCompare(other));
  const entry = ([name, title]) => {
    const open = () => {
      dialog.close();
      choose(name);
    };
    const tone = category(name);
    const content = [typeBadge(name), titled(title, categories[tone].name)];
    return html("li", html("button.rowlike", { type: "button", "data-loggable": name, onclick: open }, content));
  };
  const show = () => {
    const text = search.value.trim().toLowerCase();
    const matches = ([name, title]) =>
      [name, title, categories[category(name)].name].some((one) => one.toLowerCase().includes(text));
    const first = text ? [] : recent.map((name) => all.find(([one]) => one === name)).filter(Boolean);
    const rest = all.filter(matches);
    const group = (title, entries) => entries.length > 0 && [html("li.group-title", title), entries.map(entry)];
    list.replaceChildren();
    const groups = Map.groupBy(rest, ([name]) => category(name));
    const ofCategories = Object.keys(categories).filter((tone) => groups.has(tone));
    list.append(...[
      group(localized("Recently logged"), first),
      ...ofCategories.map((tone) => group(categories[tone].name, groups.get(tone))),
    ].filter(Boolean).flat(2));
    if (list.children.length === 0) list.append(html("li", html("span.detail", localized("Nothing of this name."))));
  };
  search.addEventListener("input", show);
  const area = scrollArea(localized("What can be logged"), list);
  area.classList.add("tall");
  const dialog = openDialog(localized("What would you like to log?"), {
    build: () => [field(localized("Name"), search), area],
    onsubmit: () => {
      // Enter is the first of what is found.
      list.querySelector("button")?.click();
      return false;
    },
  });
  show();
}
