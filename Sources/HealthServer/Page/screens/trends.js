// Trends: what there is, and the way to each type, sleep, workouts and the rings.

import * as api from "../app/api.js";
import { html, icon, put } from "../app/dom.js";
import { ago, amount, date, number, unitName } from "../app/format.js";
import { locale, localized } from "../app/language.js";
import { live } from "../app/live.js";
import { categories, category, favorites, isCumulative, shortName, typeName } from "../app/types.js";
import { attempt, card, empty, head, liveMark, skeleton, titled } from "../components/cards.js";
import { field } from "../components/controls.js";
import { sparkline } from "../components/plots.js";

const sections = [
  ["", localized("Types")],
  ["sleep", localized("Sleep")],
  ["workouts", localized("Workouts")],
  ["rings", localized("Rings")],
];
const screens = {
  type: () => import("./type.js"),
  sleep: () => import("./sleep.js"),
  workouts: () => import("./workouts.js"),
  workout: () => import("./workout.js"),
  rings: () => import("./rings.js"),
};
const favoriteCount = 9;
const shownDays = 28;

/** The links between the parts of Trends. */
export function sectionLinks(current) {
  const links = sections.map(([path, name]) =>
    html("a", { href: `#/trends${path && `/${path}`}`, "aria-current": path === current ? "page" : null }, name)
  );
  return html("nav.segmented", { "aria-label": localized("Trends") }, links);
}

export async function render(context) {
  const [part, ...path] = context.path;
  if (!(part in screens)) return overview(context);
  return (await screens[part]()).render({ ...context, path });
}

async function overview({ main, signal }) {
  const placeholders = Array.from({ length: 6 }, () => html("div.card", skeleton("line", "title", "line")));
  const cards = html("div.grid.three.favorites", placeholders);
  const all = html("div.stack");
  put(
    main,
    head(localized("Trends"), { eyebrow: localized("Your data over time"), actions: [liveMark()] }),
    html("div.stack", sectionLinks(""), cards, all),
  );
  const place = { show: (...parts) => put(cards, html("div.card.wide", ...parts)) };
  const load = () =>
    attempt([place], signal, async () => {
      const { types } = await api.read("types");
      if (signal.aborted) return;
      if (types.length === 0) {
        const link = html("a.button.primary", { href: "#/data" }, localized("Import"));
        place.show(
          empty(
            localized("Nothing to show yet"),
            localized("Import an export of Apple Health, or log something in the journal."),
            link,
          ),
        );
        put(all);
        return;
      }
      if (all.children.length === 0 || !all.contains(document.activeElement)) put(all, listing(types));
      await showFavorites(cards, types, signal);
    });
  live.listen(load, signal);
  await load();
}

async function showFavorites(place, types, signal) {
  const byName = new Map(types.map((type) => [shortName(type.type), type]));
  const chosen = favorites.filter((name) => byName.has(name)).slice(0, favoriteCount);
  if (chosen.length === 0) {
    put(place);
    return;
  }
  const { trends } = await api.read("trends", { type: chosen.join(",") });
  if (signal.aborted) return;
  put(place, trends.map((trend) => favorite(byName.get(shortName(trend.type)), trend)));
}

/** The last four weeks of a type as a line, with the average of the last seven days. */
function favorite(type, { unit, trend }) {
  const name = typeName(type.type);
  const tone = category(type.type);
  const link = html("a", { href: address(type), "aria-label": localized("{name}, open", { name }) }, icon("right"));
  const values = (trend?.values ?? []).slice(-shownDays).map(({ value }) => value);
  const isKnown = values.some((value) => value !== undefined);
  const content = isKnown
    ? [
      html("p.figure", amount(trend.recent.average, unit), html("small", unitName(unit, type.type))),
      html(
        "p.muted.small",
        isCumulative(type) ? localized("a day, last 7 whole days") : localized("average, last 7 whole days"),
      ),
      sparkline(localized("{name} in the four weeks before today", { name }), values),
    ]
    : html(
      "p.muted.small",
      localized("No data in four weeks. The latest is from {date}.", { date: date(type.endDate) }),
    );
  return card(name, { tone, symbol: categories[tone].icon, className: "link", aside: link }, content).element;
}

// The list of all types

function listing(types) {
  const placeholder = localized("Heart, weight, steps …");
  const search = html("input", { type: "search", placeholder, autocomplete: "off" });
  const list = html("div.stack");
  const kinds = ["quantity", "category", "correlation", "workout"];
  const listed = types.filter((type) => kinds.includes(type.kind) && shortName(type.type) !== "food");
  const show = () => put(list, categoryCards(listed, search.value.trim().toLowerCase()));
  search.addEventListener("input", show);
  show();
  return [
    html(
      "div.row.apart",
      html("h2", localized("All types")),
      html("div.search", field(localized("Find a type"), search)),
    ),
    list,
  ];
}

function categoryCards(types, text) {
  const matches = (type) =>
    [typeName(type.type), categories[category(type.type)].name].some((name) => name.toLowerCase().includes(text));
  const groups = Map.groupBy(types.filter(matches), (type) => category(type.type));
  if (groups.size === 0) return html("p.muted", localized("No type of this name has data."));
  const shown = Object.keys(categories).filter((name) => groups.has(name));
  return html("div.masonry", shown.map((name) => categoryCard(name, groups.get(name))));
}

function categoryCard(tone, types) {
  const { name, icon: symbol } = categories[tone];
  const sorted = [...types].sort((a, b) => typeName(a.type).localeCompare(typeName(b.type), locale));
  return card(name, { tone, symbol, level: "h3" }, html("ul.list", sorted.map(typeRow))).element;
}

function typeRow(type) {
  const detail = `${number(type.count)} · ${ago(type.endDate)}`;
  return html("li", html("a", { href: address(type) }, titled(typeName(type.type), detail), icon("right", "muted")));
}

function address(type) {
  switch (shortName(type.type)) {
    case "workout":
      return "#/trends/workouts";
    case "sleepAnalysis":
      return "#/trends/sleep";
    default:
      return `#/trends/type/${type.type}`;
  }
}
