// Trends: what there is, and the way to each type, sleep, workouts and the rings.

import { choose } from "../app/address.js";
import * as api from "../app/api.js";
import { announce, html, icon, put } from "../app/dom.js";
import { number } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import { categories, category, favorites, isComparable, isReported, shortName } from "../app/types.js";
import { typeAddress, typeName } from "../app/types.js";
import { attempt, card, head, liveMark, nothingYet, skeleton } from "../components/cards.js";
import { field } from "../components/controls.js";
import { toast } from "../components/dialogs.js";
import { sectionLinks } from "../components/trend-sections.js";
import { categoryCards, latest, latestEnd, latestTime, weeks } from "../components/type-list.js";

const screens = {
  type: ([identifier]) => screenOfType(identifier),
  samples: () => import("./samples.js"),
  sleep: () => import("./sleep.js"),
  workouts: () => import("./workouts.js"),
  workout: () => import("./workout.js"),
  rings: () => import("./rings.js"),
  symptoms: () => import("./symptoms.js"),
  compare: () => import("./compare.js"),
  report: () => import("./report.js"),
};

/** Those of one type or workout, which the address has to name. */
const screensOfOne = new Set(["type", "samples", "workout"]);

/** Types with their own screen; the others are drawn over time, or are records that are read one by one. */
const typeScreens = {
  bloodPressure: () => import("./blood-pressure.js"),
  menstrualFlow: () => import("./cycles.js"),
};
const kindsOverTime = /^HK(Quantity|Category)Type|^HKDataType(Identifier)?SleepDurationGoal$/;

function screenOfType(identifier = "") {
  const own = typeScreens[shortName(identifier)];
  if (own) return own();
  return kindsOverTime.test(identifier) || !identifier.startsWith("HK")
    ? import("./type.js")
    : import("./records.js");
}

const favoriteCount = 9;

/** Loads the screen that a path leads to; nothing for the overview. */
export function prepare([part, ...path]) {
  const isPart = Object.hasOwn(screens, part) && (!screensOfOne.has(part) || path[0]);
  return isPart ? screens[part](path) : undefined;
}

export async function render(context) {
  const screen = await prepare(context.path);
  if (!screen) return overview(context);
  return screen.render({ ...context, path: context.path.slice(1) });
}

async function overview({ main, chosen, signal }) {
  const placeholders = Array.from({ length: 6 }, () => html("div.card", skeleton("line", "title", "line")));
  const cards = html("div.grid.three.favorites", placeholders);
  const all = html("div.stack");
  put(
    main,
    head(localized("Trends"), { eyebrow: localized("Your data over time"), actions: [liveMark()] }),
    html("div.stack", sectionLinks(""), cards, all),
  );
  const showTypes = listing(all, load, chosen.search);
  const place = { show: (...parts) => put(cards, html("div.card.wide", ...parts)) };
  function load() {
    return attempt([place], signal, async () => {
      const { types } = await api.read("types", { recent: true });
      if (signal.aborted) return;
      if (types.length === 0) {
        const text = localized("Import an export of Apple Health, or log something in the journal.");
        const link = html("a.button.primary", { href: "#/data" }, localized("Import"));
        place.show(nothingYet(localized("Nothing to show yet"), text, link));
        put(all);
        return;
      }
      showFavorites(cards, types);
      showTypes(types);
    });
  }
  live.listen(load, signal);
  await load();
}

/** Pinned types, in the person's order; without any, those that people look at most. */
function showFavorites(place, types) {
  const pinned = pinnedOf(types);
  const byName = new Map(types.map((type) => [shortName(type.type), type]));
  const proposed = favorites.map((name) => byName.get(name)).filter((type) => type?.recent).slice(0, favoriteCount);
  put(place, (pinned.length > 0 ? pinned : proposed).map(favorite));
}

const pinnedOf = (types) => types.filter(({ pin }) => pin).sort((a, b) => a.pin - b.pin);

/** The latest value of a type, and its last four weeks as a line. */
function favorite(type) {
  const name = typeName(type.type);
  const tone = category(type.type);
  const label = localized("{name}, open", { name });
  const link = html("a", { href: typeAddress(type.type), "aria-label": label }, icon("right"));
  const content = type.recent
    ? [
      html("p.figure", ...latest(type)),
      html("p.muted.small", latestTime(type)),
      weeks(type, 56),
    ]
    : html("p.muted.small", localized("{count} samples, the latest {when}.", {
      count: number(type.count),
      when: latestEnd(type),
    }));
  const { element } = card(name, { tone, symbol: categories[tone].icon, className: "link", aside: link }, content);
  // The list has a card of the name of a category, such as Sleep.
  element.removeAttribute("aria-labelledby");
  element.setAttribute("aria-label", localized("{name}, the latest", { name }));
  return element;
}

/** What is about several types, as far as there are such. */
function tools(types) {
  const link = (path, symbol, text) => html("a.button", { href: `#/trends/${path}` }, icon(symbol), text);
  return [
    types.filter(isComparable).length > 1 && link("compare", "trends", localized("Two types on one chart")),
    types.some(isReported) && link("report", "print", localized("Report to print")),
  ];
}

// The list of all types

/** The search for a text and the list; answers a function that shows types in it. */
function listing(place, reload, text) {
  const search = html("input", {
    type: "search",
    placeholder: localized("Heart, weight, steps …"),
    autocomplete: "off",
    value: text,
  });
  const list = html("div.stack");
  const about = html("div.row");
  let listed = [];
  const show = () => put(list, categoryCards(listed, search.value.trim().toLowerCase(), { pin }));
  const pin = async (type) => {
    const pinned = pinnedOf(listed).map((one) => one.type);
    const types = type.pin ? pinned.filter((one) => one !== type.type) : [...pinned, type.type];
    try {
      await api.put("pinned-types", { types });
    } catch (error) {
      toast(api.reason(error));
      return;
    }
    await reload();
    const name = typeName(type.type);
    announce(type.pin ? localized("{name} is no longer pinned.", { name }) : localized("{name} is pinned.", { name }));
  };
  search.addEventListener("input", () => {
    choose({ search: search.value.trim() }, { replaces: true });
    show();
  });
  return (types) => {
    listed = types;
    if (place.children.length === 0) {
      put(
        place,
        about,
        html(
          "div.row.apart",
          html("h2", localized("All types")),
          html("div.search", field(localized("Find a type"), search)),
        ),
        list,
      );
    }
    put(about, tools(types));
    show();
  };
}
