"""How the page writes times and axes: its own modules, asked in the browser."""

import re

from browser import check
from page_test import PageTest

# Tuesday, 16:30. Each moment, and how long ago it is.
MOMENTS = {
    ("2026-11-24", "16:29:40"): "just now",
    ("2026-11-24", "16:10"): "20 minutes ago",
    ("2026-11-24", "00:05"): "16 hours ago",
    ("2026-11-23", "23:59"): "yesterday",
    ("2026-11-23", "16:40"): "yesterday",
    ("2026-11-22", "17:26"): "2 days ago",
    ("2026-11-15", "23:00"): "9 days ago",
    ("2026-11-01", "12:00"): "3 weeks ago",
    ("2026-05-01", "12:00"): "6 months ago",
    ("2020-05-01", "12:00"): "6 years ago",
}

# The ticks of an axis with their unit, and the texts beside them.
AXES = [
    ([0.965, 0.97, 0.975, 0.98], "%", ["96.5%", "97%", "97.5%", "98%"]),
    ([0, 5000, 10000, 15000], "count", ["0", "5K", "10K", "15K"]),
    ([8000, 9000, 10000], "count", ["8K", "9K", "10K"]),
    ([9500, 10000, 10500], "count", ["9.5K", "10K", "10.5K"]),
    ([0, 4000, 8000], "count", ["0", "4,000", "8,000"]),
    ([0, 0.25, 0.5], "km", ["0", "0.25", "0.5 km"]),
    ([40, 60, 80], "count/min", ["40", "60", "80 bpm"]),
]
HOURS = [
    ([0, 0.1, 0.2, 0.3], ["0", "6", "12", "18 min"]),
    ([0, 0.5, 1, 1.5], ["0 h", "0.5 h", "1 h", "1.5 h"]),
    ([0, 5, 10], ["0 h", "5 h", "10 h"]),
]

# Values, and how they are written.
VALUES = [
    (24.6, "count", "HKQuantityTypeIdentifierBodyMassIndex", "24.6"),
    (1234.5, "count", "HKQuantityTypeIdentifierStepCount", "1,235"),
    (0.0005, "%", "HKQuantityTypeIdentifierBloodAlcoholContent", "0.05 %"),
    (1.06, "m", "HKQuantityTypeIdentifierRunningStrideLength", "1.06 m"),
    (7, "appleEffortScore", "HKQuantityTypeIdentifierWorkoutEffortScore", "7"),
    (3.2, "mcS", "HKQuantityTypeIdentifierElectrodermalActivity", "3.2 µS"),
    (72.44, "kg", "HKQuantityTypeIdentifierBodyMass", "72.4 kg"),
]

# The parts of a chart, their interval, and the index of the one that isn't over on November 24 at 16:30.
PARTS = [
    (["2026-11-22", "2026-11-23", "2026-11-24"], "day", 2),
    (["2026-11-22", "2026-11-23"], "day", -1),
    (["2026-11-09", "2026-11-16", "2026-11-23"], "week", 2),
    (["2026-09-01", "2026-10-01"], "month", -1),
    ([["2026-11-24", 15], ["2026-11-24", 16], ["2026-11-24", 17]], "hour", 1),
]


class FormatTests(PageTest):
    def module(self, path, script, *arguments):
        """The result of a script with a module of the page, functions that return instants, and arguments."""
        run = f"""
            const done = arguments[arguments.length - 1];
            const values = [...arguments].slice(0, -1);
            Promise.all([import("{self.base}/app/{path}.js"), import("{self.base}/app/calendar.js")])
              .then(([page, calendar]) => (({script}))(page, calendar, ...values))
              .then(done, (error) => done(String(error)));"""
        return self.browser.driver.execute_async_script(run, *arguments)

    def test_texts(self):
        browser = self.browser
        browser.screen(self.base, "trends")
        days = self.module(
            "format",
            """(page, { instant }, moments) => {
              const now = instant("2026-11-24", "16:30").getTime();
              return moments.map(([day, time]) => page.ago(instant(day, time).toISOString(), now));
            }""",
            [list(moment) for moment in MOMENTS],
        )
        check(days == list(MOMENTS.values()), f"The moments are {days}.")
        axes = self.module(
            "format",
            "(page, _, axes) => axes.map(([values, unit]) => page.axisTexts(values, unit))",
            [axis[:2] for axis in AXES],
        )
        check(axes == [axis[2] for axis in AXES], f"The axes are {axes}.")
        hours = self.module(
            "format", "(page, _, axes) => axes.map((values) => page.axisDurations(values))", [axis[0] for axis in HOURS]
        )
        check(hours == [axis[1] for axis in HOURS], f"The axes of hours are {hours}.")
        parts = self.module(
            "periods",
            """(page, { instant }, lists) =>
              lists.map(([list, interval]) => page.openPart(list, interval, instant("2026-11-24", "16:30")))""",
            [part[:2] for part in PARTS],
        )
        check(parts == [part[2] for part in PARTS], f"The parts that aren't over are {parts}.")
        values = self.module(
            "format", "(page, _, values) => values.map((value) => page.quantity(...value))", [one[:3] for one in VALUES]
        )
        check(values == [one[3] for one in VALUES], f"The values are {values}.")
        dates = self.module(
            "format",
            """(page, { dateOf, instant }) => [0, 1].flatMap((back) => ["day", "moment"].map((style) =>
              page.date(instant(`${Number(dateOf().slice(0, 4)) - back}-01-03`), style)))""",
        )
        told = [any(part.isdigit() and len(part) == 4 for part in re.split(r"\W+", one)) for one in dates]
        check(told == [False, False, True, True], f"Of {dates}, not just those of another year have it.")
        browser.clean("texts")

    def test_hour_that_is_there_twice(self):
        """When the clock is put back, a day has 25 hours, each with its own figures; in spring, nothing is doubled."""
        browser = self.browser
        browser.screen(self.base, "trends")
        browser.driver.execute_script("localStorage.setItem('timeZone', 'America/New_York')")
        browser.screen(self.base, "trends")
        found = self.module(
            "periods",
            """(page, { addDays, instant }) => ["2026-11-01", "2026-03-08", "2026-03-09"].map((day) => {
              const keys = page.parts({ start: day, end: addDays(day, 1) }, "hour").map(page.partKey);
              const hours = [];
              const end = instant(addDays(day, 1)).getTime();
              for (let hour = instant(day).getTime(); hour < end; hour += 3600000) hours.push(page.keyOf(hour, "hour"));
              return [keys.length, hours.length, new Set(hours).size, hours.every((key) => keys.includes(key))];
            })""",
        )
        check(found == [[25, 25, 25, True], [24, 23, 23, True], [24, 24, 24, True]], f"The hours are {found}.")
        # Where the clock is put forward at midnight, the day begins an hour later, and back, with the first midnight.
        browser.driver.execute_script("localStorage.setItem('timeZone', 'America/Havana')")
        browser.screen(self.base, "trends")
        found = self.module("periods", """(_, { instant }) => [["2026-03-08"], ["2026-03-09"], ["2026-11-01"],
          ["2026-03-08", "00:30"]].map((moment) => instant(...moment).toISOString().slice(0, 16))""")
        expected = ["2026-03-08T05:00", "2026-03-09T04:00", "2026-11-01T04:00", "2026-03-08T05:30"]
        check(found == expected, f"The days begin at {found}.")
        browser.driver.execute_script("localStorage.removeItem('timeZone')")
        browser.screen(self.base, "trends")
        browser.clean("hours")
