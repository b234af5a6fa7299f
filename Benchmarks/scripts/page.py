#!/usr/bin/env python3
"""Times the page of running servers in headless Chromium and prints the times as JSON, in milliseconds.

usage: page.py --today SIGN-IN --trends SIGN-IN --blank URL [--rounds 9]

The browser's cache is emptied before each load, and a sample is saved before each look at Trends, so that neither the browser
nor the server has an answer that it kept.
"""

import argparse
import json
import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Scripts" / "page-tests"))

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
  if (label.includes(text)) requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
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

FIRST_PAINT = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
STEPS = "HKQuantityTypeIdentifierStepCount"


class PageTimes:
    def __init__(self, rounds):
        self.rounds = rounds
        self.b = Browser()
        self.b.size(390)
        # The page that is the comparison has no icon.
        self.b.expected = ["favicon.ico"]
        self.b.driver.execute_cdp_cmd("Network.enable", {})
        self.times = {name: [] for name in ("blank", "paint", "today", "open", "trends", "trendsAgain")}

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

    def click(self, selector, text):
        return self.b.driver.execute_async_script(CLICK, selector, text)


def main():
    parser = argparse.ArgumentParser()
    for name in ("today", "trends", "blank"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    times = PageTimes(options.rounds)
    try:
        times.today(options.today, options.blank)
        times.trends(options.trends)
        # The first of each only warms up.
        answer = {name: values[1:] for name, values in times.times.items()}
        length, url = times.b.largest
        print(json.dumps({**answer, "largest": length, "largestURL": url.split("/", 3)[-1]}))
    finally:
        times.b.close()


main()
