// States of mind: how pleasant moments and days were, with what described them and what they were about.

import { number } from "../app/format.js";
import { localized } from "../app/language.js";
import { valenceName } from "../app/types.js";
import { figures } from "../components/cards.js";
import { timeline } from "./timeline.js";

const kinds = { 1: localized("Momentary emotion"), 2: localized("Daily mood") };
const labels = [
  localized("Amazed"),
  localized("Amused"),
  localized("Angry"),
  localized("Anxious"),
  localized("Ashamed"),
  localized("Brave"),
  localized("Calm"),
  localized("Content"),
  localized("Disappointed"),
  localized("Discouraged"),
  localized("Disgusted"),
  localized("Embarrassed"),
  localized("Excited"),
  localized("Frustrated"),
  localized("Grateful"),
  localized("Guilty"),
  localized("Happy"),
  localized("Hopeless"),
  localized("Irritated"),
  localized("Jealous"),
  localized("Joyful"),
  localized("Lonely"),
  localized("Passionate"),
  localized("Peaceful"),
  localized("Proud"),
  localized("Relieved"),
  localized("Sad"),
  localized("Scared"),
  localized("Stressed"),
  localized("Surprised"),
  localized("Worried"),
  localized("Annoyed"),
  localized("Confident"),
  localized("Drained"),
  localized("Hopeful"),
  localized("Indifferent"),
  localized("Overwhelmed"),
  localized("Satisfied"),
];
const associations = [
  localized("Community"),
  localized("Current events"),
  localized("Dating"),
  localized("Education"),
  localized("Family"),
  localized("Fitness"),
  localized("Friends"),
  localized("Health"),
  localized("Hobbies"),
  localized("Identity"),
  localized("Money"),
  localized("Partner"),
  localized("Self care"),
  localized("Spirituality"),
  localized("Tasks"),
  localized("Travel"),
  localized("Work"),
  localized("Weather"),
];
const named = (names, values = []) => values.map((value) => names[value - 1] ?? `${value}`).join(", ");

export function row({ fields = {} }) {
  return { title: valenceName(fields.valence), value: named(labels, fields.labels?.slice(0, 2)) };
}

export function details({ fields = {} }) {
  return figures([
    [localized("Kind"), kinds[fields.kind] ?? localized("State of mind")],
    [localized("Pleasantness"), number(fields.valence, 2)],
    fields.labels?.length > 0 && [localized("Feelings"), named(labels, fields.labels)],
    fields.associations?.length > 0 && [localized("Associated with"), named(associations, fields.associations)],
  ], "worded");
}

/** The pleasantness of moments and of days over time. */
export function overview(identifier, _context, signal) {
  const scale = localized("−1 is very unpleasant, 1 very pleasant.");
  return timeline(localized("Pleasantness over time"), identifier, signal, {
    note: scale,
    sets: [
      { name: kinds[1], kind: "points", of: ({ kind, valence }) => kind === 2 ? null : valence },
      { name: kinds[2], kind: "line", of: ({ kind, valence }) => kind === 2 ? valence : null },
    ],
    format: (valence) => `${valenceName(valence)} (${number(valence, 2)})`,
    axis: (values) => values.map((value) => number(value, 1)),
    ends: [-1, 1],
  });
}
