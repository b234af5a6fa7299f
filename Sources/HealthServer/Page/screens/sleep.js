// Sleep over weeks, and each night.

import { live } from "../app/live.js";
import { addDays, dateOf, instant, noon, timeOf } from "../app/calendar.js";
import { html, icon, put } from "../app/dom.js";
import { date, dateRange, duration, number, percent, shortDuration } from "../app/format.js";
import { readNights } from "../app/insights.js";
import { color, LargeChart } from "../components/charts.js";
import { card, empty, failure, figures, head, liveMark, skeleton } from "../components/cards.js";
import { segmented } from "../components/controls.js";
import { hypnogram, stages } from "../components/sleep-stages.js";
import { sectionLinks } from "./trends.js";

const spans = { 7: "1 week", 28: "4 weeks", 84: "12 weeks" };

/** A night as a picture and its figures. */
export function nightDetails(night) {
  const used = stages.filter((stage) => night.byStage[stage.key] > 0);
  return [
    night.segments.length > 0 &&
    hypnogram(
      `Stages of sleep: ${used.map((stage) => `${stage.name} ${duration(night.byStage[stage.key])}`).join(", ")}`,
      night.segments,
      (time) => date(new Date(time), "time"),
    ),
    html(
      "ul.legend",
      used.map((stage) =>
        html(
          "li",
          html("span.dot", { class: `stage-${stage.key}` }),
          stage.name,
          html("b", shortDuration(night.byStage[stage.key])),
        )
      ),
    ),
  ];
}

