// Journal: log something, see what was logged, and take it back.

import * as api from "../app/api.js";
import { live } from "../app/live.js";
import { addDays, dateOf, instant } from "../app/calendar.js";
import { html, icon, put } from "../app/dom.js";
import { date, duration, quantity } from "../app/format.js";
import { shortName, typeBadge, typeName, valueName, words, workoutIcon } from "../app/types.js";
import { empty, failure, head, liveMark, skeleton } from "../components/cards.js";
import { confirmation, toast } from "../components/dialogs.js";
import { logFood } from "./log-food.js";
import { logMood, logPressure, logSymptom, logWater, logWeight, logWorkout, symptoms } from "./log-forms.js";

const entries = [
  ["food", "Food", "food", "nutrition", logFood],
  ["water", "Water", "drop", "water", logWater],
  ["weight", "Weight", "scale", "body", logWeight],
  ["pressure", "Blood Pressure", "pressure", "vitals", logPressure],
  ["symptom", "Symptom", "symptom", "symptoms", logSymptom],
  ["mood", "Mood", "mood", "mindfulness", logMood],
  ["workout", "Workout", "workout", "activity", logWorkout],
];

const listed = [
  "food",
  "dietaryWater",
  "bodyMass",
  "bloodPressure",
  "workout",
  "stateOfMind",
  ...symptoms.map(([name]) => name),
];

/** Saves samples and offers to take them back. */
export async function log(samples, text) {
  const identified = api.identified(samples);
  await api.save(identified);
  live.tell(new Set());
  toast(text, {
    action: "Undo",
    onaction: async () => {
      try {
        await api.remove(api.identities(identified));
        toast("Taken back.");
      } catch (error) {
        toast(error.message);
      }
      live.tell(new Set());
    },
  });
}

function describe(sample) {
  const name = shortName(sample.type);
  const part = (suffix) => sample.objects?.find((object) => object.type.endsWith(suffix));
  if (name === "food") {
    const energy = part("EnergyConsumed");
    return [sample.metadata?.HKFoodType ?? "Food", energy ? quantity(energy.quantity, energy.unit) : ""];
  }
  if (name === "bloodPressure") {
    const [high, low] = [part("Systolic"), part("Diastolic")];
    return ["Blood Pressure", `${Math.round(high?.quantity)}/${Math.round(low?.quantity)} mmHg`];
  }
  if (name === "workout") {
    const distance = sample.totalDistance;
    return [
      words(sample.workoutActivityTypeName),
      distance ? quantity(distance.quantity, distance.unit) : duration(sample.duration),
    ];
  }
  if (name === "stateOfMind") {
    const valence = sample.fields?.valence ?? sample.valence ?? 0;
    return [
      "Mood",
      valence > 0.6
        ? "Very pleasant"
        : valence > 0.2
        ? "Pleasant"
        : valence >= -0.2
        ? "Neutral"
        : valence >= -0.6
        ? "Unpleasant"
        : "Very unpleasant",
    ];
  }
  if (sample.value !== undefined) return [typeName(sample.type), valueName(sample.valueName)];
  return [typeName(sample.type), quantity(sample.quantity, sample.unit, sample.type)];
}

function row(sample) {
  const [title, value] = describe(sample);
  const badge = sample.workoutActivityTypeName
    ? html("span.badge.activity", icon(workoutIcon(sample.workoutActivityTypeName)))
    : sample.type.endsWith("DietaryWater")
    ? html("span.badge.water", icon("drop"))
    : typeBadge(sample.type);
  return html(
    "li",
    { "data-uuid": sample.uuid },
    badge,
    html(
      "span.text",
      html("span.title", title),
      html("br"),
      html("span.detail", `${date(sample.startDate, "time")} · ${sample.source}`),
    ),
    html("span.value", value),
    html("button.button.quiet.icon-only.small", {
      type: "button",
      "aria-label": `Delete ${title}, ${value}`,
      onclick: () =>
        confirmation(
          "Delete this entry?",
          `${title}, ${value}, of ${date(sample.startDate, "moment")} is deleted from the store.`,
          "Delete",
          async () => {
            await api.remove(api.identities([sample]));
            toast("Deleted.");
            live.tell(new Set());
          },
        ),
    }, icon("trash")),
  );
}

export async function render({ main, path, signal }) {
  const list = html("div.stack", { "aria-busy": "true" }, html("div.card", skeleton("line", "line", "line", "line")));
  const tiles = html(
    "div.tiles",
    entries.map(([key, name, symbol, tone, open]) =>
      html(
        "button.tile",
        {
          type: "button",
          class: tone,
          "data-log": key,
          onclick: () => open(log),
        },
        icon(symbol),
        name,
      )
    ),
  );
  put(
    main,
    head("Journal", { eyebrow: "What would you like to log?", actions: [liveMark()] }),
    html("div.stack", tiles, html("section", { "aria-label": "Logged in the last 14 days" }, list)),
  );

  const load = async () => {
    const today = dateOf();
    try {
      const answer = await api.read("samples", {
        type: listed.join(","),
        start: instant(addDays(today, -13)),
        sort: "-startDate",
        limit: 40,
      });
      if (signal.aborted) return;
      const days = Map.groupBy
        ? Map.groupBy(answer.samples, (sample) => dateOf(new Date(sample.startDate)))
        : group(answer.samples);
      list.removeAttribute("aria-busy");
      if (days.size === 0) {
        put(
          list,
          html(
            "div.card",
            empty(
              "Nothing logged in two weeks",
              "Choose one of the buttons above. Food counts in today’s energy balance, weight in your resting energy.",
            ),
          ),
        );
        return;
      }
      put(
        list,
        [...days].map(([day, samples]) =>
          html(
            "section.card",
            html(
              "header",
              html(
                "h2",
                day === today ? "Today" : day === addDays(today, -1) ? "Yesterday" : date(instant(day, "12:00"), "day"),
              ),
            ),
            html("ul.list", samples.map(row)),
          )
        ),
      );
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") put(list, html("div.card", failure(error, load)));
    }
  };
  live.listen(load, signal);
  await load();
  const wanted = entries.find(([key]) => key === path[0]);
  if (wanted && !signal.aborted) wanted[4](log);
}

function group(samples) {
  const days = new Map();
  for (const sample of samples) {
    const day = dateOf(new Date(sample.startDate));
    days.set(day, [...(days.get(day) ?? []), sample]);
  }
  return days;
}
