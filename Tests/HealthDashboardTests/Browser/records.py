"""Every kind of data has a screen: what a store can hold is opened, and drawn as the server says."""

import base64
import datetime
import math
import time

from browser import Keys, check
from languages import english_sentences
from page_test import PageTest
from server import Server, number

CLINICAL_DOCUMENT = (
    '<ClinicalDocument xmlns="urn:hl7-org:v3"><component><structuredBody><component><section><title>Allergies</title>'
    "<text><list><item>Grass pollen</item></list><table><tbody><tr><th>Test</th><td>positive</td></tr></tbody></table>"
    "</text></section></component></structuredBody></component></ClinicalDocument>"
)
FAILED = "could not be loaded"

# What is looked at closely, with what it must say.
LOOKED_AT = {
    "HKDataTypeIdentifierElectrocardiogram": ["Average heart rate", "Symptoms", "25 mm/s", "10 mm/mV"],
    "HKDataTypeIdentifierAudiogram": ["Left ear", "Right ear", "dB HL", "kHz"],
    "HKVisionPrescriptionTypeIdentifier": ["Sphere (SPH)", "Right eye (OD)", " D"],
    "HKClinicalTypeIdentifierLabResultRecord": ["Ferritin", "ng/mL", "Institution"],
    "HKDocumentTypeIdentifierCDA": ["Allergies", "Grass pollen", "positive"],
    "HKDataTypeIdentifierMedicationDoseEvent": ["Taken", "Skipped", "1 tablet", "Morning pill"],
    "HKDataTypeIdentifierUserAnnotatedMedicationConcept": ["Morning pill", "RxNorm 261962"],
    "HKDataTypeIdentifierHeartbeatSeries": ["Beats", "Intervals", "ms"],
    "HKDataTypeStateOfMind": ["Pleasantness over time", "Calm", "Family"],
    "HKScoredAssessmentTypeIdentifierGAD7": ["5 of 21", "Mild", "Trouble relaxing"],
    "HKScoredAssessmentTypeIdentifierPHQ9": ["27", "Several days"],
    "HKCorrelationTypeIdentifierBloodPressure": ["121/79", "mmHg"],
    "HKCorrelationTypeIdentifierFood": ["kcal"],
    "HKCategoryTypeIdentifierMenstrualFlow": ["28 days", "Heavy flow", "Positive ovulation test"],
    "HKWorkoutRouteTypeIdentifier": ["locations"],
    "HKDataTypeSleepDurationGoal": ["Average"],
    "HKQuantityTypeIdentifierTimeInDaylight": ["Total"],
}


