// Journal: log something, see what was logged, and take it back.

import * as api from "../app/api.js";
import { addDays, dateOf, instant, noon } from "../app/calendar.js";
import { html, icon, put } from "../app/dom.js";
import { date, duration, quantity } from "../app/format.js";
import { localized, plural } from "../app/language.js";
import { live } from "../app/live.js";
import { shortName, typeBadge, typeName, valenceName, valueName, words, workoutIcon } from "../app/types.js";
import { attempt, empty, head, iconButton, liveMark, skeleton, titled } from "../components/cards.js";
import { confirmation, toast } from "../components/dialogs.js";
import { logFood } from "./log-food.js";
import { logMood, logPressure, logSymptom, logWater, logWeight, logWorkout, symptoms } from "./log-forms.js";

/** What can be logged: its key, name, icon, tone and form. */
const entries = [
  ["food", localized("Food"), "food", "nutrition", logFood],
  ["water", localized("Water"), "drop", "water", logWater],
  ["weight", localized("Weight"), "scale", "body", logWeight],
  ["pressure", localized("Blood Pressure"), "pressure", "vitals", logPressure],
  ["symptom", localized("Symptom"), "symptom", "symptoms", logSymptom],
  ["mood", localized("Mood"), "mood", "mindfulness", logMood],
  ["workout", localized("Workout"), "workout", "activity", logWorkout],
];

const symptomNames = symptoms.map(([name]) => name);
const typesOfKinds = {
  food: ["food"],
  water: ["dietaryWater"],
  weight: ["bodyMass"],
  pressure: ["bloodPressure"],
  symptom: symptomNames,
  mood: ["stateOfMind"],
  workout: ["workout"],
};
const listedDays = 14;
const listedSamples = 60;
/** What this page and hk write with, as the person's own hand. Everything else came from an app or a device. */
const ownBundles = ["org.openhealthkit.server", "org.openhealthkit.hk"];

