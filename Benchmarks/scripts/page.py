#!/usr/bin/env python3
"""Times the page of running servers in headless Chromium and prints the times as JSON, in milliseconds.

usage: page.py --today SIGN-IN --trends SIGN-IN --large SIGN-IN --blank URL [--rounds 9]

Of the large store, each round loads every screen and does what people do there: the largest contentful paint of the
slowest screen, the slowest interaction until its next paint, and all shifts of the layout added up.

The browser's cache is emptied before each load, and a sample is saved before each look at Trends, so that neither the browser
nor the server has an answer that it kept.
"""

import argparse
import json
import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests/HealthDashboardTests/Browser"))

from browser import Browser

# Notes when the screen has all its data and that is on the screen.
WATCH = """(() => {
  const look = () => {
    const page = document.documentElement;
    if (page?.dataset.screen && !document.querySelector("main .skeleton, main [aria-busy=true]")) {
      requestAnimationFrame(() => { window.completeAt = performance.now(); });
    } else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""

# Clicks, waits until a chart with this label is drawn and the frame with it was made, and answers the time.
CLICK = """
const [selector, text, done] = arguments;
const target = [...document.querySelectorAll(selector)].find((one) => one.getClientRects().length > 0);
const start = performance.now();
const look = () => {
  const label = document.querySelector(".main-chart canvas")?.getAttribute("aria-label") ?? "";
  if (label.toLowerCase().includes(text)) requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  else if (performance.now() - start > 20000) done(-1);
  else requestAnimationFrame(look);
};
target.click();
requestAnimationFrame(look);
"""

SAVE = """
const [day, done] = arguments;
const headers = { "Content-Type": "application/json", "X-CSRF-Token": localStorage.getItem("session") };
fetch("/v1/people/me/samples", { method: "POST", headers, body: JSON.stringify([
  { type: "bodyMass", startDate: day, endDate: day, quantity: 70, unit: "kg" }]) }).then((answer) => done(answer.status));
"""

# Notes the largest contentful paint, the shifts of the layout that no input causes, and how long interactions take to
# the next paint; those below 16 ms aren’t told.
VITALS = """
window.vitals = { paint: 0, shift: 0, interactions: {} };
const watch = (type, note, options = {}) =>
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...options });
watch("largest-contentful-paint", ({ startTime }) => { vitals.paint = startTime; });
watch("layout-shift", ({ hadRecentInput, value }) => { if (!hadRecentInput) vitals.shift += value; });
watch("event", ({ interactionId, duration }) => {
  if (interactionId) {
    vitals.interactions[interactionId] = Math.max(vitals.interactions[interactionId] ?? 0, duration);
  }
}, { durationThreshold: 16 });
"""

STEPS = "HKQuantityTypeIdentifierStepCount"

# Screens of the large store, each with what is pressed there, in order.
PRESSED = {
    "today": [".week li button", "dialog header button"],
    "journal": ["[data-kind=food]", "[data-kind=all]", "[data-log=water]", "dialog header button"],
    "trends": [f"[data-type={STEPS}] .pin", f"[data-type={STEPS}] .pin", "input[type=search]"],
    f"trends/type/{STEPS}/month": [
        *(f"button[data-value={range}]" for range in ("half", "year", "all", "month")),
        "main [aria-label=Earlier]", ".selects > button",
    ],
    "trends/type/HKQuantityTypeIdentifierHeartRate/month": ["button[data-value=year]", "button[data-value=all]"],
    "trends/sleep": ["button[data-value='84']", "main li:nth-child(3) [data-night]", "main [aria-label=Earlier]"],
    "trends/workouts": ["main .card > .button", "main .values summary"],
    "trends/rings": [".month button", "dialog header button"],
    "trends/report": [".choices input:not(:checked)"],
    "data": ["[data-action=new-token]", "dialog header button"],
    "profile": [],
}

FIRST_PAINT = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"


class PageTimes:
    def __init__(self, rounds):
        self.rounds = rounds
        self.b = Browser(program="chromium")
        self.b.size(390)
        # The page that is the comparison has no icon.
        self.b.expected = ["favicon.ico"]
        self.b.driver.execute_cdp_cmd("Network.enable", {})
        names = ("blank", "paint", "today", "open", "trends", "trendsAgain", "contentful", "interaction", "shift")
        self.times = {name: [] for name in names}

    def add(self, name, value):
        if not isinstance(value, (int, float)) or value < 0:
            raise SystemExit(f"page.py: {name} has no time")
        self.times[name].append(value)

    def first_paint(self, name, url):
        self.b.go("about:blank")
        self.b.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        self.b.go(url)
        self.add(name, self.b.wait(FIRST_PAINT, "Nothing is painted."))

    def today(self, sign_in, blank):
        self.b.go(sign_in)
        self.b.settle()
        base = sign_in.split("/sign-in")[0]
        self.b.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        for _ in range(self.rounds + 1):
            self.first_paint("blank", blank)
            self.first_paint("paint", f"{base}/#/today")
            self.add("today", self.b.wait("return window.completeAt", "Today isn't complete."))
        self.b.clean("Today")

    def trends(self, sign_in):
        self.b.go(sign_in)
        self.b.settle()
        base = sign_in.split("/sign-in")[0]
        for round in range(self.rounds + 1):
            self.b.go("about:blank")
            self.b.go(f"{base}/#/trends")
            self.b.settle()
            # What is fetched ahead while the browser is idle.
            time.sleep(1)
            if self.b.driver.execute_async_script(SAVE, f"2026-02-{round + 1:02d}T08:00:00Z") != 200:
                raise SystemExit("page.py: a sample can't be saved")
            time.sleep(0.5)
            self.add("open", self.click(f'a[href="#/trends/type/{STEPS}"]', "by day"))
            self.b.settle()
            self.add("trends", self.click("button[data-value=all]", "by month"))
            self.click("button[data-value=month]", "by day")
            self.add("trendsAgain", self.click("button[data-value=all]", "by month"))
        self.b.clean("Trends")

    def large(self, sign_in):
        self.b.go(sign_in)
        self.b.settle()
        base = sign_in.split("/sign-in")[0]
        self.b.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": VITALS})
        # All screens take half a minute.
        for _ in range(max(1, self.rounds // 3) + 1):
            paints, interactions, shift = [], [0], 0
            for path, pressed in PRESSED.items():
                self.b.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
                self.b.screen(base, path)
                time.sleep(0.5)
                paints.append(self.b.driver.execute_script("return vitals.paint"))
                for selector in pressed:
                    self.b.click(selector)
                    self.b.settle()
                    time.sleep(0.2)
                found = self.b.driver.execute_script("return vitals")
                interactions += found["interactions"].values()
                shift += found["shift"]
            self.add("contentful", max(paints))
            self.add("interaction", max(interactions))
            self.add("shift", shift)
        self.b.clean("a large store")

    def click(self, selector, text):
        return self.b.driver.execute_async_script(CLICK, selector, text)


def main():
    parser = argparse.ArgumentParser()
    for name in ("today", "trends", "large", "blank"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    times = PageTimes(options.rounds)
    try:
        times.today(options.today, options.blank)
        times.trends(options.trends)
        times.large(options.large)
        # The first of each only warms up.
        answer = {name: values[1:] for name, values in times.times.items()}
        length, url = times.b.largest
        print(json.dumps({**answer, "largest": length, "largestURL": url.split("/", 3)[-1]}))
    finally:
        times.b.close()


main()
