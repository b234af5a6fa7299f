// Notes about days, which the server keeps, as marks of a chart.

import * as api from "../app/api.js";

/** The person's notes, which only the person may read. */
export async function readNotes() {
  return api.session.isOwner ? (await api.read("annotations")).annotations : [];
}

/** Where notes about types are among the parts of a period, whose keys begin with dates. */
export function marksOf(notes, types, keys, { start, end }) {
  const concerns = (note) => note.types.length === 0 || note.types.some((type) => types.includes(type));
  return notes.filter((note) => note.date >= start && note.date < end && concerns(note))
    .map(({ date, text }) => ({ index: keys.findLastIndex((key) => key.slice(0, 10) <= date), text }))
    .filter(({ index }) => index >= 0);
}
