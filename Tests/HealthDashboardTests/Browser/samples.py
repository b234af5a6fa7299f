"""Every sample: a wrong value is found from the chart and deleted, all data of a source goes, and any type is logged."""

from browser import Keys, check
from page_test import PageTest
from server import Server

HEART_RATE = "HKQuantityTypeIdentifierHeartRate"


class SampleTests(PageTest):
    def test_every_sample(self):
        browser = self.browser
        server = Server(self.server.hk, self.work / "samples.sqlite", self.zone)
        try:
            for value in (61, 72):
                server.hk_run("add", "heartRate", str(value), "count/min")
            server.hk_run("add", "heartRate", "5000000", "count/min", "--allow-implausible")
            server.hk_run("add", "bloodPressure", "120/80")
            browser.size(1280)
            browser.go(server.sign_in)
            browser.settle()
            self.check_wrong_value(server)
            self.check_logging(server)
            self.check_source(server)
            browser.clean("every sample")
        finally:
            browser.expected = []
            browser.go("about:blank")
            server.stop()

    def check_wrong_value(self, server):
        """From the chart: all data, then the highest first."""
        browser = self.browser
        browser.screen(server.url, f"trends/type/{HEART_RATE}/month")
        browser.click("[data-action=all-data]")
        browser.wait("return document.querySelectorAll('main details').length === 3", "Not all samples are listed.")
        browser.settle()
        hash_ = browser.driver.execute_script("return location.hash")
        check("from=" in hash_ and "to=" in hash_, f"{hash_} lacks the period of the chart.")
        selects = browser.all("main select")
        browser.set(f"#{selects[-1].get_attribute('id')}", "-value")
        wrong = "return document.querySelector('main details .title').textContent.startsWith('5,000,000')"
        browser.wait(wrong, "The wrong value isn't the first.")
        days = [f"#{one.get_attribute('id')}" for one in browser.all("main [type=date]")]
        first = browser.driver.execute_script("return document.querySelector(arguments[0]).value", days[1])
        browser.set(days[1], "2001-01-01")
        browser.wait("return document.querySelector('main [aria-invalid=true]')", "A range without days is taken.")
        check("before the first" in browser.text("main .fields"), "Nothing says what is wrong with the days.")
        browser.set(days[1], first)
        browser.wait("return !document.querySelector('main [aria-invalid=true]')", "The mistake stays.")
        browser.settle()
        browser.click("main summary")
        browser.wait("return document.querySelector('main details dl')", "A sample doesn't open.")
        browser.accessible("a sample")
        browser.click("main li button[aria-label^='Delete Heart Rate, 5,000,000']")
        browser.accessible("the deletion of a sample")
        browser.press(browser.button("Delete", "dialog"))
        browser.wait("return document.querySelectorAll('main details').length === 2", "The sample isn't deleted.")
        found = server.hk_json("samples", "heartRate", "--limit", "9")["samples"]
        check(sorted(one["quantity"] for one in found) == [61, 72], f"hk has {found}.")

    def check_logging(self, server):
        """Glucose is found by name; a slip is asked about, and can be logged again and edited."""
        browser = self.browser
        browser.screen(server.url, "journal")
        browser.click("[data-log=more]")
        browser.type("dialog input[type=search]", "gluc")
        browser.accessible("the search of what to log")
        browser.click("[data-loggable=bloodGlucose]")
        browser.wait(
            "return document.querySelector('dialog h2')?.textContent === 'Blood Glucose'", "Glucose has no form."
        )
        browser.expected = ["/samples"]
        browser.type("dialog input[inputmode=decimal]", "99999")
        browser.click("dialog button[type=submit]")
        browser.wait("return document.querySelectorAll('dialog').length === 2", "A slip is not asked about.")
        asked = "return document.querySelectorAll('dialog')[1].textContent.includes('5,000 mg/dL')"
        browser.wait(asked, "The question doesn't name the range.")
        browser.keys(Keys.ESCAPE)
        browser.wait("return document.querySelectorAll('dialog').length === 1", "The question stays.")
        browser.type("dialog input[inputmode=decimal]", "95")
        browser.click("dialog button[type=submit]")
        browser.wait("return document.querySelector('.toast')?.textContent.includes('95')", "Glucose isn't logged.")
        browser.forget()
        saved = server.hk_json("samples", "bloodGlucose", "--limit", "9")["samples"]
        check([one["quantity"] for one in saved] == [95], f"hk has {saved}.")
        browser.screen(server.url, "journal")
        browser.press(browser.button("Log again: Blood Glucose · 95 mg/dL"))
        browser.wait(
            "return document.querySelectorAll('main .list button[aria-label^=\"Edit Blood Glucose\"]').length === 2",
            "Glucose isn't logged again.",
        )
        browser.screen(server.url, "journal/menstrualFlow")
        browser.press(browser.all("dialog .flow:enabled")[0])
        browser.accessible("the calendar of periods")
        browser.press(browser.button("Log", "dialog"))
        browser.wait("return !document.querySelector('dialog')", "A period isn't logged.")
        flow = server.hk_json("samples", "menstrualFlow", "--limit", "9")["samples"]
        check(len(flow) == 1 and flow[0]["metadata"]["HKMenstrualCycleStart"] in (True, 1), f"hk has {flow}.")

    def check_source(self, server):
        """An account of what goes, and then nothing of it is left."""
        browser = self.browser
        browser.screen(server.url, "data")
        browser.click("main [data-source='org.openhealthkit.hk'] button")
        browser.wait("return document.querySelector('dialog tbody')", "There is no account.")
        browser.accessible("the account of a deletion")
        check("5 samples" in browser.text("dialog"), browser.text("dialog"))
        browser.click("dialog button[type=submit]")
        browser.wait("return !document.querySelector('dialog')", "The source isn't deleted.")
        self.until(
            lambda: not server.hk_json("samples", "heartRate", "--limit", "9")["samples"], "Data of the source is left."
        )
        pressures = server.hk_json("samples", "bloodPressureSystolic", "--limit", "9")["samples"]
        check(not pressures, f"Values of the blood pressure are left: {pressures}.")
