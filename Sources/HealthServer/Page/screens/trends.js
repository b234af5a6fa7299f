// Trends: what there is, and the way to each type, sleep, workouts and the rings.

import * as api from "../app/api.js";
import { live } from "../app/live.js";
import { addDays, dateOf, instant } from "../app/calendar.js";
import { html, icon, put } from "../app/dom.js";
import { ago, amount, date, number, unitName } from "../app/format.js";
import { categories, category, favorites, isCumulative, shortName, typeName } from "../app/types.js";
import { card, empty, failure, head, liveMark, skeleton } from "../components/cards.js";
import { field } from "../components/controls.js";
import { sparkline } from "../components/plots.js";

const sections = [["", "Types"], ["sleep", "Sleep"], ["workouts", "Workouts"], ["rings", "Rings"]];
const screens = {
  type: () => import("./type.js"),
  sleep: () => import("./sleep.js"),
  workouts: () => import("./workouts.js"),
  workout: () => import("./workout.js"),
  rings: () => import("./rings.js"),
};

/** The links between the parts of Trends. */
export function sectionLinks(current) {
  return html(
    "nav.segmented",
    { "aria-label": "Trends" },
    sections.map(([path, name]) =>
      html("a", { href: `#/trends${path ? `/${path}` : ""}`, "aria-current": path === current ? "page" : null }, name)
    ),
  );
}

export async function render(context) {
  const [part, ...rest] = context.path;
  if (part in screens) return (await screens[part]()).render({ ...context, path: rest });
  return overview(context);
}

async function overview({ main, signal }) {
  const cards = html(
    "div.grid.three.favorites",
    Array.from({ length: 6 }, () => html("div.card", skeleton("line", "title", "line"))),
  );
  const all = html("div.stack");
  put(
    main,
    head("Trends", { eyebrow: "Your data over time", actions: [liveMark()] }),
    html("div.stack", sectionLinks(""), cards, all),
  );
  const load = async () => {
    let types;
    try {
      ({ types } = await api.read("types"));
    } catch (error) {
      if (!signal.aborted) put(cards, html("div.card.wide", failure(error, load)));
      return;
    }
    if (signal.aborted) return;
    if (types.length === 0) {
      put(
        cards,
        html(
          "div.card.wide",
          empty(
            "Nothing to show yet",
            "Import an export of Apple Health, or log something in the journal.",
            html("a.button.primary", { href: "#/data" }, "Import"),
          ),
        ),
      );
      put(all);
      return;
    }
    const chosen = favorites.map((name) => types.find((type) => shortName(type.type) === name)).filter(Boolean).slice(
      0,
      9,
    );
    put(cards, chosen.map((type) => favorite(type, signal)));
    put(all, listing(types));
  };
  live.listen(load, signal);
  await load();
}

/** The last four weeks of a type as a line, with the average of the last seven days. */
function favorite(type, signal) {
  const tone = category(type.type);
  const box = card(typeName(type.type), {
    tone,
    symbol: categories[tone].icon,
    className: "link",
    aside: html(
      "a",
      { href: `#/trends/type/${type.type}`, "aria-label": `${typeName(type.type)}, open` },
      icon("right"),
    ),
  }, skeleton("title", "line"));
  const load = async () => {
    const today = dateOf();
    const answer = await api.read("statistics/collection", {
      type: type.type,
      interval: "day",
      start: instant(addDays(today, -27)),
      end: instant(addDays(today, 1)),
      options: isCumulative(type) ? "sum" : "average",
      fill: true,
    });
    if (signal.aborted) return;
    const values = answer.statistics.map((statistic) => statistic.sumQuantity ?? statistic.averageQuantity ?? NaN);
    const known = values.slice(-7).filter(Number.isFinite);
    if (!values.some(Number.isFinite)) {
      box.show(html("p.muted.small", `No data in four weeks. The latest is of ${date(type.endDate)}.`));
      return;
    }
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
    box.show(
      html("p.figure", known.length ? amount(mean, answer.unit) : "–", html("small", unitName(answer.unit, type.type))),
      html("p.muted.small", isCumulative(type) ? "a day, 7-day average" : "7-day average"),
      sparkline(`${typeName(type.type)} in the last four weeks`, values),
    );
  };
  load().catch((error) => {
    if (!signal.aborted && error.name !== "AbortError") box.show(failure(error));
  });
  return box.element;
}

function listing(types) {
  const search = html("input", { type: "search", placeholder: "Heart, weight, steps …", autocomplete: "off" });
  const list = html("div.stack");
  const shown = types.filter((type) =>
    ["quantity", "category", "correlation", "workout"].includes(type.kind) && shortName(type.type) !== "food"
  );
  const show = () => {
    const text = search.value.trim().toLowerCase();
    const matching = shown.filter((type) =>
      !text || typeName(type.type).toLowerCase().includes(text) ||
      categories[category(type.type)].name.toLowerCase().includes(text)
    );
    const grid = Object.keys(categories).map((name) => [name, matching.filter((type) => category(type.type) === name)])
      .filter(([, group]) => group.length);
    put(
      list,
      grid.length
        ? html(
          "div.masonry",
          grid.map(([name, group]) => {
            const box = card(
              categories[name].name,
              { tone: name, symbol: categories[name].icon, level: "h3" },
              html(
                "ul.list",
                group
                  .sort((a, b) => typeName(a.type).localeCompare(typeName(b.type))).map((type) =>
                    html(
                      "li",
                      html(
                        "a",
                        { href: link(type) },
                        html(
                          "span.text",
                          html("span.title", typeName(type.type)),
                          html("br"),
                          html("span.detail", `${number(type.count)} · ${ago(type.endDate)}`),
                        ),
                        icon("right", "muted"),
                      ),
                    )
                  ),
              ),
            );
            return box.element;
          }),
        )
        : html("p.muted", "No type of this name has data."),
    );
  };
  search.addEventListener("input", show);
  show();
  return [html("div.row.apart", html("h2", "All types"), html("div.search", field("Find a type", search))), list];
}

function link(type) {
  const name = shortName(type.type);
  if (name === "workout") return "#/trends/workouts";
  if (name === "sleepAnalysis") return "#/trends/sleep";
  return `#/trends/type/${type.type}`;
}
