"""The past: what an address says, the way back, any day, and data that is old."""

import statistics
import time

from browser import Keys, check
from page_test import PageTest
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from server import minutes, number

STEPS = "trends/type/HKQuantityTypeIdentifierStepCount"
# What a person sees of a chart, and how it is chosen.
SHOWN = """
    return [
      document.querySelector(".main-chart h2").textContent,
      document.querySelector("[aria-label=Period] [aria-pressed=true]").dataset.value,
      document.querySelector("[aria-label=Divided]").value,
      document.querySelector("[aria-label='Compare with']").value,
      [...document.querySelectorAll("main .figures dd")].map((one) => one.textContent).join(),
      document.querySelectorAll("tbody tr").length,
    ];"""
# Where a part of the drawn chart is, in the window.
PART = """
    const [index] = arguments;
    const canvas = document.querySelector("main canvas");
    canvas.scrollIntoView({ block: "center" });
    const chart = globalThis.Chart.getChart(canvas);
    const box = canvas.getBoundingClientRect();
    const bar = chart.getDatasetMeta(0).data[index];
    return [box.left + bar.x, box.top + (chart.chartArea.top + chart.chartArea.bottom) / 2];"""
DRAWN = "return Boolean(globalThis.Chart?.getChart(document.querySelector('main canvas')))"