export async function render({ main, path: [opened], signal }) {
  const list = html(
    "div.stack",
    { "aria-busy": "true" },
    html("div.card", skeleton("line", "line", "line", "line")),
  );
  const tiles = entries.map(([key, name, symbol, tone, open]) =>
    html(
      "button.tile",
      { type: "button", class: tone, "data-log": key, onclick: () => open(log) },
      icon(symbol),
      name,
    )
  );
  const choice = { kind: "all", days: listedDays, limit: listedSamples };
  const chips = html("div.choices", { role: "group", "aria-label": localized("Entries to show") });
  const showChips = () => {
    const kinds = [["all", localized("Everything")], ...entries.map(([key, name]) => [key, name])];
    put(
      chips,
      kinds.map(([key, name]) =>
        html("button.chip", {
          type: "button",
          "data-kind": key,
          "aria-pressed": String(key === choice.kind),
          onclick: () => {
            Object.assign(choice, { kind: key, days: listedDays, limit: listedSamples });
            showChips();
            load();
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
      chips,
      html("section.stack", { "aria-label": localized("Entries") }, list),
    ),
  );
  const place = { show: (...parts) => put(list, html("div.card", ...parts)) };
  const load = () =>
    attempt([place], signal, async () => {
      const { kind, days, limit } = choice;
      const start = instant(addDays(dateOf(), 1 - days));
      const types = typesOfKinds[kind] ?? Object.values(typesOfKinds).flat();
      const parameters = { type: types.join(","), start, sort: "-startDate", limit };
      const [{ samples, nextCursor }, sums] = await Promise.all([
        api.read("samples", parameters),
        daySums(kind, start),
      ]);
      if (signal.aborted || kind !== choice.kind || days !== choice.days || limit !== choice.limit) return;
      const isCut = nextCursor !== undefined;
      list.removeAttribute("aria-busy");
      const earlier = () => {
        if (isCut) choice.limit += 2 * listedSamples;
        else choice.days += 4 * listedDays;
        load();
      };
      const button = html("button.button", { type: "button", onclick: earlier }, localized("Show earlier days"));
      const more = html("div", button);
      if (samples.length > 0) put(list, daySections(samples, sums, isCut), more);
      else place.show(nothingLogged(days), more);
    });
  live.listen(load, signal);
  await load();
  const form = entries.find(([key]) => key === opened)?.at(-1);
  if (!signal.aborted) form?.(log);
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

/** Saves samples and offers to take them back. */
const log = (samples, text) => replace([], samples, text);

/** Saves samples in place of others, which HealthKit can't change, and offers to restore those. */
async function replace(before, samples, text) {
  const kept = metadataOf(before);
  const identified = api.identified(samples.map((one) => ({ ...one, metadata: { ...kept, ...one.metadata } })));
  await api.save(identified);
  if (before.length > 0) await api.remove(api.identities(before));
  live.notify(new Set());
  const undo = async () => {
    try {
      if (before.length > 0) await api.save(api.identified(before.map(copy)));
      await api.remove(api.identities(identified));
      toast(localized("Undone."));
    } catch (error) {
      toast(error.message);
    }
    live.notify(new Set());
  };
  toast(text, { action: localized("Undo"), onaction: undo });
}

/** What is kept of an entry when it changes, except what says that it is the same one. */
const metadataOf = ([entry]) =>
  Object.fromEntries(Object.entries(entry?.metadata ?? {}).filter(([name]) => !/Sync(Identifier|Version)$/.test(name)));

/** A stored sample as a new one. */
function copy({ type, startDate, endDate, quantity: amount, unit, value, objects, metadata, fields, ...rest }) {
  const { workoutActivityType, totalEnergyBurned, totalDistance } = rest;
  const all = {
    type,
    startDate,
    endDate,
    quantity: amount,
    unit,
    value,
    metadata,
    fields,
    workoutActivityType,
    totalEnergyBurned,
    totalDistance,
    objects: objects?.map(copy),
  };
  return Object.fromEntries(Object.entries(all).filter(([, member]) => member !== undefined));
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

function dayName(day) {
  const today = dateOf();
  if (day === today) return localized("Today");
  return day === addDays(today, -1) ? localized("Yesterday") : date(noon(day), "day");
}

function row(sample) {
  const [title, value] = describe(sample);
  const isOwn = ownBundles.includes(sample.bundleIdentifier);
  const form = entries.find(([key]) => typesOfKinds[key].includes(shortName(sample.type)))?.at(-1);
  const edit = () => form((samples, text) => replace([sample], samples, text), sample);
  const ask = () => {
    const values = { title, value, moment: date(sample.startDate, "moment") };
    const text = localized("{title}, {value}, of {moment} is deleted from the store.", values);
    confirmation(localized("Delete this entry?"), text, localized("Delete"), async () => {
      await api.remove(api.identities([sample]));
      toast(localized("Deleted."));
      live.notify(new Set());
    });
  };
  const label = localized("Edit {title}, {value}", { title, value });
  const content = [titled(title, `${date(sample.startDate, "time")} · ${sample.source}`), html("span.value", value)];
  return html(
    "li",
    { "data-uuid": sample.uuid },
    badge(sample),
    isOwn && form ? html("button.rowlike", { type: "button", "aria-label": label, onclick: edit }, content) : content,
    isOwn && iconButton("trash", localized("Delete {title}, {value}", { title, value }), ask, { class: "quiet" }),
  );
}

function badge({ type, workoutActivityTypeName: activity }) {
  if (activity) return html("span.badge.activity", icon(workoutIcon(activity)));
  return shortName(type) === "dietaryWater" ? html("span.badge.water", icon("drop")) : typeBadge(type);
}

/** The title and the value of a sample. */
function describe(sample) {
  const member = (suffix) => sample.objects?.find(({ type }) => type.endsWith(suffix));
  switch (shortName(sample.type)) {
    case "food": {
      const energy = member("EnergyConsumed");
      return [sample.metadata?.HKFoodType ?? localized("Food"), energy ? quantity(energy.quantity, energy.unit) : ""];
    }
    case "bloodPressure": {
      const [systolic, diastolic] = ["Systolic", "Diastolic"].map((name) => Math.round(member(name)?.quantity));
      return [localized("Blood Pressure"), `${systolic}/${diastolic} mmHg`];
    }
    case "workout": {
      const distance = sample.totalDistance;
      const extent = distance ? quantity(distance.quantity, distance.unit) : duration(sample.duration);
      return [words(sample.workoutActivityTypeName), extent];
    }
    case "stateOfMind":
      return [localized("Mood"), valenceName(sample.fields?.valence ?? 0)];
    default: {
      const isCategory = sample.value !== undefined;
      const value = isCategory ? valueName(sample.valueName) : quantity(sample.quantity, sample.unit, sample.type);
      return [typeName(sample.type), value];
    }
  }
}
