// The training load of weeks: how long and how hard the heart worked, by a published method.

import * as api from "../app/api.js";
import { addDays, dateOf, noon } from "../app/calendar.js";
import { html } from "../app/dom.js";
import { axisTexts, date, dateRange, number } from "../app/format.js";
import { localized } from "../app/language.js";
import { attempt, card, figures, nothingYet, skeleton } from "./cards.js";
import { color, LargeChart } from "./charts.js";
import { valueTable } from "./value-table.js";

/** A card about the weeks of a range. Answers its element and `load({ start, end })`. */
export function trainingLoad(signal) {
  const chart = new LargeChart({ height: "mid" });
  signal.addEventListener("abort", () => chart.destroy());
  const box = card(localized("Training load"), { tone: "heart", symbol: "heart" }, skeleton("title", "block"));
  const load = (range) =>
    attempt([box], signal, async () => {
      const answer = await api.read("workouts/weeks", { load: true, ...range });
      if (!signal.aborted) show(box, chart, answer);
    });
  return { element: box.element, load };
}

function show(box, chart, { weeks, averageLoad, workoutsWithoutLoad }) {
  if (!weeks.some(({ trainingLoad: load }) => load > 0)) {
    const link = html("a.button.small", { href: "#/profile" }, localized("Open profile"));
    const text = localized("It needs workouts with a heart rate, and a date of birth.");
    box.show(nothingYet(localized("No training load"), text, link));
    return;
  }
  const starts = weeks.map((week) => dateOf(new Date(week.startDate)));
  const open = Date.parse(weeks.at(-1).endDate) > Date.now() ? weeks.length - 1 : -1;
  const name = (index) => {
    const week = dateRange(noon(starts[index]), noon(addDays(starts[index], 6)), "short");
    return index === open ? localized("{period} so far", { period: week }) : week;
  };
  const loads = weeks.map(({ trainingLoad: load }) => load ?? null);
  const title = localized("Training load by week");
  box.show(
    figures([
      [open < 0 ? name(weeks.length - 1) : localized("This week"), number(loads.at(-1) ?? 0)],
      averageLoad !== undefined && [localized("Average of whole weeks"), number(averageLoad)],
      workoutsWithoutLoad > 0 && [localized("Workouts without heart rate"), number(workoutsWithoutLoad)],
    ], "worded"),
    chart.element,
    html(
      "p.muted.small",
      localized(
        "Minutes at 50, 60, 70, 80 and 90% of the estimated maximum heart rate and above, times 1 to 5 (Edwards 1993).",
      ),
    ),
    valueTable(title, [localized("Week"), localized("Training load")], () =>
      loads.map((load, index) => [name(index), load === null ? "–" : number(load)]).reverse()),
  );
  chart.show({
    labels: starts.map((day) => date(noon(day), "short")),
    sets: [{ kind: "bars", name: localized("Training load"), color: () => color("heart"), values: loads }],
    format: (load) => number(load),
    axis: (values) => axisTexts(values, "count"),
    open,
    title: name,
    label: title,
  });
}
