// The form of periods: a calendar on which the days with flow are marked.

import * as api from "../app/api.js";
import { addDays, addMonths, dateOf, instant, noon, startOfMonth } from "../app/calendar.js";
import { html, put } from "../app/dom.js";
import { date } from "../app/format.js";
import { localized } from "../app/language.js";
import { iconButton } from "./cards.js";
import { segmented } from "./controls.js";
import { openDialog } from "./dialogs.js";
import { flowLevel, flowNames, flows, monthOf } from "./flow-calendar.js";
import { submitLabel } from "./log-forms.js";

const type = "menstrualFlow";
/** With no flow for so many days, the next day begins a cycle. */
const daysBetweenCycles = 2;

/** Opens the calendar. `save(before, samples, text)` replaces entries; `isOwn` says which of them may be changed. */
export async function logPeriod(save, isOwn, entry) {
  const today = dateOf();
  const changes = new Map();
  let known = new Map();
  let month = startOfMonth(entry ? dateOf(new Date(entry.startDate)) : today);
  let level = flows.includes(entry?.valueName) ? entry.valueName : "medium";
  const place = html("div.months.cycles.picked");
  const read = async () => {
    const within = { start: instant(addDays(month, -40)), end: instant(addMonths(month, 2)) };
    const { samples } = await api.read("samples", { type, limit: 1000, ...within });
    const days = samples.filter(({ valueName }) => valueName !== "none");
    for (const sample of days) {
      const day = dateOf(new Date(sample.startDate));
      if (!known.has(day) || isOwn(sample)) known.set(day, sample);
    }
  };
  const flowOf = (day) => changes.has(day) ? changes.get(day) : known.get(day)?.valueName;
  const toggle = (day) => {
    changes.set(day, flowOf(day) === level ? undefined : level);
    show();
  };
  const cell = (day) => {
    const flow = flowOf(day);
    const number = flow ? flowLevel(flow) : 0;
    const label = [date(noon(day), "day"), number > 0 && flowNames[number - 1]].filter(Boolean).join(", ");
    const isFixed = day > today || (known.has(day) && !isOwn(known.get(day)));
    const properties = {
      type: "button",
      class: number > 0 ? `flow-${number}` : "",
      "aria-label": label,
      "aria-pressed": String(number > 0),
      "data-day": day,
      disabled: isFixed,
      onclick: () => toggle(day),
    };
    return html("li", html("button.flow", properties, String(Number(day.slice(8)))));
  };
  const show = () => put(place, monthOf(month, cell));
  const page = async (step) => {
    month = addMonths(month, step);
    later.disabled = month >= startOfMonth(today);
    await read();
    show();
  };
  const earlier = iconButton("left", localized("Earlier"), () => page(-1));
  const later = iconButton("right", localized("Later"), () => page(1), { disabled: month >= startOfMonth(today) });
  const choices = flows.map((name, index) => [name, flowNames[index]]);
  const chooseLevel = (name) => {
    level = name;
  };
  await read();
  openDialog(localized("Menstrual period"), {
    submit: submitLabel(entry, localized("Log")),
    build: () => [
      html("p.muted.small", localized("Mark the days with flow. Press a day again to take its mark away.")),
      segmented(localized("Flow"), choices, level, chooseLevel),
      html("div.row.apart", earlier, later),
      place,
    ],
    onsubmit: async () => {
      const { before, samples } = changed(known, changes, flowOf, isOwn);
      if (before.length + samples.length > 0) {
        await save(before, samples, localized("{what} logged.", { what: localized("Menstrual period") }));
      }
      return true;
    },
  });
  show();
}

/** What is deleted and what is saved, also of the days after a changed one: which day begins a cycle depends on it. */
function changed(known, changes, flowOf, isOwn) {
  const back = Array.from({ length: daysBetweenCycles }, (_, index) => -1 - index);
  const days = [...changes.keys()].flatMap((day) => [day, ...back.map((step) => addDays(day, -step))]);
  const [before, samples] = [[], []];
  for (const day of new Set(days)) {
    const [entry, flow] = [known.get(day), flowOf(day)];
    if (entry && !isOwn(entry)) continue;
    const isStart = !back.some((step) => flowOf(addDays(day, step)));
    const isSame = entry ? entry.valueName === flow && entry.metadata?.HKMenstrualCycleStart === isStart : !flow;
    if (isSame) continue;
    if (entry) before.push(entry);
    if (flow) samples.push(sampleOf(day, flow, isStart));
  }
  return { before, samples };
}

function sampleOf(day, value, isStart) {
  const moment = new Date(Math.min(noon(day), Date.now())).toISOString();
  return { type, value, startDate: moment, endDate: moment, metadata: { HKMenstrualCycleStart: isStart } };
}
