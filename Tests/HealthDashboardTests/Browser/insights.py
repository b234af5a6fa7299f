"""What stands out, two types on one chart with notes, pinned types, and the report to print."""

import base64
import re
import time

from browser import check
from page_test import PageTest
from server import number


class InsightTests(PageTest):
    def test_highlights_say_what_hk_says(self):
        browser = self.browser
        browser.size(390)
        browser.screen(self.base, "today")
        answer = browser.ask(f"/v1/people/me/highlights?timeZone={self.zone}")
        told = self.server.hk_json("highlights")
        sentences = [one["text"] for one in told["highlights"]]
        check(sentences == [one["text"] for one in answer["highlights"]], f"hk says {sentences}.")
        check(browser.texts("[data-highlight] .detail") == sentences, f"The page doesn't say {sentences}.")
        names = browser.texts("[data-highlight] .title")
        check(names == [one["name"] for one in told["highlights"]], f"The page names {names}.")
        if told["usual"]:
            text = browser.text("[data-usual]")
            check(all(one["name"] in text for one in told["usual"]), f"As usual are not only {text}.")
        for link in browser.all("[data-highlight] a"):
            check(re.search(r"#/trends/(type/\w+/month|sleep)$", link.get_attribute("href")), "A link leads nowhere.")
        browser.clean("highlights")

    def test_sentences_equal_the_server(self):
        """A week that stands out, in every form: the page and the server choose the same words and digits."""
        browser = self.browser
        browser.screen(self.base, "today")
        monday = "2026-11-23T12:00:00Z"
        measures = [
            ("HKQuantityTypeIdentifierRestingHeartRate", "count/min", "week", "higher", 60, 52.61, 55.3, 1, None),
            ("HKQuantityTypeIdentifierStepCount", "count", "week", "lower", 4210.4, 7000, 12800.2, 0, None),
            ("HKCategoryTypeIdentifierSleepAnalysis", "s", "week", "lower", 18720, 21960, 28440, 0, None),
            ("HKQuantityTypeIdentifierOxygenSaturation", "%", "day", "lower", 0.881, 0.94, 1, 1, monday),
            ("HKQuantityTypeIdentifierRespiratoryRate", "count/min", "day", "higher", 19, 13, 16, 0, monday),
        ]
        expected = [
            "60 bpm on average in the last 7 days, above your usual 52.6 to 55.3 bpm.",
            "4,210 a day in the last 7 whole days, below your usual 7,000 to 12,800.",
            "5 h 12 min a night in the last 7 nights, below your usual 6 h 6 min to 7 h 54 min.",
            "88.1 % on Monday, below your usual 94 to 100 %.",
            "19 br/min on Monday, above your usual 13 to 16 br/min.",
        ]
        script = """
            const [measures, done] = arguments;
            import("/components/highlights.js").then(({ sentence }) => done(measures.map((one) => {
              const [type, unit, finding, direction, value, minimum, maximum, fractionDigits, valueDate] = one;
              const isCumulative = type.endsWith("StepCount");
              return sentence({ type, unit, finding, direction, value, usual: { minimum, maximum }, fractionDigits,
                valueDate, isCumulative });
            })));"""
        said = browser.driver.execute_async_script(script, measures)
        check(said == expected, f"The page says {said}.")

    def test_pinned_types_come_first(self):
        browser = self.browser
        browser.size(1280)
        browser.screen(self.base, "trends")
        types = browser.ask(f"/v1/people/me/types?recent=true&timeZone={self.zone}")["types"]
        mass = next(one for one in types if one["name"] == "bodyMass")["recent"]
        row = browser.text("[data-type=HKQuantityTypeIdentifierBodyMass] .value")
        check(abs(number(row) - mass["value"]) <= 0.06, f"The latest weight is {row}, the answer {mass['value']}.")
        lines = browser.all("[data-type] .weeks svg")
        check(len(lines) > 5, f"{len(lines)} types have a line.")
        for name in ("HKQuantityTypeIdentifierBodyMass", "HKQuantityTypeIdentifierStepCount"):
            browser.click(f"[data-type={name}] .pin")
            browser.wait(
                "return document.querySelector(`[data-type=${arguments[0]}] .pin`).ariaPressed === 'true'",
                "The type isn't pinned.",
                name,
            )
            check(browser.focused().startswith("Pin "), f"The focus is on “{browser.focused()}”.")
        check(browser.texts(".favorites h2") == ["Weight", "Steps"], "The pinned types aren't first, in their order.")
        browser.accessible("pinned types")
        browser.screen(self.base, "trends")
        check(browser.texts(".favorites h2") == ["Weight", "Steps"], "The server doesn't keep what is pinned.")
        for name in ("HKQuantityTypeIdentifierBodyMass", "HKQuantityTypeIdentifierStepCount"):
            browser.click(f"[data-type={name}] .pin")
            browser.wait(
                "return document.querySelector(`[data-type=${arguments[0]}] .pin`).ariaPressed === 'false'",
                "The type stays pinned.",
                name,
            )
        browser.clean("pinned types")

    def test_two_types_and_notes(self):
        browser = self.browser
        browser.size(1280)
        browser.screen(self.base, "trends/compare/restingHeartRate/stepCount")
        axes = browser.wait(
            "const chart = globalThis.Chart?.getChart(document.querySelector('canvas'));"
            " return chart?.data.datasets.map((set) => set.yAxisID)",
            "Nothing is drawn.",
        )
        check(axes == ["left", "right"], f"The types have the axes {axes}.")
        heart = self.server.hk_json("stats", "restingHeartRate", "--last", "30d")["statistics"][0]
        shown = browser.texts("main .summary dd")
        check(abs(number(shown[0]) - heart["averageQuantity"]) <= 0.51, f"The average is shown as {shown[0]}.")
        browser.press(browser.button("Add a note"))
        browser.accessible("the dialog of a note")
        browser.press(browser.button("Save", "dialog"))
        browser.wait("return document.querySelector('dialog').innerText.includes('Enter a note')", "It needs no text.")
        browser.type("dialog input[type=text]", "New medication")
        browser.press(browser.button("Save", "dialog"))
        browser.wait("return document.querySelector('main .list .title')?.textContent === 'New medication'", "No note.")
        notes = browser.ask("/v1/people/me/annotations")["annotations"]
        check([one["text"] for one in notes] == ["New medication"], f"The server keeps {notes}.")
        browser.screen(self.base, "trends/type/HKQuantityTypeIdentifierStepCount/month")
        drawn = "return globalThis.Chart?.getChart(document.querySelector('canvas'))?.config.plugins.map(({ id }) => id)"
        check("marks" in browser.wait(drawn, "The chart of a type isn't drawn."), "It has no place for notes.")
        for width in (390, 1280):
            browser.size(width)
            browser.screen(self.base, "trends/compare/restingHeartRate/heartRate")
            browser.wait("return document.querySelector('main .list .title')", "The note isn't kept.")
            for name in ("Week", "6 months", "Year", "Month"):
                browser.press(browser.button(name))
                time.sleep(0.2)
            browser.accessible(f"two types at {width} px")
        browser.press(browser.button("Delete New medication"))
        browser.wait("return !document.querySelector('main .list .title')", "The note stays.")
        check(browser.focused(), "The focus is lost.")
        check(browser.ask("/v1/people/me/annotations")["annotations"] == [], "The server keeps the note.")
        browser.clean("two types")

    def test_report(self):
        browser = self.browser
        for width in (390, 1280):
            browser.size(width)
            browser.screen(self.base, "trends/report")
            browser.wait("return document.querySelectorAll('.report .part').length > 2", "The report is empty.")
            browser.accessible(f"the report at {width} px")
        days = {"start": browser.one("input[type=date]").get_attribute("value")}
        mass = self.server.hk_json("stats", "bodyMass", "--from", days["start"])["statistics"][0]
        part = "[data-part=HKQuantityTypeIdentifierBodyMass]"
        shown = browser.texts(f"{part} dd")
        for text, name in zip(shown, ("averageQuantity", "minimumQuantity", "maximumQuantity")):
            check(abs(number(text) - mass[name]) <= 0.06, f"The {name} of weight is {text}, hk says {mass[name]}.")
        pairs = browser.texts("[data-part=HKCorrelationTypeIdentifierBloodPressure] .readings b")
        check(pairs and all(re.match(r"\d+/\d+$", one) for one in pairs), f"The pairs are {pairs}.")
        found = browser.texts("[data-part=HKDataTypeIdentifierElectrocardiogram] tbody tr")
        listed = self.server.hk_json("samples", "electrocardiogram", "--from", days["start"], "--limit", "0")["samples"]
        check(len(found) == min(200, len(listed)), f"{len(found)} of {len(listed)} electrocardiograms are listed.")
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        hidden = "return [...document.querySelectorAll('.nav, .head, .chosen')].every((one) => !one.offsetParent)"
        check(browser.driver.execute_script(hidden), "Navigation or choices are printed.")
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        pdf = base64.b64decode(browser.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
        check(pdf.startswith(b"%PDF"), "The report isn't printed.")
        # A day is typed without losing the focus, and either day ends what is wrong.
        start, end = browser.all("input[type=date]")
        day, today = start.get_attribute("value"), end.get_attribute("value")
        browser.driver.execute_script("arguments[0].focus()", start)
        browser.keys(*"12319999")
        check(browser.driver.switch_to.active_element == start, "Typing a day loses the focus.")
        browser.wait("return document.querySelector('.chosen [aria-invalid=true]')", "A wrong day isn't marked.")
        browser.set(f"#{end.get_attribute('id')}", "2000-01-01")
        browser.wait("return document.querySelector('.chosen [aria-invalid=true]')", "A wrong day isn't marked.")
        browser.set(f"#{start.get_attribute('id')}", "1999-12-01")
        browser.wait("return !document.querySelector('.chosen [aria-invalid=true]')", "The mark stays.")
        browser.set(f"#{end.get_attribute('id')}", today)
        browser.set(f"#{start.get_attribute('id')}", day)
        # Without any type, the report says so.
        for box in browser.all(".choices input:checked"):
            browser.press(box)
        browser.wait("return document.querySelector('.report .empty')", "An empty report isn't explained.")
        browser.clean("the report")

    def test_every_screen_is_printed(self):
        """Paper has the title and what can be pressed to see more of it, but nothing to press, and is light."""
        browser = self.browser
        browser.size(1280)
        visible = "return [...document.querySelectorAll(arguments[0])].filter((one) => one.offsetParent).length"
        for path, shown in (("trends/rings", ".months ol button"), ("trends/sleep", "[data-night] .title")):
            browser.screen(self.base, path)
            count = browser.driver.execute_script(visible, shown)
            browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            printed = [browser.driver.execute_script(visible, one) for one in (shown, "h1", "main .button, .segmented")]
            check(printed == [count, 1, 0] and count > 7, f"Of {count} rows of {path}, titles and buttons: {printed}.")
            browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        theme = "dispatchEvent(new Event(arguments[0])); return document.documentElement.dataset.theme"
        browser.driver.execute_script("theme.choose('dark')")
        themes = [browser.driver.execute_script(theme, one) for one in ("beforeprint", "afterprint")]
        check(themes == ["light", "dark"], f"Printing has the themes {themes}.")
        browser.driver.execute_script("theme.choose('light')")
        browser.clean("printing")
