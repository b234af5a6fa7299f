"""What happens rarely: an interrupted upload, a server without Chart.js, a date of the year 1, an empty store."""

import json
import time

from browser import check
from page_test import PageTest
from server import Server, number


class RareTests(PageTest):
    def test_interrupted_upload(self):
        browser = self.browser
        browser.size(390)
        browser.screen(self.base, "data")
        slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 400_000}
        browser.driver.execute_cdp_cmd("Network.enable", {})
        browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", slow)
        browser.driver.find_element("id", "import-file").send_keys(str(self.archive))
        browser.press(browser.button("Pause"))
        browser.wait("return document.getElementById('import-file')", "The upload can't be paused.")
        browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**slow, "uploadThroughput": -1})
        kept = browser.driver.execute_script(
            "return Object.keys(localStorage).filter((key) => key.startsWith('import:')).length"
        )
        check(kept == 1, f"The page remembers {kept} uploads.")
        browser.driver.get_log("performance")
        browser.driver.find_element("id", "import-file").send_keys(str(self.archive))
        browser.wait("return document.querySelector('[data-import=finished]')", "The upload doesn't continue.")
        messages = [json.loads(entry["message"])["message"] for entry in browser.driver.get_log("performance")]
        requests = [one["params"]["request"] for one in messages if one["method"] == "Network.requestWillBeSent"]
        check(
            not any(one["method"] == "POST" and one["url"].split("?")[0].endswith("/imports") for one in requests),
            "The upload begins again.",
        )
        check(any(one["method"] == "PATCH" for one in requests), "Nothing is sent.")
        browser.driver.get_log("browser")

    def test_server_without_charts(self):
        browser = self.browser
        browser.driver.execute_cdp_cmd("Network.enable", {})
        browser.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/vendor/chart.js"]})
        browser.expected = ["vendor/chart.js"]
        browser.screen(self.base, "trends/type/HKQuantityTypeIdentifierStepCount/week")
        browser.wait(
            "return document.querySelector('.chart')?.textContent.includes('libjs-chart.js')",
            "The page doesn't say that Chart.js is missing.",
        )
        browser.press(browser.button("Table"))
        check(len(browser.all("tbody tr")) == 7, "Without charts there are no values either.")
        browser.accessible("a server without Chart.js")
        browser.clean("a server without Chart.js")
        browser.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
        browser.expected = []

    def test_missing_workout(self):
        browser = self.browser
        browser.expected = ["/workouts/"]
        browser.screen(self.base, "trends/workout/00000000-0000-4000-8000-000000000000")
        check("could not be loaded" in browser.text("main"), f"A missing workout is {browser.text('main')}.")
        browser.accessible("a missing workout")
        browser.clean("a missing workout")
        browser.expected = []

    def test_date_of_the_year_1(self):
        browser = self.browser
        server = Server(self.server.hk, self.work / "year-1.sqlite", self.zone)
        try:
            server.hk_run("add", "heartRate", "61", "count/min", "--start", "0001-01-02T08:00")
            server.hk_run("add", "heartRate", "71", "count/min", "--start", "2024-01-02T08:00")
            browser.size(1280)
            browser.go(server.sign_in)
            browser.settle()
            browser.screen(server.url, "trends/type/HKQuantityTypeIdentifierHeartRate/month")
            browser.press(browser.button("Table"))
            browser.press(browser.button("All"))
            browser.wait(
                "return document.querySelector('.main-chart h2').textContent.startsWith('Jan 1, 1 –')",
                "The whole time doesn't begin in the year 1.",
            )
            browser.wait("return document.querySelectorAll('tbody tr').length > 2000", "The years are missing.")
            options = browser.driver.execute_script(
                "return [...document.querySelector('[aria-label=Divided]').options].map((one) => one.value)"
            )
            check(options == ["year"], f"2,000 years can be divided by {options}.")
            for path in ("trends", "today", "journal", "data"):
                browser.screen(server.url, path)
            browser.clean("a date of the year 1")
        finally:
            browser.go("about:blank")
            server.stop()

    def test_server_with_an_offset_for_a_zone(self):
        browser = self.browser
        server = Server(self.server.hk, self.work / "offset.sqlite", "GMT+2")
        try:
            browser.size(390)
            browser.go(server.sign_in)
            browser.settle()
            for path in ("journal", "trends/sleep", "profile"):
                browser.screen(server.url, path)
                check("could not be loaded" not in browser.text("main"), f"{path} says {browser.text('main')}.")
            browser.clean("a server with an offset for a zone")
        finally:
            browser.go("about:blank")
            server.stop()

    def test_months_of_a_year_before(self):
        browser = self.browser
        server = Server(self.server.hk, self.work / "months.sqlite", self.zone)
        try:
            year, month = time.gmtime(time.time() + self.offset())[:2]
            first = (year - 2, month + 1) if month < 12 else (year - 1, 1)
            server.hk_run("add", "stepCount", "1000", "count", "--start", f"{first[0]}-{first[1]:02}-01T12:00")
            server.hk_run("add", "stepCount", "10", "count")
            browser.size(1280)
            browser.go(server.sign_in)
            browser.settle()
            browser.screen(server.url, "trends/type/HKQuantityTypeIdentifierStepCount/year")
            browser.set("[aria-label='Compare with']", "year")
            read = "return globalThis.Chart?.getChart(document.querySelector('canvas'))?.data.datasets[1]?.data"
            months = browser.wait(read, "Nothing is compared.")
            check(months == [1000] + [None] * 11, f"The months of a year before are {months}.")
            browser.clean("a year before")
        finally:
            browser.go("about:blank")
            server.stop()

    def test_energy_without_food(self):
        browser = self.browser
        server = Server(self.server.hk, self.work / "energy.sqlite", self.zone)
        try:
            for days in range(4):
                start = time.strftime("%Y-%m-%dT01:00", time.gmtime(time.time() + self.offset() - days * 86400))
                server.hk_run("add", "activeEnergyBurned", "300", "kcal", "--start", start)
            browser.size(390)
            browser.go(server.sign_in)
            browser.settle()
            browser.screen(server.url, "today")
            text = browser.card("Energy balance")[0]
            check("Usually 300 kcal active a day." in text, f"The usual energy of who logs no food is in “{text}”.")
            browser.clean("energy without food")
        finally:
            browser.go("about:blank")
            server.stop()

    def test_archive_of_last_week(self):
        browser = self.browser
        server = Server(self.server.hk, self.work / "old.sqlite", self.zone)
        try:
            today = time.time() + self.offset()
            day = time.strftime("%Y-%m-%d", time.gmtime(today - 9 * 86400))
            archive = self.work / "old.zip"
            options = ["--records", "6000", "--until", f"{day}T20:00", "--time-zone", self.zone]
            server.hk_run("generate", str(archive), *options)
            server.hk_run("import", str(archive), "--quiet")
            browser.size(390)
            browser.go(server.sign_in)
            browser.settle()
            browser.screen(server.url, "today")
            shown = browser.one("[data-latest]")
            check(shown.get_attribute("data-latest") == day, f"The last day is {shown.get_attribute('data-latest')}.")
            check("9 days ago" in shown.text, f"The age of the last day is missing: {shown.text}")
            steps = server.hk_json("stats", "stepCount", "--from", day, "--to", day)["statistics"][0]["sumQuantity"]
            shown = number(browser.text("[data-figure=steps]"))
            check(abs(shown - steps) <= 1, f"The last day had {steps} steps, the page shows {shown}.")
            check("No steps yet" not in browser.text("main"), "The page asks for an import.")
            browser.accessible("the last day with data")
            browser.clean("an archive of last week")
        finally:
            browser.go("about:blank")
            server.stop()

    def test_demo_beside_the_store(self):
        """A fictional person in this tab, until it is left; the own store gets nothing."""
        browser = self.browser
        server = Server(self.server.hk, self.work / "demo.sqlite", self.zone)
        try:
            browser.size(390)
            browser.go(server.sign_in)
            browser.wait(
                "return document.documentElement.dataset.screen === 'welcome'",
                "An empty store doesn't offer demo data.",
            )
            # An hour beside the server's zone, in which it is day as well.
            hours = self.offset() // 3600
            hours += 1 if hours < 12 else -1
            beside = f"Etc/GMT{-hours:+d}" if hours else "Africa/Abidjan"
            browser.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": beside})
            browser.click("[data-action=demo]")
            browser.wait(
                "return document.documentElement.dataset.screen === 'today' && document.querySelector('.demo-note')",
                "The demo doesn't open.",
            )
            browser.settle()
            check(number(browser.text("[data-figure=steps]")) > 0, "The demo person has no steps today.")
            nights = browser.ask("/v1/people/_demo/samples?type=sleepAnalysis&limit=1")["samples"]
            zone = nights[0]["metadata"]["HKTimeZone"]
            check(zone == beside, f"The demo person lives in {zone}, not where the browser is.")
            shifts = """
                const done = arguments[0];
                new PerformanceObserver((list) => done(list.getEntries().map((one) => one.value)))
                  .observe({ type: "layout-shift", buffered: true });
                setTimeout(() => done([]), 500);"""
            for language in ("de-DE", "en-US"):
                browser.speak(language)
                for width in (390, 1280):
                    browser.size(width)
                    browser.screen(server.url, "data")
                    browser.accessible(f"the demo, {language} {width}")
                    check(not browser.all("#import-file"), "Something can be imported into the demo.")
                    browser.screen(server.url, "today")
                    moved = sum(browser.driver.execute_async_script(shifts))
                    check(moved < 0.01, f"The note of the demo moves the page by {moved}.")
                    browser.accessible(f"today of the demo, {language} {width}")
                    browser.screenshot(f"demo-{language}-{width}")
            browser.click("[data-action=leave-demo]")
            browser.wait(
                "return document.documentElement.dataset.screen === 'welcome'", "The demo has no way back."
            )
            check(not browser.all(".demo-note"), "The own store is called a demo.")
            check(server.hk_json("types")["count"] == 0, "The demo is in the own store.")
            browser.clean("demo data")
        finally:
            browser.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})
            browser.speak("en-US")
            browser.driver.execute_script("sessionStorage.clear()")
            browser.go("about:blank")
            server.stop()

    def test_server_that_only_shows_a_demo(self):
        """The page says so on every screen, and there is nothing behind it to go back to."""
        browser = self.browser
        store = self.work / "nobody.sqlite"
        server = Server(self.server.hk, store, self.zone, options=("--demo",))
        try:
            browser.size(1280)
            browser.go(server.sign_in)
            browser.wait("return document.querySelector('.demo-note')", "The page doesn't say that it is a demo.")
            browser.settle()
            check(number(browser.text("[data-figure=steps]")) > 0, "The demo person has no steps today.")
            browser.screen(server.url, "data")
            check(browser.all(".demo-note") and not browser.all("[data-action=leave-demo]"), "The demo can be left.")
            check(not browser.all("#import-file"), "Something can be imported into the demo.")
            browser.accessible("the only demo")
            check(not store.exists(), "The demo has made a store.")
            browser.clean("a server that only shows a demo")
        finally:
            browser.go("about:blank")
            server.stop()
