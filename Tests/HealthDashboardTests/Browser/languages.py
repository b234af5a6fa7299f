"""The page in German: every screen and dialog without English, with German numbers and dates, and switching."""

import json
import pathlib
import re
import time

from browser import check
from page_test import PageTest
from whole_page import SCREENS

CATALOGUE = pathlib.Path(__file__).parents[3] / "Sources/HealthDashboard/Page/languages/de.json"
DIALOGS = [f"journal/{name}" for name in ("food", "water", "weight", "pressure", "symptom", "mood", "workout")]

# Every text that is seen or read aloud.
TEXTS = """
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      // Time zones have the names of their identifiers.
      const isName = walker.currentNode.textContent.includes("/");
      if (!isName && !walker.currentNode.parentElement.closest("script, style, noscript, code")) {
        texts.push(walker.currentNode.textContent);
      }
    }
    for (const name of ["aria-label", "placeholder", "title", "aria-valuetext"]) {
      for (const one of document.querySelectorAll(`[${name}]`)) texts.push(one.getAttribute(name));
    }
    return texts.map((text) => text.replace(/\\s+/g, " ").trim()).filter(Boolean);"""

ENGLISH_DATES = re.compile(
    r"\b(January|February|March|June|July|October|December|(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|ago)\b"
)


def english_sentences():
    """What the German page never says: a pattern of the English sentences that German has other words for."""
    entries = json.loads(CATALOGUE.read_text())
    patterns = []
    for sentence, translation in entries.items():
        is_same = sentence in (translation if isinstance(translation, dict) else {"other": translation}).values()
        words = re.sub(r"\{\w+\}", "", sentence)
        # Names in code, and sentences of nearly nothing but placeholders, aren’t English.
        if is_same or re.fullmatch(r"[a-z]+[A-Za-z0-9]*|[A-Z]", sentence) or len(words) < 4:
            continue
        patterns.append(".+?".join(re.escape(part) for part in re.split(r"\{\w+\}", sentence)))
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


class LanguageTests(PageTest):
    def german(self, where, english):
        texts = self.browser.driver.execute_script(TEXTS)
        found = [text for text in texts if english.fullmatch(text) or ENGLISH_DATES.search(text)]
        check(not found, f"{where} says in English: {found[:12]}")
        language = self.browser.driver.execute_script("return document.documentElement.lang")
        check(language == "de", f"{where} is marked as {language}.")

    def test_german(self):
        browser, english = self.browser, english_sentences()
        # Foods that the person has added have the words in which they were entered.
        browser.driver.execute_script(
            "for (const key of Object.keys(localStorage)) if (key.startsWith('foods:')) localStorage.removeItem(key)"
        )
        browser.speak("de-DE")
        try:
            for width in (1280, 390):
                browser.size(width)
                for name, path in {**SCREENS, "welcome": "welcome"}.items():
                    browser.screen(self.base, path or getattr(self, "workout", "trends/workouts"))
                    time.sleep(1.2 if name == "today" else 0.5)
                    browser.screenshot(f"{name}-{width}-german")
                    self.german(f"{name} {width}", english)
                    browser.accessible(f"{name} in German, {width}")
            for path in DIALOGS:
                browser.screen(self.base, path)
                browser.one("dialog")
                browser.screenshot(f"{path.replace('/', '-')}-390-german")
                self.german(path, english)
            browser.clean("German")
            self.check_numbers()
            self.check_problem()
            self.check_choice()
        finally:
            browser.speak("en-US")
            # A catalogue that was fetched early is not used when the person has chosen another language.
            browser.forget()
        browser.screen(self.base, "today")
        check(browser.text("h1") == "Today", "The page stays German.")

    def check_numbers(self):
        browser = self.browser
        browser.screen(self.base, "data")
        count, shown = self.server.hk_json("types")["count"], browser.texts("main .figures dd")[0]
        check(shown == f"{count:,}".replace(",", "."), f"{count} samples are shown as {shown}.")
        browser.screen(self.base, "trends/type/HKQuantityTypeIdentifierHeartRate/month")
        title = browser.text(".main-chart h2")
        check(re.search(r"\d\.(?: \w+\.?)?\s?[–-]\s?\d+\. \w+\.? \d{4}$", title), f"The period is {title}.")
        browser.screen(self.base, "trends/sleep")
        nights = " ".join(browser.texts(".list .value"))
        check(re.search(r"\d Std\. \d+ Min\.", nights), f"Nights are shown as {nights[:80]}.")

        # An abbreviation ends a sentence with its own period.
        read = """
            const done = arguments[0];
            const sleep = { type: "HKCategoryTypeIdentifierSleepAnalysis", unit: "s", finding: "week" };
            const values = { direction: "lower", value: 18720, usual: { minimum: 21960, maximum: 28440 } };
            import("/components/highlights.js").then(({ sentence }) => done(sentence({ ...sleep, ...values })));"""
        said = browser.driver.execute_async_script(read)
        check(re.search(r"bis 7 Std\. 54 Min\.$", said), f"A highlight says “{said}”.")

        # Fields write and read the decimal mark and the thousands of the language.
        read = """
            const done = arguments[0];
            import("/app/format.js").then(({ numberIn, numberText }) =>
              done([numberText(71.4), numberIn("71,4"), numberIn("71.4"), numberIn("1.500"), numberIn("1.234,5")]));"""
        fields = browser.driver.execute_async_script(read)
        check(fields == ["71,4", 71.4, 71.4, 1500, 1234.5], f"Fields have {fields}.")
        browser.screen(self.base, "journal/weight")
        weight = browser.one("dialog input").get_attribute("value")
        check(re.fullmatch(r"\d+(,\d)?", weight), f"The last weight is proposed as {weight}.")

    def check_problem(self):
        browser = self.browser
        browser.expected = ["/nothing"]
        browser.go(f"{self.base}/nothing")
        check(browser.text("h1") == "Nicht gefunden", f"A missing page says {browser.text('body')}.")
        language = browser.driver.execute_script("return document.documentElement.lang")
        check(language == "de", f"A problem is marked as {language}.")
        browser.go("about:blank")
        browser.clean("a problem in German")
        browser.expected = []

    def check_choice(self):
        """What the person chooses counts more than the browser's language."""
        browser = self.browser
        for choice, title, tab in (("en", "Profile", "Today"), ("de", "Profil", "Heute"), ("", "Profil", "Heute")):
            browser.screen(self.base, "profile")
            browser.set("select[name=language]", choice)
            browser.wait(
                "return document.documentElement.dataset.screen"
                " && document.querySelector('h1').textContent === arguments[0]"
                " && document.querySelector('.nav a').textContent.trim() === arguments[1]",
                f"Choosing “{choice}” doesn't show “{title}”.",
                title,
                tab,
            )