def samples(now):
    """One of each kind that an archive doesn't have."""

    def at(days, hours=0.0):
        return (now - datetime.timedelta(days=days, hours=hours)).isoformat()

    concept = {"medicationConceptIdentifier": "concept-1"}
    made = [
        {
            "type": "HKDataTypeIdentifierUserAnnotatedMedicationConcept",
            "startDate": at(20),
            "fields": {
                **concept,
                "displayText": "Ramipril 5 mg tablet",
                "nickname": "Morning pill",
                "isArchived": False,
                "hasSchedule": True,
                "generalForm": "tablet",
                "relatedCodings": [{"system": "http://www.nlm.nih.gov/research/umls/rxnorm", "code": "261962"}],
            },
        },
        {
            "type": "HKDocumentTypeIdentifierCDA",
            "startDate": at(2),
            "fields": {
                "documentData": {"data": base64.b64encode(CLINICAL_DOCUMENT.encode()).decode()},
                "title": "Visit summary",
                "patientName": "Ann",
            },
        },
        {
            "type": "bloodPressure",
            "startDate": at(1),
            "objects": [
                {"type": "bloodPressureSystolic", "quantity": 121, "unit": "mmHg"},
                {"type": "bloodPressureDiastolic", "quantity": 79, "unit": "mmHg"},
            ],
        },
        {"type": "ovulationTestResult", "startDate": at(3), "value": 2},
        {"type": "appetiteChanges", "startDate": at(4), "value": 2},
        {
            "type": "timeInDaylight",
            "startDate": at(1, 1),
            "endDate": at(1),
            "quantity": 25,
            "unit": "min",
        },
        {"type": "HKScoredAssessmentTypeIdentifierPHQ9", "startDate": at(2),
         "fields": {"answers": [1, 0, 1, 1, 0, 0, 1, 0, 0], "score": 4}},
    ]
    for days in (3, 33):
        fields = {"answers": [1, 0, 1, 1, 1, 0, 1], "score": 5}
        made.append({"type": "HKScoredAssessmentTypeIdentifierGAD7", "startDate": at(days), "fields": fields})
    for days in range(14):
        valence = round(0.9 * math.sin(days / 3), 2)
        fields = {"kind": 1 + days % 2, "valence": valence, "labels": [7, 17], "associations": [5]}
        made.append({"type": "HKDataTypeStateOfMind", "startDate": at(days, 1), "fields": fields})
        fields = {**concept, "logStatus": 4 if days % 4 else 5, "scheduleType": 2, "doseQuantity": 1, "unit": "tablet"}
        made.append({"type": "HKDataTypeIdentifierMedicationDoseEvent", "startDate": at(days, 2), "fields": fields})
        severity = ["mild", "moderate", "severe"][days % 3]
        made.append({"type": "headache", "startDate": at(days, 3), "endDate": at(days, 2), "value": severity})
    for cycle in range(4):
        for day, flow in enumerate([2, 4, 4, 3]):
            start = at(28 * cycle + 12 - day)
            metadata = {"HKMenstrualCycleStart": day == 0}
            made.append({"type": "menstrualFlow", "startDate": start, "value": flow, "metadata": metadata})
    return made


def server_with_everything(hk, work, name, zone):
    """A server whose new store has each kind of data."""
    server = Server(hk, work / f"{name}.sqlite", zone)
    archive = work / "records.zip"
    if not archive.exists():
        server.hk_run("generate", str(archive), "--records", "12000", "--ios", "26", "--no-defects")
    server.hk_run("import", str(archive), "--quiet")
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    server.post(server.owner_token(), samples(now))
    return server


