// Figures of records over time, above their list.

import * as api from "../app/api.js";
import { html } from "../app/dom.js";
import { date } from "../app/format.js";
import { category, categories } from "../app/types.js";
import { card } from "../components/cards.js";
import { color, daySteps, LargeChart } from "../components/charts.js";
import { localized } from "../app/language.js";
import { valueTable } from "../components/value-table.js";

const mostRecords = 500;
const millisecondsOfDay = 86400000;

/**
 * A card with a chart of the latest records of a type; nothing if there are fewer than two. Each of `sets` has its
 * `name` and `kind`, and `of(fields)`, its value of a record; `ends` are the least and the greatest value there is.
 */
export async function timeline(title, identifier, signal, { note, sets, format, axis, ends }) {
  const { samples } = await api.read("samples", { type: identifier, sort: "-startDate", limit: mostRecords });
  if (samples.length < 2 || signal.aborted) return null;
  const ascending = samples.reverse();
  const start = Date.parse(ascending[0].startDate);
  const chart = new LargeChart({ height: "mid" });
  signal.addEventListener("abort", () => chart.destroy());
  const tone = category(identifier);
  const colors = [tone, "accent"];
  const drawn = sets.map((set, index) => ({
    ...set,
    spanGaps: true,
    color: () => color(colors[index]),
    values: ascending.map(({ fields = {} }) => set.of(fields) ?? null),
  }));
  chart.show({
    labels: [],
    times: ascending.map(({ startDate }) => (Date.parse(startDate) - start) / millisecondsOfDay),
    timeSteps: daySteps,
    timeText: (day) => date(new Date(start + day * millisecondsOfDay), "short"),
    sets: drawn,
    format,
    axis,
    ends,
    title: (index) => date(ascending[index].startDate, "moment"),
    label: `${title}. ${note}`,
  });
  const text = (value) => value === null ? "–" : format(value);
  return card(
    title,
    { tone, symbol: categories[tone].icon },
    html(
      "ul.legend",
      sets.length > 1 && sets.map(({ name }, index) =>
        html("li", { class: index === 0 ? tone : "series-1" }, html("span.dot"), name)
      ),
      html("li", note),
    ),
    chart.element,
    valueTable(title, [localized("Date"), ...sets.map(({ name }) => name)], () =>
      ascending.map(({ startDate }, index) => [
        date(startDate, "moment"),
        ...drawn.map(({ values }) => text(values[index])),
      ]).reverse()),
  ).element;
}
