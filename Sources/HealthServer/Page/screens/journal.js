// Journal: log something, see what was logged, and take it back.

import * as api from "../app/api.js";
import { addDays, dateOf, instant, noon } from "../app/calendar.js";
import { html, icon, put } from "../app/dom.js";
import { date, duration, quantity } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import { shortName, typeBadge, typeName, valueName, words, workoutIcon } from "../app/types.js";
import { attempt, empty, head, iconButton, liveMark, skeleton, titled } from "../components/cards.js";
import { confirmation, toast } from "../components/dialogs.js";
import { logFood } from "./log-food.js";
import { logMood, logPressure, logSymptom, logWater, logWeight, logWorkout, moodName, symptoms } from "./log-forms.js";

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

const listedTypes = [
  ...["food", "dietaryWater", "bodyMass", "bloodPressure", "workout", "stateOfMind"],
  ...symptoms.map(([name]) => name),
];
const listedDays = 14;
const listedSamples = 40;

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
  put(
    main,
    head(localized("Journal"), { eyebrow: localized("What would you like to log?"), actions: [liveMark()] }),
    html(
      "div.stack",
      html("div.tiles", tiles),
      html("section", { "aria-label": localized("Logged in the last 14 days") }, list),
    ),
  );
  const place = { show: (...parts) => put(list, html("div.card", ...parts)) };
  const load = () =>
    attempt([place], signal, async () => {
      const start = instant(addDays(dateOf(), 1 - listedDays));
      const parameters = { type: listedTypes.join(","), start, sort: "-startDate", limit: listedSamples };
      const { samples } = await api.read("samples", parameters);
      if (signal.aborted) return;
      list.removeAttribute("aria-busy");
      if (samples.length > 0) put(list, daySections(samples));
      else place.show(nothingLogged());
    });
  live.listen(load, signal);
  await load();
  const form = entries.find(([key]) => key === opened)?.at(-1);
  if (!signal.aborted) form?.(log);
}

/** Saves samples and offers to take them back. */
async function log(samples, text) {
  const identified = api.identified(samples);
  await api.save(identified);
  live.notify(new Set());
  const undo = async () => {
    try {
      await api.remove(api.identities(identified));
      toast(localized("Undone."));
    } catch (error) {
      toast(error.message);
    }
    live.notify(new Set());
  };
  toast(text, { action: localized("Undo"), onaction: undo });
}

function nothingLogged() {
  const text = localized("Choose one of the buttons above. Food counts in today’s energy balance.");
  return empty(localized("Nothing logged in two weeks"), text);
}

function daySections(samples) {
  const days = Map.groupBy(samples, (sample) => dateOf(new Date(sample.startDate)));
  return [...days].map(([day, ofDay]) =>
    html("section.card", html("header", html("h2", dayName(day))), html("ul.list", ofDay.map(row)))
  );
}

function dayName(day) {
  const today = dateOf();
  if (day === today) return localized("Today");
  return day === addDays(today, -1) ? localized("Yesterday") : date(noon(day), "day");
}

function row(sample) {
  const [title, value] = describe(sample);
  const ask = () => {
    const values = { title, value, moment: date(sample.startDate, "moment") };
    const text = localized("{title}, {value}, of {moment} is deleted from the store.", values);
    confirmation(localized("Delete this entry?"), text, localized("Delete"), async () => {
      await api.remove(api.identities([sample]));
      toast(localized("Deleted."));
      live.notify(new Set());
    });
  };
  return html(
    "li",
    { "data-uuid": sample.uuid },
    badge(sample),
    titled(title, `${date(sample.startDate, "time")} · ${sample.source}`),
    html("span.value", value),
    iconButton("trash", localized("Delete {title}, {value}", { title, value }), ask, { class: "quiet" }),
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
      return [localized("Mood"), moodName(sample.fields?.valence ?? 0)];
    default: {
      const isCategory = sample.value !== undefined;
      const value = isCategory ? valueName(sample.valueName) : quantity(sample.quantity, sample.unit, sample.type);
      return [typeName(sample.type), value];
    }
  }
}
