"""Trends: types over time, their sources, sleep, workouts and rings."""

import json
import re
import time

from browser import Keys, check
from page_test import PageTest
from server import number


class TrendTests(PageTest):
    def test_trends_equal_hk(self):
        browser = self.browser
        browser.size(1280)
        browser.screen(self.base, "trends/type/HKQuantityTypeIdentifierStepCount/week")
        browser.press(browser.button("Table"))
        rows = browser.driver.execute_script(
            "return [...document.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) =>"
            " cell.textContent))"
        )
        check(len(rows) == 7, f"A week has {len(rows)} days.")
        days = self.server.hk_json("stats", "stepCount", "--every", "day", "--last", "8d")["statistics"]
        expected = {one["startDate"][:10]: one["sumQuantity"] for one in days}
        today = time.time() + self.offset()
        for back, row in zip(range(6, -1, -1), rows):
            day = time.strftime("%Y-%m-%d", time.gmtime(today - back * 86400))
            if day in expected:
                check(
                    abs(number(row[1]) - expected[day]) <= 1,
                    f"On {day} the page shows {row[1]} steps, hk {expected[day]}.",
                )
        names = browser.texts(".summary dt")
        check(names[1].endswith("6 whole days"), f"The average of a week with today is named {names[1]}.")
        whole = sum(number(row[1]) for row in rows[:-1]) / 6
        shown = number(browser.texts(".summary dd")[1])
        check(abs(shown - whole) <= 1, f"Six whole days have {whole} steps on average, the page shows {shown}.")
        check(rows[-1][0].endswith("so far"), f"Today is named {rows[-1][0]}.")
        total = number(browser.texts(".summary dd")[0])
        check(abs(total - sum(number(row[1]) for row in rows)) <= 4, f"The total of the week is shown as {total}.")
        for name in ("Day", "Month", "6 months", "Year", "All"):
            browser.press(browser.button(name))
            browser.wait(
                "return document.querySelectorAll('tbody tr').length > 0 && document.querySelector('canvas')",
                f"{name} shows nothing.",
            )
            for option in browser.driver.execute_script(
                "return [...document.querySelector('[aria-label=Divided]').options].map((one) => one.value)"
            ):
                browser.set("[aria-label=Divided]", option)
                time.sleep(0.3)
                browser.clean(f"steps, {name}, {option}")
        # A month of thirty days begins within a week, unless on a Sunday.
        browser.press(browser.button("Month"))
        browser.set("[aria-label=Divided]", "week")
        browser.wait("return document.querySelectorAll('tbody tr').length < 7", "A month isn't divided into weeks.")
        marked = browser.driver.execute_script(
            "return [...document.querySelectorAll('tbody tr')].map((row) => / (from|until) /.test(row.cells[0].textContent))"
        )
        is_cut = time.gmtime(today - 29 * 86400).tm_wday != 6
        check(marked == [is_cut] + [False] * (len(marked) - 1), f"The weeks that are marked as cut: {marked}.")
        for comparison in ("before", "year"):
            browser.set("[aria-label='Compare with']", comparison)
            browser.wait("return document.querySelectorAll('.legend li').length === 2", "The comparison isn't drawn.")
        direction = browser.one("[data-trend]").get_attribute("data-trend")
        check(direction in ("higher", "lower", "similar"), f"Half a year of steps has the trend “{direction}”.")
        # A discrete type has ranges, a category the time in its values.
        browser.screen(self.base, "trends/type/HKQuantityTypeIdentifierHeartRate/month")
        browser.press(browser.button("Table"))
        check(
            "–" in browser.driver.execute_script("return document.querySelector('tbody tr:last-child').textContent"),
            "Heart rate has no ranges.",
        )
        for path in (
            "HKCategoryTypeIdentifierAppleStandHour/month",
            "HKCategoryTypeIdentifierSleepAnalysis/week",
            "HKCorrelationTypeIdentifierBloodPressure/half",
            "HKDataTypeSleepDurationGoal/all",
        ):
            browser.screen(self.base, f"trends/type/{path}")
            browser.wait("return document.querySelectorAll('main .figures dd').length > 0", f"{path} has no figures.")
            check("could not be loaded" not in browser.text("main"), f"{path} has an error.")
        browser.clean("trends")

    def test_sources_are_reordered(self):
        browser = self.browser
        browser.size(1280)
        browser.screen(self.base, "trends/type/HKQuantityTypeIdentifierStepCount/month")
        sources = "return [...document.querySelectorAll('.order .title')].map((one) => one.textContent)"
        before = browser.driver.execute_script(sources)
        check(len(before) >= 2, f"Steps have the sources {before}; the test needs two.")
        total = browser.text(".summary dd")
        handle = browser.one(".order .handle")
        browser.driver.execute_script("arguments[0].focus()", handle)
        browser.keys(Keys.ARROW_DOWN)
        swapped = [before[1], before[0], *before[2:]]
        browser.wait(
            "return JSON.stringify([...document.querySelectorAll('.order .title')].map((one) => one.textContent)) ==="
            " arguments[0]",
            "The arrow key doesn't move the source.",
            json.dumps(swapped, ensure_ascii=False, separators=(",", ":")),
        )
        browser.wait(
            "return document.querySelector('.summary dd').textContent !== arguments[0]",
            "Another order of the sources gives the same steps.",
            total,
        )
        order = [source["name"] for source in self.server.hk_json("sources", "--type", "stepCount")]
        check(order[:2] == swapped[:2], f"hk has the order {order}, the page {swapped}.")
        check(
            browser.driver.execute_script("return document.activeElement.getAttribute('aria-label')").startswith(
                f"Move {before[0]}"
            ),
            "The focus doesn't stay with the source.",
        )
        # Dragging puts it back.
        browser.driver.execute_script("""
            const [to, from] = document.querySelectorAll(".order li");
            const dataTransfer = new DataTransfer();
            for (const [target, name] of [[from, "dragstart"], [to, "dragenter"], [to, "dragover"], [to, "drop"]])
              target.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer }));""")
        browser.wait(
            "return document.querySelector('.summary dd').textContent === arguments[0]",
            "Dragging doesn't restore the order.",
            total,
        )
        browser.press(browser.button("Compare sources"))
        browser.wait("return document.querySelectorAll('.legend li').length >= 2", "The sources aren't drawn apart.")
        browser.accessible("sources")
        browser.clean("sources")

    def test_sleep_workouts_rings(self):
        browser = self.browser
        browser.size(390)
        browser.screen(self.base, "trends/sleep")
        check(
            browser.driver.execute_script("return document.querySelectorAll('[data-night]').length") > 10,
            "There are few nights.",
        )
        browser.press(browser.all("[data-night]")[3])
        check(browser.all("[data-night]")[3].get_attribute("aria-pressed") == "true", "The night isn't chosen.")
        browser.screen(self.base, "trends/workouts")
        names = browser.texts(".summary dt")
        check("whole week" in names[-1], f"The average of weeks is named {names[-1]}.")
        bars = browser.wait(
            "return globalThis.Chart?.getChart(document.querySelector('canvas'))?.data.datasets[0].data",
            "The weeks aren't drawn.",
        )
        check(0 not in bars, f"Weeks without workouts have bars: {bars}.")
        strength = [one for one in browser.all("main .list a") if "Strength" in one.text]
        if strength:
            self.check_strength(strength[0].get_attribute("href").split("#/")[1])
            browser.screen(self.base, "trends/workouts")
        link = next(
            one.get_attribute("href")
            for one in browser.all("main .list a")
            if re.search(r"(Running|Cycling|Walking|Hiking).* (km|mi)$", one.text.strip(), re.S)
        )
        self.workout = link.split("#/")[1]
        browser.screen(self.base, self.workout)
        for heading in ("Route", "Course", "Heart rate", "Heart-rate zones", "Splits", "Statistics"):
            check(heading in browser.text("main"), f"A workout has no {heading}.")
        files = [one.get_attribute("href").split("/")[-1] for one in browser.all("a[download]")]
        check(files == ["fit", "tcx", "gpx"], f"A workout is saved as {files}.")
        check(browser.all(".route polyline"), "The route isn't drawn.")
        self.check_heart_rates()
        self.check_course()
        browser.screen(self.base, "trends/rings")
        check(
            all(browser.driver.execute_script(
                "return [...document.querySelectorAll('.month')].map((one) =>"
                " [...one.querySelectorAll('button')].some((day) => !day.ariaLabel.endsWith('no data')))"
            )),
            "The calendar has months without rings.",
        )
        browser.press(browser.all(".month button")[0])
        browser.wait("return document.querySelector('dialog .rings')", "A day doesn't open.")
        browser.accessible("a day of rings")
        browser.keys(Keys.ESCAPE)
        browser.clean("sleep, workouts and rings")

    def check_strength(self, path):
        browser = self.browser
        browser.screen(self.base, path)
        text = browser.text("main")
        for absent in ("No route", "Pace", "Speed", "No splits"):
            check(absent not in text, f"Strength training has “{absent}”.")

    def check_heart_rates(self):
        """The figures of heart rates are those of the answer."""
        uuid = self.workout.split("/")[-1]
        answer = self.browser.ask(f"/v1/people/me/workouts/{uuid}?timeZone={self.zone}")
        rates = answer["heartRates"]
        shown = self.browser.card("Heart rate")[1]
        low, high = shown["Range"].split("–")
        check(number(low) == round(answer["minimumHeartRate"]), f"The range begins with {low}.")
        check(number(high) == round(answer["maximumHeartRate"]), f"The range ends with {high}.")
        if answer["hasAllHeartRates"]:
            values = [rate["minimum"] for rate in rates] + [rate["maximum"] for rate in rates]
            check(abs(min(values) - number(low)) < 1 and abs(max(values) - number(high)) < 1, "The chart has others.")
        else:
            check("workout recorded" in self.browser.card("Heart rate")[0], "Nothing explains other heart rates.")

    def check_course(self):
        """The course is drawn as the server says, without lines across gaps; one cursor reads all of it."""
        browser = self.browser
        uuid = self.workout.split("/")[-1]
        curves = browser.ask(f"/v1/people/me/workouts/{uuid}?timeZone={self.zone}&curves=200")["curves"]
        drawn = browser.driver.execute_script(
            "return [...document.querySelectorAll('[data-curve]')]"
            ".map((one) => [one.getAttribute('data-curve'), one.getAttribute('d')])"
        )
        check({"heartRate", "elevation"} <= {curve["figure"] for curve in curves}, "There are few curves.")
        for curve in curves:
            paths = [path for figure, path in drawn if figure == curve["figure"]]
            gaps = sum(point.get("precededByGap", False) for point in curve["points"][1:])
            check(len(paths) == gaps + 1, f"{curve['figure']} with {gaps} gaps is drawn in {len(paths)} parts.")
            count = sum(path.count("L") + 1 for path in paths)
            check(count == len(curve["points"]), f"{curve['figure']} is drawn with {count} points.")
        slider = browser.one(".cursored[role=slider]")
        browser.driver.execute_script("arguments[0].focus()", slider)
        texts = []
        for key in (Keys.HOME, Keys.ARROW_RIGHT, Keys.PAGE_UP, Keys.END):
            browser.keys(key)
            texts.append(slider.get_attribute("aria-valuetext"))
        check(len(set(texts)) == 4, f"The keys read {texts}.")
        check(all(text.count("·") == len(curves) for text in texts), f"{len(curves)} curves are read as {texts}.")
        browser.keys(Keys.HOME, Keys.PAGE_UP)
        check(
            float(browser.one(".route .here").get_attribute("cx")) > 0,
            "The cursor doesn't show where on the route it is.",
        )
        browser.click(".values summary")
        check(len(browser.all(".values tbody tr")) > 5, "The course has no table.")
        browser.keys(Keys.ESCAPE)
        browser.accessible("the course of a workout")
