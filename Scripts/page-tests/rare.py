"""What happens rarely: an upload that is interrupted, a server without Chart.js, a date of the year 1, a store with nothing in it."""

import json

from browser import check
from server import Server, number


class RareTests:
    def test_interrupted_upload(self):
        b = self.b
        b.size(390)
        b.screen(self.base, "data")
        slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 400_000}
        b.driver.execute_cdp_cmd("Network.enable", {})
        b.driver.execute_cdp_cmd("Network.emulateNetworkConditions", slow)
        b.driver.find_element("id", "import-file").send_keys(str(self.archive))
        b.press(b.button("Pause"))
        b.wait("return document.getElementById('import-file')", "The upload can't be paused.")
        b.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**slow, "uploadThroughput": -1})
        kept = b.driver.execute_script("return Object.keys(localStorage).filter((key) => key.startsWith('import:')).length")
        check(kept == 1, f"The page remembers {kept} uploads.")
        b.driver.get_log("performance")
        b.driver.find_element("id", "import-file").send_keys(str(self.archive))
        b.wait("return document.querySelector('[data-import=finished]')", "The upload doesn't continue.", 120)
        messages = [json.loads(entry["message"])["message"] for entry in b.driver.get_log("performance")]
        requests = [one["params"]["request"] for one in messages if one["method"] == "Network.requestWillBeSent"]
        check(not any(one["method"] == "POST" and one["url"].endswith("/imports") for one in requests), "The upload begins again.")
        check(any(one["method"] == "PATCH" for one in requests), "Nothing is sent.")
        b.driver.get_log("browser")

    def test_server_without_charts(self):
        b = self.b
        b.driver.execute_cdp_cmd("Network.enable", {})
        b.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/vendor/chart.js"]})
        b.expected = ["vendor/chart.js"]
        b.screen(self.base, "trends/type/HKQuantityTypeIdentifierStepCount/week")
        b.wait("return document.querySelector('.chart')?.textContent.includes('libjs-chart.js')", "The page doesn't say that Chart.js is missing.")
        b.press(b.button("Table"))
        check(len(b.all("tbody tr")) == 7, "Without charts there are no values either.")
        b.accessible("a server without Chart.js")
        b.clean("a server without Chart.js")
        b.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
        b.expected = []

    def test_date_of_the_year_1(self):
        b = self.b
        server = Server(self.server.hk, self.work / "year-1.sqlite", self.zone)
        try:
            server.hk_run("add", "heartRate", "61", "count/min", "--start", "0001-01-02T08:00")
            server.hk_run("add", "heartRate", "71", "count/min", "--start", "2024-01-02T08:00")
            b.size(1280)
            b.go(server.sign_in)
            b.settle()
            b.screen(server.url, "trends/type/HKQuantityTypeIdentifierHeartRate/month")
            b.press(b.button("Table"))
            b.press(b.button("All"))
            b.wait("return document.querySelector('.main-chart h2').textContent.startsWith('Jan 1, 1 –')", "The whole time doesn't begin in the year 1.")
            b.wait("return document.querySelectorAll('tbody tr').length > 2000", "The years are missing.")
            options = b.driver.execute_script("return [...document.querySelector('[aria-label=Divided]').options].map((one) => one.value)")
            check(options == ["year"], f"2,000 years can be divided by {options}.")
            for path in ("trends", "today", "journal", "data"): b.screen(server.url, path)
            b.clean("a date of the year 1")
        finally:
            b.go("about:blank")
            server.stop()

    def test_demo_person(self):
        b = self.b
        # A store of its own, as only an empty one takes demo data.
        server = Server(self.server.hk, self.work / "demo.sqlite", self.zone)
        try:
            b.size(390)
            b.go(server.sign_in)
            b.wait("return document.documentElement.dataset.screen === 'welcome'", "An empty store doesn't offer demo data.")
            b.click("[data-action=demo]")
            b.wait("return document.documentElement.dataset.screen === 'today'", "The demo person doesn't arrive.", 120)
            b.settle()
            check(number(b.text("[data-figure=steps]")) > 0, "The demo person has no steps today.")
            b.clean("demo data")
        finally:
            b.go("about:blank")
            server.stop()
