"""The figures of ranges of time, in every grouping and on every screen, compared with those of hk."""

import datetime
import re
import time

from browser import check
from page_test import PageTest
from server import minutes, number

SUMS = ("StepCount", "ActiveEnergyBurned", "DistanceWalkingRunning")
AVERAGES = ("HeartRate", "RestingHeartRate", "BodyMass", "OxygenSaturation")
RANGES = ("week", "half")
LEAST_FIGURES = 60

# The first and the last day of a range that the page shows.
DAYS_OF_RANGE = """
    const [range, done] = arguments;
    Promise.all([import("/app/periods.js"), import("/app/calendar.js")]).then(([{ period }, { addDays }]) => {
      const { start, end } = period(range, 0);
      done([start, addDays(end, -1)]);
    });"""
FIGURES = """
    return [...document.querySelectorAll("main .summary .figures > div")]
      .map((one) => [one.querySelector("dt").textContent, one.querySelector("dd").textContent]);"""
GROUPINGS = """
    return [...document.querySelector("[aria-label=Divided]").options].map((one) => [one.value, one.textContent]);"""


def weeks(days):
    """The sums of weeks from Sunday, as the browser's region has them."""
    sums = {}
    for day in days:
        date = datetime.date.fromisoformat(day["startDate"][:10])
        first = date - datetime.timedelta(date.isoweekday() % 7)
        sums[first] = sums.get(first, 0) + day["sumQuantity"]
    return [{"sumQuantity": total} for total in sums.values()]