export async function render({ main, signal }) {
  let days = 28;
  let back = 0;
  let chosen = null;
  const chart = new LargeChart({ height: "" });
  signal.addEventListener("abort", () => chart.destroy());
  const title = html("h2", { "aria-live": "polite" }, "\u00a0");
  const summary = html("div.summary", skeleton("title"));
  const legend = html("ul.legend");
  const night = card("Night", { tone: "sleep", symbol: "moon" }, skeleton("block"));
  const list = card("Nights", { tone: "sleep", symbol: "moon" }, skeleton("line", "line", "line"));
  const later = html("button.button.icon-only.small", {
    type: "button",
    "aria-label": "Later",
    onclick: () => {
      back -= 1;
      load();
    },
  }, icon("right"));
  const earlier = html("button.button.icon-only.small", {
    type: "button",
    "aria-label": "Earlier",
    onclick: () => {
      back += 1;
      load();
    },
  }, icon("left"));
  put(
    main,
    head("Sleep", { eyebrow: html("a", { href: "#/trends" }, icon("left", "small"), "Trends"), actions: [liveMark()] }),
    html(
      "div.stack",
      sectionLinks("sleep"),
      html(
        "section.card.sleep.main-chart",
        { "aria-label": "Sleep over weeks" },
        html(
          "div.row.apart",
          segmented("Period", Object.entries(spans).map(([count, name]) => [count, name]), String(days), (value) => {
            days = Number(value);
            back = 0;
            load();
          }),
        ),
        html("div.row.apart", title, html("div.row.pager", earlier, later)),
        summary,
        chart.element,
        legend,
      ),
      html("div.grid", night.element, list.element),
    ),
  );

  const load = async () => {
    const last = addDays(dateOf(), -days * back);
    const first = addDays(last, 1 - days);
    title.textContent = dateRange(noon(first), noon(last));
    later.disabled = back === 0;
    try {
      const nights = await readNights(instant(first), instant(addDays(last, 1)));
      if (!signal.aborted) show(nights, first, last);
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") put(summary, failure(error, load));
    }
  };
  const open = (selected) => {
    chosen = selected.date;
    night.element.querySelector("h2").lastChild.textContent = `Night to ${date(noon(selected.date), "weekdayDay")}`;
    for (const button of list.element.querySelectorAll("[data-night]")) {
      button.setAttribute("aria-pressed", String(button.dataset.night === chosen));
    }
    night.show(
      ...nightDetails(selected),
      figures([
        ["Asleep", shortDuration(selected.asleep)],
        ["In bed", shortDuration(selected.inBed)],
        ["Efficiency", selected.efficiency === undefined ? "–" : percent(selected.efficiency)],
        selected.naps > 0 && ["Naps", shortDuration(selected.naps)],
      ]),
      selected.source && html("p.muted.small", `From ${selected.source}`),
    );
  };
  const show = (nights, first, last) => {
    const byDate = new Map(nights.map((one) => [one.date, one]));
    const dates = [];
    for (let day = first; day <= last; day = addDays(day, 1)) dates.push(day);
    const slept = nights.filter((one) => one.asleep > 0);
    const mean = (value) => slept.reduce((sum, one) => sum + value(one), 0) / slept.length;
    if (!slept.length) {
      put(
        summary,
        empty(
          "No sleep in this period",
          "Nights come from an Apple Watch, an iPhone’s sleep schedule or another app. Go back in time, or import them.",
        ),
      );
      night.show(empty("No night chosen", "Choose a night from the list."));
      list.show(empty("No nights", ""));
      put(legend);
    } else {
      put(
        summary,
        figures([
          ["Asleep", shortDuration(mean((one) => one.asleep)), null, "sleep"],
          ["In bed", shortDuration(mean((one) => one.inBed || one.asleep))],
          ["To bed", clockMean(slept.map((one) => one.start), 12)],
          ["Up", clockMean(slept.map((one) => one.end), 0)],
        ]),
      );
      const used = stages.filter((stage) =>
        stage.key !== "inBed" && stage.key !== "awake" && slept.some((one) => one.byStage[stage.key] > 0)
      );
      put(
        legend,
        used.map((stage) =>
          html(
            "li",
            html("span.dot", { class: `stage-${stage.key}` }),
            stage.name,
            html("b", shortDuration(mean((one) => one.byStage[stage.key] ?? 0))),
          )
        ),
      );
      chart.show({
        labels: dates.map((day) => (days === 7 ? date(noon(day), "weekday") : date(noon(day), "short"))),
        stacked: true,
        sets: used.map((stage) => ({
          kind: "bars",
          name: stage.name,
          color: () => color(stage.color.slice(6, -1)),
          values: dates.map((day) => (byDate.get(day)?.byStage[stage.key] ?? 0) / 3600 || null),
        })).reverse(),
        format: (value, isAxis) => (isAxis ? `${number(value, 1)} h` : duration(value * 3600)),
        title: (index) => date(noon(dates[index]), "day"),
        label: `Sleep from ${date(noon(first))} to ${date(noon(last))}, on average ${
          duration(mean((one) => one.asleep))
        }. The list has all nights.`,
      });
      const newest = [...slept].reverse();
      list.show(
        html(
          "div.scroll",
          { tabindex: "0", role: "region", "aria-label": "Nights" },
          html(
            "ul.list",
            newest.map((one) =>
              html(
                "li",
                html(
                  "button.rowlike",
                  {
                    type: "button",
                    "data-night": one.date,
                    onclick: () => open(one),
                  },
                  html(
                    "span.text",
                    html("span.title", date(noon(one.date), "weekdayDay")),
                    html("br"),
                    html("span.detail", `${date(new Date(one.start), "time")} – ${date(new Date(one.end), "time")}`),
                  ),
                  html("span.value", duration(one.asleep)),
                ),
              )
            ),
          ),
        ),
      );
      open(newest.find((one) => one.date === chosen) ?? newest[0]);
    }
  };
  live.listen((types) => {
    if (types.size === 0 || [...types].some((type) => type.endsWith("SleepAnalysis"))) load();
  }, signal);
  await load();
}

/** The average time of day: hours before `pivot` count as of the next day, so that midnight does not tear it apart. */
function clockMean(times, pivot) {
  const minutes = times.map((time) => {
    const [hour, minute] = timeOf(new Date(time)).split(":").map(Number);
    return ((hour - pivot + 24) % 24) * 60 + minute;
  });
  const mean = Math.round(minutes.reduce((sum, value) => sum + value, 0) / minutes.length) + pivot * 60;
  return date(
    instant(dateOf(), `${String(Math.floor(mean / 60) % 24).padStart(2, "0")}:${String(mean % 60).padStart(2, "0")}`),
    "time",
  );
}
