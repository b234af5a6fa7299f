// States of mind: how pleasant moments and days were, with what described them and what they were about.

import { number } from "../app/format.js";
import { localized } from "../app/language.js";
import { words } from "../app/types.js";
import { figures } from "../components/cards.js";
import { timeline } from "./timeline.js";

const kinds = { 1: "Momentary emotion", 2: "Daily mood" };
const labels = `amazed amused angry anxious ashamed brave calm content disappointed discouraged disgusted embarrassed
  excited frustrated grateful guilty happy hopeless irritated jealous joyful lonely passionate peaceful proud relieved sad
  scared stressed surprised worried annoyed confident drained hopeful indifferent overwhelmed satisfied`.split(/\s+/);
const associations = `community currentEvents dating education family fitness friends health hobbies identity money
  partner selfCare spirituality tasks travel work weather`.split(/\s+/);
const classes = [
  "Very unpleasant",
  "Unpleasant",
  "Slightly unpleasant",
  "Neutral",
  "Slightly pleasant",
  "Pleasant",
  "Very pleasant",
];

/** The class of a valence from −1 to 1: seven of equal width. */
const classOf = (valence) => classes[Math.min(6, Math.max(0, Math.floor(((valence + 1) / 2) * 7)))];
const named = (names, values = []) => values.map((value) => localized(words(names[value - 1] ?? `${value}`))).join(", ");

export function row({ fields = {} }) {
  return { title: localized(classOf(fields.valence)), value: named(labels, fields.labels?.slice(0, 2)) };
}

export function details({ fields = {} }) {
  return figures([
    [localized("Kind"), localized(kinds[fields.kind] ?? "State of mind")],
    [localized("Pleasantness"), number(fields.valence, 2)],
    fields.labels?.length > 0 && [localized("Feelings"), named(labels, fields.labels)],
    fields.associations?.length > 0 && [localized("About"), named(associations, fields.associations)],
  ], "worded");
}

/** The pleasantness of moments and of days over time. */
export function overview(identifier, _context, signal) {
  const scale = localized("−1 is very unpleasant, 1 very pleasant.");
  return timeline(localized("Pleasantness over time"), identifier, signal, {
    note: scale,
    sets: [
      { name: localized(kinds[1]), kind: "points", of: ({ kind, valence }) => kind === 2 ? null : valence },
      { name: localized(kinds[2]), kind: "line", of: ({ kind, valence }) => kind === 2 ? valence : null },
    ],
    format: (valence) => `${localized(classOf(valence))} (${number(valence, 2)})`,
    axis: (values) => values.map((value) => number(value, 1)),
  });
}