class PastTests(PageTest):
    def day_before(self, back):
        return time.strftime("%Y-%m-%d", time.gmtime(time.time() + self.offset() - back * 86400))

    def hash_is(self, part, text):
        self.browser.wait("return location.hash.includes(arguments[0])", text, part)
        self.browser.settle()

    def test_address_says_what_is_chosen(self):
        browser = self.browser
        browser.size(1280)
        browser.screen(self.base, f"{STEPS}/month")
        browser.press(browser.button("Week"))
        browser.set("[aria-label=Divided]", "hour")
        browser.press(browser.button("Earlier"))
        browser.set("[aria-label='Compare with']", "before")
        browser.wait("return document.querySelectorAll('.legend li').length === 2", "The comparison isn't drawn.")
        browser.settle()
        chosen = browser.driver.execute_script(SHOWN)
        address = browser.driver.execute_script("return location.hash")
        for part in (f"{STEPS}/week?", "by=hour", "compare=before", f"date={self.day_before(7)}"):
            check(part in address, f"{address} lacks {part}.")
        # A bookmark, a new load and the way back and forward again show the same.
        browser.screen(self.base, address[2:])
        check(browser.driver.execute_script(SHOWN) == chosen, "A bookmark shows something else.")
        browser.driver.refresh()
        browser.settle()
        check(browser.driver.execute_script(SHOWN) == chosen, "A new load shows something else.")
        browser.set("[aria-label='Compare with']", "none")
        browser.wait("return !document.querySelector('.legend li')", "The comparison stays.")
        browser.driver.back()
        self.hash_is("compare=before", "Back doesn't lead to the comparison.")
        browser.settle()
        check(browser.driver.execute_script(SHOWN) == chosen, "Back shows something else.")
        browser.driver.forward()
        browser.wait("return !location.hash.includes('compare')", "Forward doesn't lead away again.")
        browser.settle()
        check(browser.driver.execute_script(SHOWN)[3] == "none", "Forward shows the comparison.")
        # What an address has wrong is as if it weren't there.
        browser.screen(self.base, f"{STEPS}/week?date=2019-02-30&by=minute&compare=always")
        shown = browser.driver.execute_script(SHOWN)
        check(shown[2:4] == ["day", "none"], f"A wrong address shows {shown}.")
        check(browser.one("main [type=date]").get_attribute("value") == self.day_before(0), "A wrong date is shown.")
        for path in ("trends/sleep", "trends/rings", "trends/workouts", "today"):
            browser.screen(self.base, f"{path}?date=2199-05-01")
            shown = browser.one("main [aria-label='Last day'], main [aria-label='Go to a date']").get_attribute("value")
            check(shown == self.day_before(0), f"A date to come leads {path} to {shown}.")
        for path in ("trends/type", "trends/samples", "trends/constructor"):
            browser.screen(self.base, path)
            check(browser.text("h1") == "Trends", f"{path} shows {browser.text('h1')}.")
        for path, name in (("trends/sleep?period=7", "7"), ("trends/compare?period=year", "year")):
            browser.screen(self.base, path)
            pressed = "return document.querySelector('main [aria-label=Period] [aria-pressed=true]').dataset.value"
            check(browser.driver.execute_script(pressed) == name, f"{path} doesn't show its period.")
        browser.screen(self.base, "trends")
        browser.type("main [type=search]", "heart")
        browser.driver.refresh()
        browser.settle()
        found = browser.texts("main .list [data-type] .title")
        check(0 < len(found) < 20 and "Heart Rate" in found, f"A new load of the search finds {found}.")
        browser.screen(self.base, "trends/report")
        from_day = self.day_before(20)
        browser.set(f"#{browser.all('.chosen [type=date]')[0].get_attribute('id')}", from_day)
        browser.press(browser.all(".choices input")[0])
        self.hash_is(f"from={from_day}&types=", "The address lacks what is in the report.")
        browser.settle()
        report = [browser.text(".report"), browser.driver.execute_script(
            "return [...document.querySelectorAll('.choices input')].map((one) => one.checked)")]
        browser.driver.refresh()
        browser.settle()
        again = [browser.text(".report"), browser.driver.execute_script(
            "return [...document.querySelectorAll('.choices input')].map((one) => one.checked)")]
        check(again == report, "A new load of the report shows something else.")
        browser.clean("addresses")

    def test_back_returns_to_the_place(self):
        browser = self.browser
        browser.size(390)
        browser.screen(self.base, "trends")
        link = browser.one("main .list [data-type$=HeartRate] a")
        browser.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' }); arguments[0].focus()", link)
        name, scrolled = browser.focused().split("\n")[0], browser.driver.execute_script("return scrollY")
        check(scrolled > 300, f"The list is scrolled by {scrolled}; the test needs more.")
        browser.keys(Keys.ENTER)
        self.hash_is("HeartRate", "The type doesn't open.")
        check(browser.driver.execute_script("return scrollY") == 0, "A new screen is scrolled.")
        check(browser.driver.execute_script("return document.activeElement.tagName") == "H1", "It has no focus.")
        browser.driver.back()
        for act in ("Back", "A new load"):
            browser.wait("return location.hash === '#/trends'", f"{act} leads elsewhere.")
            browser.settle()
            browser.wait("return scrollY === arguments[0]", f"{act} doesn't scroll to {scrolled}.", scrolled)
            check(browser.focused().split("\n")[0] == name, f"{act} has the focus on “{browser.focused()}”, not on “{name}”.")
            browser.driver.refresh()
        browser.settle()
        # What is listed comes back with it, and a dialog stays with its screen.
        browser.screen(self.base, "trends/samples/HKQuantityTypeIdentifierStepCount")
        browser.press(browser.button("Show more"))
        self.hash_is("shown=200", "The address doesn't say how many samples are listed.")
        source = f"#{browser.all('main select')[0].get_attribute('id')}"
        bundle = browser.driver.execute_script("return document.querySelector(arguments[0]).options[1].value", source)
        browser.set(source, bundle)
        self.hash_is("source=", "The address lacks the source.")
        browser.driver.back()
        self.hash_is("shown=200", "Back doesn't lead to all sources.")
        check(len(browser.all("main details")) == 200, "The list is short again.")
        browser.screen(self.base, "journal")
        browser.press(browser.one("main [data-kind=workout]"))
        self.hash_is("#/journal?kind=workout", "The address lacks what is listed.")
        browser.click("[data-log=weight]")
        browser.wait("return document.querySelector('dialog[open]')", "The form doesn't open.")
        browser.driver.back()
        browser.wait("return !document.querySelector('dialog')", "The form stays although its screen is left.")
        browser.settle()
        browser.driver.forward()
        self.hash_is("kind=workout", "Forward leads elsewhere.")
        pressed = "return document.querySelector('main [data-kind][aria-pressed=true]').dataset.kind"
        check(browser.driver.execute_script(pressed) == "workout", "The journal lists something else.")
        browser.clean("the way back")

    def test_any_day(self):
        browser = self.browser
        browser.size(1280)
        browser.screen(self.base, "today")
        check(not browser.one("[aria-label=Later]").is_enabled(), "Something is later than today.")
        browser.press(browser.button("Earlier"))
        yesterday = self.day_before(1)
        self.hash_is(f"#/today?date={yesterday}", "Earlier doesn't lead to yesterday.")
        day = self.day_before(9)
        browser.set("main [type=date]", day)
        self.hash_is(f"date={day}", "The date doesn't lead to its day.")
        expected = self.server.hk_json("today", "--day", day)
        browser.wait(
            "return document.querySelector('[data-figure=steps] .figure').textContent.replace(/\\D/g, '') === arguments[0]",
            f"The steps aren't those of {day}.", str(round(expected["steps"]["quantity"])),
        )
        text = browser.text("main")
        for value in (expected["heartRate"]["minimum"], expected["rings"]["today"]["activeEnergyBurned"]["quantity"]):
            check(f"{round(value):,}" in text, f"{day} lacks {value}.")
        check(browser.text("h1") != "Today" and "today" not in text.lower().replace("go to today", "").split("activity")[1],
              f"Another day is named today: {text}")
        trend = browser.button("Trend").get_attribute("href")
        check(trend.endswith(f"/day?date={day}"), f"The trend of another day is at {trend}.")
        browser.wait(
            "return [...document.querySelectorAll('main [data-path], main [data-highlight] a')]"
            ".every((one) => one.getAttribute('href').endsWith(arguments[0]))",
            "Cards of another day lead to other times.", f"?date={day}",
        )
        browser.accessible("another day")
        browser.press(browser.button("Go to today"))
        browser.wait("return document.querySelector('h1').textContent === 'Today'", "The way to today is missing.")
        # Days of other screens lead here.
        browser.screen(self.base, "trends/rings")
        browser.press(browser.all(".month button")[0])
        self.follow_day("rings")
        browser.screen(self.base, "trends/sleep")
        browser.press(browser.all("[data-night]")[3])
        night = browser.all("[data-night]")[3].get_attribute("data-night")
        self.hash_is(f"night={night}", "The address doesn't name the night.")
        browser.wait(
            "return document.querySelector('main [data-day]')?.dataset.day === arguments[0]", "It isn't shown.", night
        )
        check(self.follow_day("a night") == night, "A night leads to another day.")
        browser.screen(self.base, "trends/workouts")
        # One without a distance has no route, whose answer would be large.
        rows = browser.all("main .list a[href*='/workout/']")
        browser.press(next((one for one in rows if not one.text.strip().endswith(("mi", "km"))), rows[0]))
        self.hash_is("/workout/", "The workout doesn't open.")
        self.follow_day("a workout")
        browser.clean("any day")

    def follow_day(self, where):
        """Follows the link to a day, and returns the day."""
        link = self.browser.one("[data-day]")
        day = link.get_attribute("data-day")
        self.browser.press(link)
        address = "#/today" if day == self.day_before(0) else f"#/today?date={day}"
        self.browser.wait("return location.hash === arguments[0]", f"{where} doesn't lead to {day}.", address)
        self.browser.settle()
        return day

    def test_charts_lead_to_their_parts(self):
        """A click and Enter lead from the year to the month, to the day, and to everything of it."""
        browser = self.browser
        browser.size(1280)
        browser.screen(self.base, f"{STEPS}/year")
        browser.wait(DRAWN, "The chart isn't drawn.")
        month = self.day_before(0)[:7]
        self.click_part(11)
        self.hash_is("/month", "The bar of a month doesn't open it.")
        address = browser.driver.execute_script("return location.hash")
        check(f"date={month}-01" in address, f"The bar of {month} leads to {address}.")
        browser.wait(DRAWN, "The month isn't drawn.")
        browser.driver.execute_script("document.querySelector('main canvas').focus()")
        browser.keys(Keys.END, Keys.ENTER)
        self.hash_is("/day", "Enter doesn't open the day.")
        browser.accessible("a day of a chart")
        self.follow_day("a day of a chart")
        browser.driver.back()
        browser.driver.back()
        self.hash_is("/month", "Back doesn't lead up again.")
        # The table has the same links.
        browser.press(browser.button("Table"))
        links = [one.get_attribute("href") for one in browser.all("tbody a")]
        check(len(links) > 27 and all("/day?date=" in one for one in links), f"The table leads to {links[:3]}.")
        browser.clean("from the year to the day")

    def click_part(self, index):
        x, y = self.browser.driver.execute_script(PART, index)
        actions = ActionBuilder(self.browser.driver)
        actions.pointer_action.move_to_location(x, y).click()
        actions.perform()

    def test_old_data_opens_at_its_latest(self):
        browser = self.browser
        type = "HKQuantityTypeIdentifierPeripheralPerfusionIndex"
        token = self.server.owner_token()
        zone = f"{self.offset() // 3600:+03}:00"
        moments = [f"{day}T10:00:00{zone}" for day in ("2019-06-12", "2019-06-20", "2020-02-03")]
        self.server.post(token, [
            {"type": type, "startDate": moment, "endDate": moment, "quantity": 0.05 + index / 100, "unit": "%"}
            for index, moment in enumerate(moments)
        ])
        for width in (1280, 390):
            browser.size(width)
            browser.screen(self.base, f"trends/type/{type}")
            check("2020" in browser.text(".main-chart h2"), f"It opens at {browser.text('.main-chart h2')}.")
            check("Feb 3, 2020" in browser.text("[data-latest]"), "Nothing says that it is the latest data.")
            browser.accessible(f"old data {width}")
            browser.screenshot(f"old-data-{width}")
        # June 2019 is one action away, two from another period.
        browser.set("main [type=date]", "2019-06-15")
        browser.wait(
            "return document.querySelector('.main-chart h2').textContent === 'Jun 1 – 30, 2019'",
            f"The date leads to {browser.text('.main-chart h2')}.",
        )
        browser.wait("return document.querySelector('main .summary').textContent.includes('5–6')",
                     f"June has {browser.text('main .summary')}.")
        browser.press(browser.button("Year"))
        browser.wait("return document.querySelector('.main-chart h2').textContent.includes('2019')", "The year is lost.")
        check("date=2019-06-15" in browser.driver.execute_script("return location.hash"), "The date is lost.")
        browser.screen(self.base, f"trends/type/{type}")
        browser.press(browser.button("Go to today"))
        browser.wait("return document.querySelector('main .summary .empty')", "The present has the old data.")
        self.hash_is(f"date={self.day_before(0)}", "The address doesn't say that it is the present.")
        check(not browser.all("[data-latest]"), "The present is named the latest data.")
        browser.clean("old data")

    def test_workouts_are_filtered(self):
        """By activity, year, length and distance, with the sums of hk; the address has the filter."""
        browser = self.browser
        browser.size(1280)
        browser.screen(self.base, "trends/workouts")
        all_of_them = self.server.hk_json("workouts", "--limit", "0")["workouts"]
        # The sport that is done most.
        activity = statistics.mode(one["workoutActivityTypeName"] for one in all_of_them)
        year = next(one["startDate"][:4] for one in all_of_them if one["workoutActivityTypeName"] == activity)
        for label, value in (("Activity", activity), ("Year", year), ("Length", "30")):
            browser.set(f"main [aria-label={label}]", value)
        self.hash_is(f"activity={activity}&year={year}&minutes=30", "The address lacks the filter.")
        expected = [
            one for one in all_of_them
            if one["workoutActivityTypeName"] == activity and one["startDate"][:4] == year and one["duration"] >= 1800
        ]
        check(0 < len(expected) < len(all_of_them), "The filter leaves all workouts, or none.")
        self.check_sums(expected)
        far = [one for one in all_of_them if one.get("totalDistance", {}).get("quantity", 0) >= 3]
        check(0 < len(far) < len(all_of_them), "The distance leaves all workouts, or none.")
        browser.screen(self.base, "trends/workouts?distance=3")
        self.check_sums(far)
        for width in (390, 1280):
            browser.size(width)
            browser.accessible(f"filtered workouts {width}")
            browser.screenshot(f"workouts-filtered-{width}")
        browser.screen(self.base, "trends/workouts?activity=curling")
        check("No workout is like this" in browser.text("main"), "A sport that isn't done has workouts.")
        # A longer list is as long again after the way back.
        browser.size(390)
        browser.screen(self.base, "trends/workouts")
        browser.press(browser.button("Earlier workouts"))
        browser.wait("return document.querySelectorAll('main .list li').length > 15", "There aren't more workouts.")
        self.hash_is("shown=30", "The address doesn't say how many.")
        link = browser.all("main .list a")[20]
        browser.press(link)
        self.hash_is("/workout/", "The workout doesn't open.")
        browser.driver.back()
        self.hash_is("shown=30", "Back leads elsewhere.")
        browser.wait("return document.querySelectorAll('main .list li').length > 20", "The list is short again.")
        check(browser.driver.execute_script("return scrollY") > 500, "The place in the list is lost.")
        browser.clean("filtered workouts")

    def check_sums(self, expected):
        read = """
            return Object.fromEntries([...document.querySelectorAll("main .sums .figures > div")]
              .map((one) => [one.querySelector("dt").textContent, one.querySelector("dd").textContent]));"""
        browser = self.browser
        count = f"{len(expected):,}"
        browser.wait("return document.querySelector('main .sums dd')?.textContent === arguments[0]",
                     f"Of {count} workouts, {browser.text('main .sums')} are listed.", count)
        shown = browser.driver.execute_script(read)
        spent = sum(one["duration"] for one in expected) / 60
        check(abs(minutes(shown["Time"]) - spent) <= 0.51, f"They last {shown['Time']}, not {spent} min.")
        far = sum(one["totalDistance"]["quantity"] for one in expected if "totalDistance" in one)
        check(abs(number(shown["Distance"]) - far) <= 0.6, f"Their distance is {shown['Distance']}, not {far}.")

    def test_sleep_over_any_range(self):
        """Years of nights by month; nights with only the time in bed are shown, and aren't averaged as sleep."""
        browser = self.browser
        # Nights of the person's zone, which isn't the same at each run.
        offset = f"{self.offset() // 3600:+03}:00"
        night = lambda day, value, start, end: {
            "type": "sleepAnalysis", "value": value, "startDate": f"2017-03-{day:02}T{start}:00{offset}",
            "endDate": f"2017-03-{day:02}T{end}:00{offset}",
        }
        self.server.post(self.server.owner_token(), [
            *(night(day, 0, "00:00", "08:00") for day in range(6, 20)),
            *(night(day, 0, "00:00", f"{7 + day % 2:02}:00") for day in (20, 21, 22)),
            *(night(day, 1, "00:00", "06:00") for day in (20, 21, 22)),
        ])
        browser.size(1280)
        browser.screen(self.base, "trends/sleep?date=2017-03-22&period=17")
        check(browser.one("[data-in-bed]").get_attribute("data-in-bed") == "14", "The nights in bed aren't counted.")
        shown = dict(browser.driver.execute_script(
            "return [...document.querySelectorAll('main .summary .figures > div')]"
            ".map((one) => [one.querySelector('dt').textContent, one.querySelector('dd').textContent])"
        ))
        check(minutes(shown["Asleep"]) == 360, f"Three nights of six hours are {shown['Asleep']}.")
        check("±" in shown["Up"] and "±" in shown["To bed"], f"Nothing says how regular the nights are: {shown}.")
        check(browser.text("main .list").count("only in bed") >= 5, "The list doesn't say which are only in bed.")
        drawn = "return Object.fromEntries(globalThis.Chart.getChart(document.querySelector('main canvas')).data.datasets" \
            ".map(({ label, data }) => [label, data.filter(Boolean)]))"
        browser.wait(DRAWN, "The nights aren't drawn.")
        bars = browser.driver.execute_script(drawn)
        check(len(bars["In Bed"]) == 14 and len(bars["Asleep"]) == 3, f"The nights are drawn as {bars}.")
        for width in (390, 1280):
            browser.size(width)
            browser.accessible(f"nights in bed {width}")
            browser.screenshot(f"sleep-in-bed-{width}")
        # The day of such a night says so, too.
        browser.screen(self.base, "today?date=2017-03-10")
        check("8 h" in browser.text("[data-figure=in-bed]"), "The night of a day in 2017 is missing.")
        # Any range, such as four years.
        browser.screen(self.base, "trends/sleep?date=2019-12-31")
        browser.set("main [aria-label='First day']", "2016-01-01")
        self.hash_is("period=1461", "The address lacks the range.")
        browser.wait(DRAWN, "The years aren't drawn.")
        browser.wait("return document.querySelector('main .summary').textContent.includes('6 h')", "Years have no sleep.")
        bars = browser.driver.execute_script(drawn)
        check(bars == {"Asleep": [6]}, f"March 2017 is drawn as {bars}.")
        check(not browser.all("[aria-label=Period] [aria-pressed=true]"), "Another period is marked.")
        # A period without nights has no bars of another one.
        browser.set("main [aria-label='Last day']", "2015-12-31")
        browser.wait("return document.querySelector('main .summary .empty')", "There is sleep in 2015.")
        browser.wait(f"return Object.keys((() => {{ {drawn} }})()).length === 0", "Bars of another period stay.")
        browser.clean("sleep of years")