class RangeTests(PageTest):
    def test_figures_of_ranges_equal_hk(self):
        self.compared = 0
        self.browser.size(1280)
        for name in (*SUMS, *AVERAGES):
            for range in RANGES:
                self.compare_range(name, range)
        self.compare_sleep()
        self.compare_workouts()
        self.compare_rings()
        self.compare_journal()
        self.compare_data()
        check(self.compared >= LEAST_FIGURES, f"{self.compared} figures were compared.")
        print(f"  {self.compared} figures were compared with hk")

    def equals_hk(self, name, text, value, scale=1):
        """A figure of the page is a value of hk, as far as its digits say."""
        self.compared += 1
        digits = re.search(r"\.(\d+)", text)
        tolerance = 0.51 * 10 ** -(len(digits.group(1)) if digits else 0)
        check(abs(number(text) - value * scale) <= tolerance, f"{name}: the page shows “{text}”, hk {value * scale}.")

    def compare_range(self, name, range):
        browser = self.browser
        browser.screen(self.base, f"trends/type/HKQuantityTypeIdentifier{name}/{range}")
        first, last = browser.driver.execute_async_script(DAYS_OF_RANGE, range)
        type = name[0].lower() + name[1:]
        whole = self.statistics_of_hk(type, first, last)[0]
        days = self.statistics_of_hk(type, first, last, "--every", "day") if name in SUMS else []
        for grouping, title in browser.driver.execute_script(GROUPINGS):
            browser.set("[aria-label=Divided]", grouping)
            browser.wait(
                "return document.querySelector('.main-chart canvas').ariaLabel.includes(arguments[0])",
                f"{name} isn't divided {title}.", f", {title}."
            )
            where, shown = f"{name}, {range}, {title}", browser.driver.execute_script(FIGURES)
            if name in SUMS:
                parts = weeks(days) if grouping == "week" else self.statistics_of_hk(type, first, last, "--every", grouping)
                self.compare_sums(where, shown, whole, days, parts)
            else:
                self.compare_averages(where, shown, whole)
        browser.clean(f"{name}, {range}")

    def statistics_of_hk(self, type, first, last, *options):
        return self.server.hk_json("stats", type, "--from", first, "--to", last, *options)["statistics"]

    def compare_sums(self, where, shown, whole, days, parts):
        today = time.strftime("%Y-%m-%d", time.gmtime(time.time() + self.offset()))
        over = [day["sumQuantity"] for day in days if day["startDate"][:10] < today]
        expected = {"Total": whole["sumQuantity"], "Average": sum(over) / len(over)}
        expected["Most"] = max(part["sumQuantity"] for part in parts)
        for title, text in shown:
            self.equals_hk(f"{where}, {title}", text, expected[title.split()[0]])

    def compare_averages(self, where, shown, whole):
        scale = 100 if whole["unit"] == "%" else 1
        for title, text in shown:
            if title == "Average":
                self.equals_hk(f"{where}, {title}", text, whole["averageQuantity"], scale)
                continue
            low, *high = text.split("–")
            self.equals_hk(f"{where}, lowest", low, whole["minimumQuantity"], scale)
            self.equals_hk(f"{where}, highest", (high or [low])[0], whole["maximumQuantity"], scale)

    def day_before(self, back):
        return time.strftime("%Y-%m-%d", time.gmtime(time.time() + self.offset() - back * 86400))

    def compare_sleep(self):
        browser = self.browser
        browser.screen(self.base, "trends/sleep")
        averages = self.server.hk_json("sleep", "--from", self.day_before(27), "--to", self.day_before(0))["averages"]
        shown = dict(browser.driver.execute_script(FIGURES))
        for title, member in (("Asleep", "timeAsleep"), ("In bed", "timeInBed")):
            self.compared += 1
            value = averages[member] / 60
            check(abs(minutes(shown[title]) - value) <= 0.51, f"{title}: {shown[title]}, hk {value} min.")
        browser.clean("the figures of sleep")

    def compare_workouts(self):
        browser = self.browser
        browser.screen(self.base, "trends/workouts")
        # Weeks of the United States begin on Sunday.
        sunday = (time.gmtime(time.time() + self.offset()).tm_wday + 1) % 7 + 7 * 11
        range = ("--from", self.day_before(sunday), "--to", self.day_before(0))
        summary = self.server.hk_json("workouts", "--weekly", *range)["summary"]
        shown = dict(browser.driver.execute_script(FIGURES))
        self.equals_hk("workouts", shown["Workouts"], summary["count"])
        self.equals_hk("energy of workouts", shown["Energy"], summary["totalEnergyBurned"]["quantity"])
        self.compared += 1
        spent = minutes(shown["Time"])
        check(abs(spent - summary["duration"] / 60) <= 0.51, f"Workouts last {spent} min.")
        browser.clean("the figures of workouts")

    def compare_rings(self):
        browser = self.browser
        browser.screen(self.base, "trends/rings")
        months = browser.driver.execute_async_script(
            "const done = arguments[0]; import('/app/calendar.js').then((page) =>"
            " done(page.addMonths(page.startOfMonth(page.dateOf()), -5)))"
        )
        summary = self.server.hk_json("rings", "--from", months, "--to", self.day_before(0))["summary"]
        shown = browser.texts("main .rings-card .figures.roomy dd")
        self.equals_hk("days with all rings", shown[0], summary["closed"]["all"])
        self.equals_hk("days with rings", shown[0].split(" of ")[1], summary["days"])
        browser.clean("the figures of rings")

    def compare_journal(self):
        browser = self.browser
        browser.screen(self.base, "journal")
        days = self.statistics_of_hk("dietaryEnergyConsumed", self.day_before(13), self.day_before(0), "--every", "day")
        expected = {one["startDate"][:10]: one["sumQuantity"] for one in days}
        shown = browser.driver.execute_script(
            "return [...document.querySelectorAll('[data-sums]')].map((one) => [one.dataset.sums, one.textContent])"
        )
        for day, text in shown:
            if "kcal" in text.split(" · ")[0]:
                self.equals_hk(f"energy of {day}", text, expected[day])
        browser.clean("the sums of the journal")

    def compare_data(self):
        browser = self.browser
        browser.screen(self.base, "data")
        counts = {one["type"]: one["count"] for one in self.server.hk_json("types")["types"]}
        rows = browser.driver.execute_script(
            "return [...document.querySelectorAll('main .list a[href^=\"#/trends/\"]')]"
            ".map((one) => [one.hash.split('/').pop(), one.querySelector('.value').textContent])"
        )
        for type, text in rows:
            if type in counts:
                self.equals_hk(f"samples of {type}", text, counts[type])
        browser.clean("the counts of data")