class RecordTests(PageTest):
    def test_every_kind_has_a_screen(self):
        browser = self.browser
        server = server_with_everything(self.server.hk, self.work, "records", self.zone)
        try:
            browser.size(1280)
            browser.go(server.sign_in)
            browser.settle()
            self.check_listing(server)
            types = server.hk_json("types")["types"]
            for one in types:
                if one["kind"] == "quantity" and one["type"] not in LOOKED_AT:
                    continue
                self.check_screen(server, one["type"])
            self.check_recording(server)
            self.check_audiogram(server)
            self.check_symptoms(server)
            self.check_cycles(server)
            self.check_looks(server)
        finally:
            browser.go("about:blank")
            server.stop()

    def check_listing(self, server):
        """Both lists of types have all that the store holds, and each leads to a screen."""
        browser = self.browser
        stored = len(server.hk_json("types")["types"])
        for path, links in (("trends", ".masonry a[href^='#/trends/']"), ("data", ".list a[href^='#/trends/']")):
            browser.screen(server.url, path)
            browser.wait(f"return document.querySelector(\"{links}\")", f"{path} has no types.")
            addresses = {one.get_attribute("href") for one in browser.all(links)}
            addresses.discard(f"{server.url}/#/trends/symptoms")
            check(len(addresses) == stored, f"{path} leads to {len(addresses)} of {stored} types.")

    def check_screen(self, server, identifier):
        browser = self.browser
        own = {
            "HKWorkoutTypeIdentifier": "workouts",
            "HKCategoryTypeIdentifierSleepAnalysis": "sleep",
            "HKActivitySummaryTypeIdentifier": "rings",
        }
        browser.screen(server.url, f"trends/{own.get(identifier, f'type/{identifier}')}")
        text = browser.text("main")
        check(FAILED not in text, f"{identifier} opens an error: {text[:300]}")
        for expected in LOOKED_AT.get(identifier, []):
            check(expected in text, f"{identifier} doesn't say “{expected}”: {text[:600]}")
        for item in browser.all("[data-record]")[1:2]:
            browser.press(item)
            browser.wait("return document.querySelectorAll('[aria-current=true]').length === 1", "No record opens.")
            check(FAILED not in browser.text("main"), f"The second record of {identifier} opens an error.")
        browser.clean(identifier)

    def check_recording(self, server):
        """A recording is on paper in millimeters, to scale, and is read and printed."""
        browser = self.browser
        browser.screen(server.url, "trends/type/HKDataTypeIdentifierElectrocardiogram")
        read = "return [...document.querySelectorAll('.paper')].map((one) => [one.viewBox.baseVal.width, one.clientWidth])"
        strips = browser.wait(read, "There is no paper.")
        seconds = strips[0][0] / 25
        check(seconds == round(seconds) and seconds * len(strips) >= 30, f"The strips are {strips}.")
        scale = strips[0][1] / strips[0][0]
        check(abs(scale - 96 / 25.4) < 0.05, f"A millimeter has {scale} pixels.")
        uuid = browser.one("[data-record][aria-current]").get_attribute("data-record")
        answer = browser.ask(f"/v1/people/me/electrocardiograms/{uuid}")["voltageMeasurements"]
        drawn = browser.driver.execute_script(
            "return [...document.querySelectorAll('.paper .trace')].map((one) => one.getAttribute('d')).join('')"
        )
        known = sum(value is not None for value in answer["appleWatchSimilarToLeadI"])
        check(drawn.count("M") + drawn.count("L") == known, f"{known} voltages are drawn otherwise.")
        browser.press(browser.button("200%" if browser.all("[data-value='2']") else "200 %"))
        larger = browser.driver.execute_script(read)
        check(larger[0][1] / larger[0][0] > 1.9 * scale, f"Zooming makes {larger}.")
        strip = browser.one(".ecg [role=slider]")
        browser.driver.execute_script("arguments[0].focus()", strip)
        browser.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        said = strip.get_attribute("aria-valuetext")
        check(" s · " in said and said.endswith("mV"), f"A strip says “{said}”.")
        # What is printed is a separate sheet.
        browser.driver.execute_script("globalThis.printed = 0; globalThis.print = () => { printed += 1; }")
        browser.press(browser.button("Print"))
        sheet = browser.driver.execute_script(
            "const strips = [...document.querySelectorAll('.sheet .paper')];"
            " return [printed, strips.map((one) => one.getAttribute('width'))]"
        )
        check(sheet == [1, ["250mm"] * len(sheet[1])] and len(sheet[1]) >= 3, f"The sheet is {sheet}.")
        browser.driver.execute_script("dispatchEvent(new Event('afterprint'))")
        check(not browser.all(".sheet"), "The sheet stays after printing.")
        browser.clean("a recording")

    def check_audiogram(self, server):
        """Louder tones are lower, and the cursor reads both ears."""
        browser = self.browser
        browser.screen(server.url, "trends/type/HKDataTypeIdentifierAudiogram")
        points = browser.wait(
            "const line = document.querySelector('polyline.ear-left');"
            " return line && line.getAttribute('points').split(' ').map((one) => one.split(',').map(Number))",
            "The left ear isn't drawn.",
        )
        uuid = browser.one("[data-record][aria-current]").get_attribute("data-record")
        tests = browser.ask(f"/v1/people/me/samples/{uuid}")["fields"]["sensitivityPoints"]
        left = [
            test["sensitivity"]["quantity"] for point in tests for test in point["tests"] if test["side"] == 0
        ]
        order = sorted(range(len(left)), key=lambda index: left[index])
        check(sorted(range(len(left)), key=lambda index: points[index][1]) == order, "Louder tones aren't lower.")
        slider = browser.one(".cursored[role=slider]")
        browser.driver.execute_script("arguments[0].focus()", slider)
        browser.keys(Keys.HOME)
        check("left" in slider.get_attribute("aria-valuetext"), "The cursor doesn't read the ears.")

    def check_symptoms(self, server):
        browser = self.browser
        browser.screen(server.url, "trends/symptoms")
        levels = browser.driver.execute_script(
            "return [0, 1, 2, 3].map((level) => document.querySelectorAll(`td .level-${level}`).length)"
        )
        check(min(levels[1:]) >= 4, f"Fourteen headaches have the levels {levels}.")
        check("Headache" in browser.text("main"), "The headache has no row.")

    def check_cycles(self, server):
        """The calendar and the lengths are those of hk."""
        browser = self.browser
        cycles = server.hk_json("cycles")
        browser.screen(server.url, "trends/type/HKCategoryTypeIdentifierMenstrualFlow")
        rows = browser.driver.execute_script(
            "return [...document.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((one) => one.textContent))"
        )
        check(len(rows) == len(cycles["cycles"]), f"{len(cycles['cycles'])} cycles have {len(rows)} rows.")
        lengths = [one["days"] for one in reversed(cycles["cycles"]) if "days" in one]
        check([number(row[2]) for row in rows if row[2] != "–"] == lengths, f"The lengths are {rows}.")
        check(number(browser.card("Cycle length")[1]["Average cycle"]) == cycles["averageDays"], "The average differs.")
        days = len(browser.all(".cycles [class*='flow-']"))
        check(days >= 8, f"The calendar shows {days} days with flow.")
        self.check_days_far_from_utc(server)

    def check_days_far_from_utc(self, server):
        """Where noon is on another day of UTC, and the browser is elsewhere, days are those of the calendar."""
        browser = self.browser
        browser.driver.execute_script("localStorage.setItem('timeZone', 'Pacific/Kiritimati')")
        browser.screen(server.url, "trends/type/HKCategoryTypeIdentifierMenstrualFlow")
        months = browser.driver.execute_script(
            "return [...document.querySelectorAll('.cycles .month')].map((month) => {"
            " const cells = [...month.querySelectorAll('li')];"
            " const first = cells.findIndex((one) => one.querySelector('.flow')?.textContent === '1');"
            " return [month.querySelector('h3').textContent, first % 7]; })"
        )
        for month, column in months:
            # Weeks of the United States begin on Sunday.
            weekday = datetime.datetime.strptime(month, "%B %Y").isoweekday() % 7
            check(column == weekday, f"{month} begins on weekday {column}, not {weekday}.")
        browser.driver.execute_script("localStorage.setItem('timeZone', 'Pacific/Honolulu')")
        browser.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Pacific/Auckland"})
        browser.screen(server.url, "trends")
        since = browser.driver.execute_async_script(
            """
            const [done] = arguments;
            const data = btoa(JSON.stringify({ resourceType: "Condition", onsetDateTime: "2024-05-01" }));
            import("/records/clinical.js").then(({ details }) =>
              done(details({ fields: { FHIRData: { data } } }).map((one) => one?.textContent).join(" ")));"""
        )
        check("May 1, 2024" in since, f"A condition since May 1, 2024 is {since}")
        browser.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})
        browser.driver.execute_script("localStorage.removeItem('timeZone')")

    def check_looks(self, server):
        """No accessibility violations in both themes, at two widths and in German."""
        browser = self.browser
        names = [name for name in LOOKED_AT if not name.startswith("HKScored")]
        paths = {name: f"trends/type/{name}" for name in names}
        paths["symptoms"] = "trends/symptoms"
        for theme, width in (("light", 1280), ("dark", 390)):
            browser.driver.execute_script("theme.choose(arguments[0])", theme)
            browser.size(width)
            for name, path in paths.items():
                browser.screen(server.url, path)
                time.sleep(0.3)
                browser.screenshot(f"{name}-{width}-{theme}")
                browser.accessible(f"{name} {width} {theme}")
                browser.clean(f"{name} {width} {theme}")
        browser.driver.execute_script("theme.choose('light')")
        # Records of institutions and names of medications are in their own language.
        foreign = ("HKDocument", "HKClinical", "HKDataTypeIdentifierMedication", "HKDataTypeIdentifierUserAnnotated")
        english = english_sentences()
        browser.speak("de-DE")
        try:
            for name, path in paths.items():
                browser.screen(server.url, path)
                time.sleep(0.3)
                browser.screenshot(f"{name}-{width}-german")
                browser.accessible(f"{name} in German")
                if not name.startswith(foreign):
                    self.german(name, english)
        finally:
            browser.speak("en-US")
