// Trends: what there is, and the way to each type, sleep, workouts and the rings.

import * as api from "../app/api.js";
import { addDays, dateOf, instant } from "../app/calendar.js";
import { h, icon, put } from "../app/dom.js";
import { amount, ago, date, number, unitName } from "../app/format.js";
import { categories, category, favorites, isCumulative, shortName, typeName } from "../app/types.js";
import { card, empty, failure, head, liveMark, skeleton } from "../components/cards.js";
import { field } from "../components/controls.js";
import { sparkline } from "../components/plots.js";

const sections = [["", "Types"], ["sleep", "Sleep"], ["workouts", "Workouts"], ["rings", "Rings"]];
const screens = {
  type: () => import("./type.js"), sleep: () => import("./sleep.js"), workouts: () => import("./workouts.js"),
  workout: () => import("./workout.js"), rings: () => import("./rings.js"),
};

/** The links between the parts of Trends. */
export function sectionLinks(current) {
  return h("nav.segmented", { "aria-label": "Trends" }, sections.map(([path, name]) =>
    h("a", { href: `#/trends${path ? `/${path}` : ""}`, "aria-current": path === current ? "page" : null }, name)));
}

export async function render(context) {
  const [part, ...rest] = context.path;
  if (part in screens) return (await screens[part]()).render({ ...context, path: rest });
  return overview(context);
}

async function overview({ main, signal }) {
  const cards = h("div.grid.three.favorites", null, Array.from({ length: 6 }, () => h("div.card", null, skeleton("line", "title", "line"))));
  const all = h("div.stack");
  put(main, head("Trends", { eyebrow: "Your data over time", actions: [liveMark()] }), h("div.stack", null, sectionLinks(""), cards, all));
  const load = async () => {
    let types;
    try {
      ({ types } = await api.read("types"));
    } catch (error) {
      if (!signal.aborted) put(cards, h("div.card.wide", null, failure(error, load)));
      return;
    }
    if (signal.aborted) return;
    if (types.length === 0) {
      put(cards, h("div.card.wide", null, empty("Nothing to show yet", "Import an export of Apple Health, or log something in the journal.", h("a.button.primary", { href: "#/data" }, "Import"))));
      put(all);
      return;
    }
    const chosen = favorites.map((name) => types.find((type) => shortName(type.type) === name)).filter(Boolean).slice(0, 9);
    put(cards, chosen.map((type) => favorite(type, signal)));
    put(all, listing(types));
  };
  api.live.listen(load, signal);
  await load();
}

/** The last four weeks of a type as a line, with the average of the last seven days. */
function favorite(type, signal) {
  const tone = category(type.type);
  const box = card(typeName(type.type), { tone, symbol: categories[tone].icon, className: "link", aside: h("a", { href: `#/trends/type/${type.type}`, "aria-label": `${typeName(type.type)}, open` }, icon("right")) },
    skeleton("title", "line"));
  const load = async () => {
    const today = dateOf();
    const answer = await api.read("statistics/collection", {
      type: type.type, interval: "day", start: instant(addDays(today, -27)), end: instant(addDays(today, 1)), options: isCumulative(type) ? "sum" : "average", fill: true,
    });
    if (signal.aborted) return;
    const values = answer.statistics.map((statistic) => statistic.sumQuantity ?? statistic.averageQuantity ?? NaN);
    const known = values.slice(-7).filter(Number.isFinite);
    if (!values.some(Number.isFinite)) {
      box.show(h("p.muted.small", null, `No data in four weeks. The latest is of ${date(type.endDate)}.`));
      return;
    }
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
    box.show(
      h("p.figure", null, known.length ? amount(mean, answer.unit) : "–", h("small", null, unitName(answer.unit, type.type))),
      h("p.muted.small", null, isCumulative(type) ? "a day, 7-day average" : "7-day average"),
      sparkline(`${typeName(type.type)} in the last four weeks`, values));
  };
  load().catch((error) => { if (!signal.aborted && error.name !== "AbortError") box.show(failure(error)); });
  return box.element;
}

function listing(types) {
  const search = h("input", { type: "search", placeholder: "Heart, weight, steps …", autocomplete: "off" });
  const list = h("div.stack");
  const shown = types.filter((type) => ["quantity", "category", "correlation", "workout"].includes(type.kind) && shortName(type.type) !== "food");
  const show = () => {
    const text = search.value.trim().toLowerCase();
    const matching = shown.filter((type) => !text || typeName(type.type).toLowerCase().includes(text) || categories[category(type.type)].name.toLowerCase().includes(text));
    const grid = Object.keys(categories).map((name) => [name, matching.filter((type) => category(type.type) === name)]).filter(([, group]) => group.length);
    put(list, grid.length ? h("div.masonry", null, grid.map(([name, group]) => {
      const box = card(categories[name].name, { tone: name, symbol: categories[name].icon, level: "h3" }, h("ul.list", null, group
        .sort((a, b) => typeName(a.type).localeCompare(typeName(b.type))).map((type) => h("li", null, h("a", { href: link(type) },
          h("span.text", null, h("span.title", null, typeName(type.type)), h("br"), h("span.detail", null, `${number(type.count)} · ${ago(type.endDate)}`)), icon("right", "muted"))))));
      return box.element;
    })) : h("p.muted", null, "No type of this name has data."));
  };
  search.addEventListener("input", show);
  show();
  return [h("div.row.apart", null, h("h2", null, "All types"), h("div.search", null, field("Find a type", search))), list];
}

function link(type) {
  const name = shortName(type.type);
  if (name === "workout") return "#/trends/workouts";
  if (name === "sleepAnalysis") return "#/trends/sleep";
  return `#/trends/type/${type.type}`;
}
