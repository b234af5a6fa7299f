// Journal: log something, see what was logged, and take it back.

import { choose } from "../app/address.js";
import * as api from "../app/api.js";
import { addDays, dateOf, instant } from "../app/calendar.js";
import { html, icon, put } from "../app/dom.js";
import { date, duration, quantity } from "../app/format.js";
import { localized, plural } from "../app/language.js";
import { live } from "../app/live.js";
import { shortName } from "../app/types.js";
import { attempt, empty, head, iconButton, liveMark, skeleton, titled } from "../components/cards.js";
import { askToDelete, badge, dayName, describe, edit, formOf, formOfName, isOwn } from "../components/entries.js";
import { kinds, log, loggable, ownBundles, prepareDescriptions, repeat } from "../components/entries.js";
import { toast } from "../components/dialogs.js";
import { openLogPicker } from "../components/log-picker.js";

const listedDays = 14;
const listedSamples = 60;
/** The days or entries that an address can ask for. */
const mostListed = 10000;
const mostRepeats = 5;
/** What isn't logged again at another time. */
const onceOnly = new Set(["menstrualFlow", "sleepAnalysis"]);
/** The types of the kinds, which are listed from all sources. Others are, as far as the person has logged them. */
const typesOfKinds = new Set(kinds.flatMap(([, , , , types]) => types));
const otherTypes = new Set(loggable.map(([name]) => name).filter((name) => !typesOfKinds.has(name)));

export async function render({ main, path: [opened], chosen, signal }) {
  const list = html(
    "div.stack",
    { "aria-busy": "true" },
    html("div.card", skeleton("line", "line", "line", "line")),
  );
  const tiles = kinds.map(([key, name, symbol, tone, , open]) =>
    html(
      "button.tile",
      { type: "button", class: tone, "data-log": key, onclick: () => open(log) },
      icon(symbol),
      name,
    )
  );
  let recent = [];
  const find = () => openLogPicker({ loggable, recent, choose: (name) => formOfName(name)(log) });
  const finder = { type: "button", class: "other", "data-log": "more", onclick: find };
  tiles.push(html("button.tile", finder, icon("plus"), localized("More …")));
  const again = html("div.choices");
  const all = [["all", localized("Everything")], ...kinds, ["other", localized("Other")]];
  const choice = {
    kind: all.some(([key]) => key === chosen.kind) ? chosen.kind : "all",
    days: numberOf(chosen.days, listedDays),
    limit: numberOf(chosen.entries, listedSamples),
  };
  /** Lists others, and has the address say which. */
  const listOthers = (others, options) => {
    Object.assign(choice, others);
    const { kind, days, limit } = choice;
    const address = {
      kind: kind !== "all" && kind,
      days: days !== listedDays && days,
      entries: limit !== listedSamples && limit,
    };
    choose(address, { path: ["journal"], ...options });
    return load();
  };
  const chips = html("div.choices", { role: "group", "aria-label": localized("Entries to show") });
  const showChips = () => {
    put(
      chips,
      all.map(([key, name]) =>
        html("button.chip", {
          type: "button",
          "data-kind": key,
          "aria-pressed": String(key === choice.kind),
          onclick: () => {
            listOthers({ kind: key, days: listedDays, limit: listedSamples });
            showChips();
          },
        }, name)
      ),
    );
  };
  showChips();
  put(
    main,
    head(localized("Journal"), { eyebrow: localized("What would you like to log?"), actions: [liveMark()] }),
    html(
      "div.stack",
      html("div.tiles", tiles),
      again,
      chips,
      html("section.stack", { "aria-label": localized("Entries") }, list),
    ),
  );
  const place = { show: (...parts) => put(list, html("div.card", ...parts)) };
  const load = () =>
    attempt([place], signal, async () => {
      const { kind, days, limit } = choice;
      const start = instant(addDays(dateOf(), 1 - days));
      const [{ samples, isCut }, sums] = await Promise.all([readEntries(kind, start, limit), daySums(kind, start)]);
      await prepareDescriptions(samples);
      if (signal.aborted || kind !== choice.kind || days !== choice.days || limit !== choice.limit) return;
      const own = samples.filter(isOwn);
      recent = [...new Set(own.map(({ type }) => shortName(type)))].slice(0, mostRepeats);
      showRepeats(again, own);
      list.removeAttribute("aria-busy");
      const earlier = () => {
        const longer = isCut ? { limit: limit + 2 * listedSamples } : { days: days + 4 * listedDays };
        listOthers(longer, { replaces: true });
      };
      const button = html("button.button", { type: "button", onclick: earlier }, localized("Show earlier days"));
      const more = html("div", button);
      if (samples.length > 0) put(list, daySections(samples, sums, isCut), more);
      else place.show(nothingLogged(days), more);
    });
  live.listen(load, signal);
  await load();
  const form = kinds.find(([key]) => key === opened)?.at(-1) ?? (opened && formOfName(opened));
  if (!signal.aborted) form?.(log);
}

/** The number of days or entries in an address, at least the usual one. */
const numberOf = (text, usual) => Math.min(Math.max(Math.floor(Number(text)) || 0, usual), mostListed);

