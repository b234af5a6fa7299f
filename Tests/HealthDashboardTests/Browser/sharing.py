"""Sharing by topics with a preview, and the report for a doctor, on the screen and as PDF."""

import base64
import datetime
import math
import re
import statistics

from browser import Keys, check
from page_test import PageTest
from records import server_with_everything

PRESSURE = "HKCorrelationTypeIdentifierBloodPressure"
SYSTOLIC = "HKQuantityTypeIdentifierBloodPressureSystolic"
DIASTOLIC = "HKQuantityTypeIdentifierBloodPressureDiastolic"
DAYS_OF_GLUCOSE = 20


def glucose(hour):
    """A fictional course of a day in mg/dL: high after meals, low in the night."""
    return 95 + 85 * max(math.sin((hour - 6) / 24 * 6 * math.pi), -0.5) + (30 if 12 <= hour < 14 else 0)


def measured(midnight):
    """Readings of a sensor, and blood pressure in the morning and in the evening."""
    samples = []
    for day in range(DAYS_OF_GLUCOSE):
        start = midnight - datetime.timedelta(days=day + 1)
        at = lambda hours: (start + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")
        for index in range(96):
            value = round(glucose(index / 4) + (day % 5) * 6 - 12)
            reading = {"type": "bloodGlucose", "startDate": at(index / 4), "quantity": value, "unit": "mg/dL"}
            samples.append(reading)
        for hour, systolic, diastolic in ((7, 128 + day % 4, 81), (20, 120 + day % 3, 76)):
            members = [
                {"type": "bloodPressureSystolic", "quantity": systolic, "unit": "mmHg"},
                {"type": "bloodPressureDiastolic", "quantity": diastolic, "unit": "mmHg"},
            ]
            samples.append({"type": "bloodPressure", "startDate": at(hour), "objects": members})
    return samples


class SharingTests(PageTest):
    def test_sharing_and_report(self):
        browser = self.browser
        server = server_with_everything(self.server.hk, self.work, "sharing", self.zone)
        try:
            today = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=self.offset())
            midnight = today.replace(hour=0, minute=0, second=0, microsecond=0)
            self.samples = measured(midnight - datetime.timedelta(seconds=self.offset()))
            server.post(server.owner_token(), self.samples)
            browser.size(1280)
            browser.go(server.sign_in)
            browser.settle()
            self.choose_topics(server)
            self.check_report(server)
            self.check_pdf(server)
            self.open_link(server)
        finally:
            browser.expected = []
            browser.size(1280)
            browser.driver.execute_script("localStorage.clear()")
            browser.go("about:blank")
            server.stop()

    # Sharing

    def chosen(self):
        """The types that are chosen in a dialog."""
        return {one.get_attribute("value") for one in self.browser.all("dialog [data-kind=read]:checked")}

    def choose_topics(self, server):
        browser = self.browser
        browser.screen(server.url, "data")
        browser.click("[data-action=new-link]")
        browser.wait("return document.querySelector('dialog [data-topic]')", "There are no topics.")
        check(not browser.driver.execute_script("return document.querySelector('dialog [data-name]').offsetParent"),
              "The types of a topic are shown before it is opened.")
        # A topic as a whole.
        all_of = "dialog [data-topic={}] [data-all]"
        browser.click(all_of.format("heart"))
        heart = self.chosen()
        check("HKQuantityTypeIdentifierHeartRate" in heart and PRESSURE not in heart, f"Heart is {heart}.")
        total = len(browser.all("dialog [data-topic=heart] [data-kind=read]"))
        check(f"{total} of {total}" in browser.text("dialog [data-topic=heart] .topic"), "The topic has no count.")
        browser.click(all_of.format("heart"))
        check(not self.chosen(), "A topic can't be taken back.")
        # A correlation goes with its members, however it is found.
        search = browser.one("dialog input[type=search]")
        search.send_keys("blood pressure")
        browser.click(f"dialog input[value={PRESSURE}]")
        check(self.chosen() == {PRESSURE, SYSTOLIC, DIASTOLIC}, f"With the correlation: {self.chosen()}.")
        browser.click(f"dialog input[value={SYSTOLIC}]")
        check(self.chosen() == {DIASTOLIC}, f"A correlation stays without its members: {self.chosen()}.")
        browser.click(f"dialog input[value={PRESSURE}]")
        # “All” is what the search has found.
        search.clear()
        search.send_keys("resting heart")
        browser.click("dialog tbody:first-of-type [data-all]")
        expected = {PRESSURE, SYSTOLIC, DIASTOLIC, "HKQuantityTypeIdentifierRestingHeartRate"}
        check(self.chosen() == expected, f"“All” of a search adds {self.chosen() - expected}.")
        search.clear()
        search.send_keys(Keys.SPACE, Keys.BACKSPACE)
        # What the other person will see.
        browser.click("dialog .preview summary")
        rows = browser.wait("const all = [...document.querySelectorAll('dialog .preview [data-type]')];"
                            " return all.length && all.map((one) => one.dataset.type)", "There is no preview.")
        check(set(rows) == expected, f"The preview has {rows}.")
        check(re.search(r"4 types · [\d,]+ samples · ", browser.text("dialog .preview")), "The preview has no extent.")
        check(not browser.all("dialog .preview a, dialog .preview button"), "The preview leads elsewhere.")
        for width in (390, 1280):
            browser.size(width)
            browser.accessible(f"a link by topics, {width}")
            browser.screenshot(f"sharing-{width}")
        browser.type("dialog input", "Dr. Berg")
        browser.press(browser.button("Make link", "dialog"))
        self.link = browser.wait("return document.querySelector('#new-token')?.textContent", "There is no link.")
        # The dialog before may still be closing.
        browser.wait("return [...document.querySelectorAll('dialog')].some((one) => one.innerText.includes(arguments[0]))",
                     "Nothing says that no other device opens it.", "opens on this machine only")
        browser.accessible("a new link with its revocation")
        browser.keys(Keys.ESCAPE)
        # One that is revoked where it was made.
        browser.click("[data-action=new-link]")
        browser.wait("return document.querySelector('dialog [data-topic]')", "There are no topics.")
        browser.type("dialog input", "Nobody")
        browser.click(all_of.format("heart"))
        browser.press(browser.button("Make link", "dialog"))
        browser.wait("return document.querySelector('#new-token')", "There is no second link.")
        browser.press(browser.button("Revoke", "dialog"))
        browser.wait("return !document.querySelector('dialog') && !document.querySelector('main')"
                     ".innerText.includes('Nobody')", "The link isn't revoked where it was made.")
        browser.clean("sharing by topics")

    def open_link(self, server):
        """The link shows what the preview has shown, and its report."""
        browser = self.browser
        browser.driver.execute_script("localStorage.removeItem('session')")
        browser.go("about:blank")
        browser.go(self.link)
        browser.wait("return document.querySelector('.shared-note')", "The link doesn't open.")
        browser.settle()
        # That nobody is signed in.
        browser.forget()
        rows = browser.wait("const all = [...document.querySelectorAll('main .masonry [data-type]')];"
                            " return all.length && all.map((one) => one.dataset.type)", "The link shows nothing.")
        expected = {PRESSURE, SYSTOLIC, DIASTOLIC, "HKQuantityTypeIdentifierRestingHeartRate"}
        check(set(rows) == expected, f"The link shows {rows}.")
        browser.screen(server.url, "trends/report")
        browser.wait("return document.querySelector('.report .part')", "The report of a link stays empty.")
        parts = [one.get_attribute("data-part") for one in browser.all(".report .part")]
        check(parts == [PRESSURE, "HKQuantityTypeIdentifierRestingHeartRate"], f"The report of a link has {parts}.")
        check("128" in browser.text(".report") or "129" in browser.text(".report"), "The report of a link is empty.")
        check(not browser.all(".chosen input[name=dateOfBirth], .chosen input[name=personName]"), "A guest is asked.")
        browser.clean("the report of a link")

    # The report

    def figures(self, part):
        read = """
            return Object.fromEntries([...document.querySelectorAll(`[data-part=${arguments[0]}] .figures > div`)]
              .map((one) => [one.querySelector("dt").textContent, one.querySelector("dd").textContent]));"""
        return self.browser.driver.execute_script(read, part)

    def check_report(self, server):
        browser = self.browser
        browser.screen(server.url, "trends/report")
        browser.wait("return document.querySelectorAll('.report .part').length > 5", "The report lacks topics.")
        # The name and the date of birth are asked for once, and may be left out.
        browser.one("input[name=personName]").send_keys("Mia Berg", Keys.TAB)
        named = "return document.querySelector('.report-person')?.innerText ?? ''"
        browser.wait("return document.querySelector('.report-person')?.innerText.includes('Mia Berg')",
                     "The name isn't in the report.")
        if browser.all("input[name=dateOfBirth]"):
            browser.set("input[name=dateOfBirth]", "1980-05-03")
            browser.wait("return document.querySelector('.report-person')?.innerText.includes('1980')",
                         "The date of birth isn't in the report.")
        browser.screen(server.url, "trends/report")
        browser.wait("return document.querySelector('.report-person')", "The report doesn't keep whose it is.")
        check(re.match(r"Mia Berg, born .*\d{4}$", browser.driver.execute_script(named)), "The person isn't named.")
        check(not browser.all(".chosen input[name=personName], .chosen input[name=dateOfBirth]"), "It is asked again.")
        browser.click(".chosen input[name=person]")
        browser.wait("return !document.querySelector('.report-person')", "The name can't be left out.")
        check("Mia" not in browser.text(".report"), "The name is somewhere else.")
        browser.click(".chosen input[name=person]")
        browser.wait("return document.querySelector('.report-person')", "The name doesn't come back.")
        self.check_glucose()
        self.check_pressure()
        for part in browser.all(".report .part"):
            name = part.get_attribute("data-part")
            if "Electrocardiogram" in name:
                continue
            texts = browser.texts(f"[data-part={name}] .report-chart text")
            check(len(texts) > 6, f"The chart of {name} has no axes: {texts}.")
            check(browser.all(f"[data-part={name}] tbody tr"), f"{name} has no table by week.")
        for theme, width in (("dark", 390), ("light", 1280)):
            browser.driver.execute_script("theme.choose(arguments[0])", theme)
            browser.size(width)
            browser.accessible(f"the report, {width} {theme}")
            browser.screenshot(f"report-{width}-{theme}")
        browser.clean("the doctor's report")

    def check_glucose(self):
        """The figures are those of an independent computation over the readings."""
        values = [one["quantity"] for one in self.samples if one["type"] == "bloodGlucose"]
        figures = self.figures("HKQuantityTypeIdentifierBloodGlucose")
        for name, value in (("Average", statistics.mean(values)), ("Median", statistics.median(values))):
            check(figures[name].startswith(f"{value:.0f}"), f"{name} is {figures[name]}, not {value}.")
        gmi = 3.31 + 0.02392 * statistics.mean(values)
        check(figures["GMI (estimated HbA1c)"] == f"{gmi:.1f}%", f"The GMI is {figures}, not {gmi}.")
        cells = self.browser.texts("[data-part=HKQuantityTypeIdentifierBloodGlucose] table:first-of-type td")
        shown = {cells[index]: cells[index + 1] for index in range(0, 15, 3)}
        inside = sum(70 <= value <= 180 for value in values) / len(values)
        below = sum(54 <= value < 70 for value in values) / len(values)
        check(shown["70–180"] == f"{inside * 100:.0f}%", f"In range: {shown}, not {inside}.")
        check(shown["54–69"] == f"{below * 100:.0f}%", f"Below the range: {shown}, not {below}.")
        points = self.browser.one("[data-part=HKQuantityTypeIdentifierBloodGlucose] polyline").get_attribute("points")
        check(len(points.split()) == 24, "The profile doesn't have the hours of a day.")

    def check_pressure(self):
        pairs = self.browser.ask(f"/v1/people/me/samples?type=bloodPressure&limit=1000&timeZone={self.zone}")["samples"]
        mornings = [
            {member["type"]: member["quantity"] for member in one["objects"]}
            for one in pairs if 4 <= int(one["startDate"][11:13]) < 12
        ]
        systolic, diastolic = (statistics.mean(one[type] for one in mornings) for type in (SYSTOLIC, DIASTOLIC))
        row = self.browser.texts(f"[data-part={PRESSURE}] tbody tr:first-child td")
        expected = f"{systolic:.0f}/{diastolic:.0f} ({len(mornings)})"
        check(row[1] == expected and len(mornings) >= DAYS_OF_GLUCOSE, f"The mornings are {row}, not {expected}.")

    def check_pdf(self, server):
        """Black on white, a page for each topic, and electrocardiograms at their true scale."""
        browser = self.browser
        browser.driver.execute_script("theme.choose('dark')")
        browser.screen(server.url, "trends/report")
        browser.wait("return document.querySelector('.report .strips')", "The report has no strips.")
        parts = len(browser.all(".report .part"))
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        width = browser.driver.execute_script(
            "const { width, height } = document.querySelector('.strips svg').getBoundingClientRect();"
            " const box = document.querySelector('.strips svg').viewBox.baseVal;"
            " return [width / box.width * 25.4 / 96, height / box.height * 25.4 / 96]")
        check(all(abs(scale - 1) < 0.01 for scale in width), f"A millimeter of a strip is {width} mm.")
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        paper = {"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": True}
        pdf = self.work / "report.pdf"
        pdf.write_bytes(base64.b64decode(browser.driver.execute_cdp_cmd("Page.printToPDF", paper)["data"]))
        pages = len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes()))
        check(parts <= pages <= parts + 3, f"{parts} topics are on {pages} pages.")
        browser.driver.execute_script("theme.choose('light')")
        browser.clean("the report as PDF")