/** The latest entries of one kind or of all: at most `limit` of the kinds and as many of other types. */
async function readEntries(kind, start, limit) {
  const isListed = ([key]) => kind === "all" || kind === "other" || kind === key;
  const named = kinds.filter(isListed).flatMap(([, , , , types]) => types);
  const read = (types, parameters = {}) =>
    api.read("samples", { type: types.join(","), start, sort: "-startDate", limit, ...parameters });
  const readRest = async () => {
    const { types } = await api.read("types");
    const rest = types.map(({ type }) => type).filter(isOther);
    return rest.length > 0 ? await read(rest, { source: ownBundles.join(",") }) : { samples: [] };
  };
  const hasRest = ["all", "other"].includes(kind);
  const answers = await Promise.all([read(named), hasRest ? readRest() : { samples: [] }]);
  // Below the last sample of a truncated list, the other list has more.
  const last = (answer) => answer.nextCursor ? answer.samples.at(-1).startDate : "";
  const cut = Math.max(...answers.map((answer) => Date.parse(last(answer)) || 0));
  const members = new Set(answers[0].samples.flatMap(({ objects = [] }) => objects.map(({ uuid }) => uuid)));
  const others = answers[1].samples.filter(({ uuid }) => !members.has(uuid));
  const samples = [...(kind === "other" ? [] : answers[0].samples), ...others]
    .filter(({ startDate }) => Date.parse(startDate) >= cut)
    .sort((one, other) => Date.parse(other.startDate) - Date.parse(one.startDate));
  return { samples, isCut: cut > 0 };
}

const isOther = (type) => otherTypes.has(shortName(type));

/** The last entries of the person, each value once, to log again. */
function showRepeats(place, own) {
  const offered = own.filter(({ type }) => !onceOnly.has(shortName(type)));
  const named = (sample) => [describe(sample).filter(Boolean).join(" · "), sample];
  const distinct = new Map(offered.map(named).reverse());
  const latest = [...distinct].reverse().slice(0, mostRepeats);
  const chip = ([text, sample]) => {
    const title = localized("Log again: {what}", { what: text });
    const act = { type: "button", "aria-label": title, title, onclick: () => again(sample) };
    return html("button.chip", act, icon("plus", "small"), text);
  };
  put(place, latest.map(chip));
}

async function again(sample) {
  try {
    await repeat(sample);
  } catch (error) {
    toast(api.reason(error));
  }
}

/**
 * The energy and the water of each day, as the server adds them up over all sources. Answers texts by day, which need
 * no sum where there is one kind only.
 */
async function daySums(kind, start) {
  const texts = new Map();
  const wanted = [["food", "dietaryEnergyConsumed"], ["water", "dietaryWater"]]
    .filter(([one]) => kind === "all" || kind === one);
  const end = instant(addDays(dateOf(), 1));
  const answers = await Promise.all(
    wanted.map(([, type]) => api.read("statistics", { type, interval: "day", start, end, options: "sum" })),
  );
  for (const [index, { statistics }] of answers.entries()) {
    for (const { startDate, sumQuantity, unit } of statistics) {
      if (!sumQuantity) continue;
      const day = dateOf(new Date(startDate));
      texts.set(day, [...(texts.get(day) ?? []), quantity(sumQuantity, unit, wanted[index][1])]);
    }
  }
  return texts;
}

function nothingLogged(days) {
  const text = localized("Choose one of the buttons above. Food counts in today’s energy balance.");
  return empty(plural(days, "Nothing logged in {count} day", "Nothing logged in {count} days", { count: days }), text);
}

/** The entries of each day. Of the last one, some may be missing if the list `isCut`. */
function daySections(samples, sums, isCut) {
  const days = [...Map.groupBy(samples, (sample) => dateOf(new Date(sample.startDate)))];
  return days.map(([day, ofDay], index) => {
    const isWhole = !isCut || index < days.length - 1;
    const workouts = ofDay.filter(({ type }) => shortName(type) === "workout");
    const trained = workouts.reduce((sum, { duration: seconds }) => sum + (seconds ?? 0), 0);
    const parts = [...(sums.get(day) ?? []), isWhole && workouts.length > 1 && duration(trained)].filter(Boolean);
    return html(
      "section.card",
      html("header", html("h2", dayName(day)), html("span.aside", { "data-sums": day }, parts.join(" · "))),
      html("ul.list", ofDay.map(row)),
    );
  });
}

function row(sample) {
  const [title, value] = describe(sample);
  const label = localized("Edit {title}, {value}", { title, value });
  const content = [titled(title, `${date(sample.startDate, "time")} · ${sample.source}`), html("span.value", value)];
  const change = { type: "button", "aria-label": label, onclick: () => edit(sample) };
  const remove = localized("Delete {title}, {value}", { title, value });
  return html(
    "li",
    { "data-uuid": sample.uuid },
    badge(sample),
    formOf(sample) ? html("button.rowlike", change, content) : content,
    isOwn(sample) && iconButton("trash", remove, () => askToDelete(sample), { class: "quiet" }),
  );
}
