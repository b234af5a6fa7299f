"""The page as a whole: the keyboard, installing it, each screen in both themes, and speed."""

import json
import re
import time
import urllib.request

from browser import Keys, check
from page_test import PageTest

SCREENS = {
    "today": "today",
    "journal": "journal",
    "trends": "trends",
    "compare": "trends/compare",
    "report": "trends/report",
    "steps": "trends/type/HKQuantityTypeIdentifierStepCount/month",
    "heart-rate": "trends/type/HKQuantityTypeIdentifierHeartRate/half",
    "samples": "trends/samples/HKQuantityTypeIdentifierHeartRate",
    "stand-hours": "trends/type/HKCategoryTypeIdentifierAppleStandHour/week",
    "sleep": "trends/sleep",
    "workouts": "trends/workouts",
    "workout": None,
    "rings": "trends/rings",
    "data": "data",
    "iphone": "iphone/shortcuts",
    "profile": "profile",
}


# Where a dialog opens, and by what.
DIALOGS = [
    *(("journal", f"[data-log={key}]") for key in ("food", "water", "weight", "pressure", "symptom", "mood")),
    ("journal", "[data-log=workout]"),
    ("journal", "[data-log=more]"),
    ("journal", "main .list button[aria-label^=Delete]"),
    ("journal", "main .list button.rowlike"),
    ("trends/compare", "main .card header button"),
    ("trends/rings", ".month button"),
    ("data", "[data-action=new-token]"),
    ("data", "[data-action=new-link]"),
    ("profile", "button[aria-label^=Rename]"),
    ("profile", "[data-action=password]"),
]


class WholePageTests(PageTest):
    def test_keyboard(self):
        browser = self.browser
        browser.size(1280)
        browser.screen(self.base, "today")
        browser.driver.execute_script("document.activeElement.blur(); scrollTo(0, 0)")
        browser.one("body").send_keys(Keys.TAB)
        focused = (
            "const one = document.activeElement; return [(one.getAttribute('aria-label') ?? one.innerText ??"
            " '').trim(), getComputedStyle(one).outlineStyle, one.getBoundingClientRect().top]"
        )
        name, outline, _ = browser.driver.execute_script(focused)
        check(
            name == "Skip to content" and outline != "none",
            f"The first stop is “{name}” with the outline {outline}.",
        )
        browser.keys(Keys.ENTER)
        check(
            browser.driver.execute_script("return document.activeElement.id") == "main",
            "Skipping doesn't reach the content.",
        )
        browser.driver.execute_script("document.activeElement.blur()")
        browser.screen(self.base, "today")
        names = []
        for _ in range(40):
            browser.keys(Keys.TAB)
            if browser.driver.execute_script("return document.activeElement === document.body"):
                break
            name, outline, _ = browser.driver.execute_script(focused)
            check(outline != "none", f"“{name}” shows no focus.")
            names.append(name)
        for expected in ("Today", "Journal", "Trends", "Data", "Profile", "Calendar", "Log food"):
            check(expected in names, f"The tab key doesn't reach “{expected}”: {names}")
        check(
            names.index("Journal") < names.index("Calendar") < names.index("Log food"),
            f"The order of the focus is {names}.",
        )
        # Going to another screen moves the focus to its heading; a dialog keeps it and gives it back.
        browser.press(browser.button("Journal"))
        browser.wait(
            "return document.activeElement.tagName === 'H1' && document.activeElement.textContent === 'Journal'",
            "The focus doesn't follow to the new screen.",
        )
        tile = browser.one("[data-log=water]")
        browser.driver.execute_script("arguments[0].focus()", tile)
        browser.keys(Keys.ENTER)
        browser.wait(
            "return document.querySelector('dialog')?.contains(document.activeElement)",
            "The focus isn't in the dialog.",
        )
        for _ in range(14):
            browser.keys(Keys.TAB)
            check(
                browser.driver.execute_script(
                    "return document.querySelector('dialog').contains(document.activeElement) || document.activeElement"
                    " === document.body"
                ),
                "The focus leaves the dialog.",
            )
        browser.keys(Keys.ESCAPE)
        browser.wait(
            "return document.activeElement.dataset.log === 'water'", "The focus doesn't return from the dialog."
        )
        browser.clean("keyboard")

    def test_installable(self):
        browser = self.browser
        browser.screen(self.base, "today")
        manifest = json.load(urllib.request.urlopen(f"{self.base}/manifest.webmanifest"))
        sizes = {icon["sizes"] for icon in manifest["icons"]}
        check({"192x192", "512x512"} <= sizes, f"The manifest has icons of {sizes}.")
        for icon in manifest["icons"]:
            data = urllib.request.urlopen(f"{self.base}/{icon['src']}").read()
            check(data[:4] == b"\x89PNG" or b"<svg" in data[:200], f"{icon['src']} isn't an image.")
        errors = browser.driver.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"]
        # Headless Chromium on a bare port has no profile to install into; the rest must hold.
        remaining = [
            error["errorId"]
            for error in errors
            if error["errorId"] not in ("in-incognito", "no-acceptable-icon-in-headless")
        ]
        check(not remaining, f"The page can't be installed: {remaining}")
        policy = urllib.request.urlopen(self.base).headers["Content-Security-Policy"]
        check("unsafe" not in policy and "script-src 'self'" in policy, f"The content security policy is {policy}.")

    def test_every_screen_is_accessible(self):
        browser = self.browser
        SCREENS["workout"] = getattr(self, "workout", "trends/workouts")
        # Each theme is what one width begins with, and what the other changes to.
        for width, themes in ((390, ("light", "dark")), (1280, ("dark", "light"))):
            browser.size(width)
            for name, path in SCREENS.items():
                browser.driver.execute_script("theme.choose(arguments[0])", themes[0])
                browser.screen(self.base, path)
                # Charts are drawn and rings have turned.
                time.sleep(1.2 if name == "today" else 0.5)
                self.check_steady(f"{name} {width} {themes[0]}")
                for theme in themes:
                    browser.driver.execute_script("theme.choose(arguments[0])", theme)
                    browser.screenshot(f"{name}-{width}-{theme}")
                    browser.accessible(f"{name} {width} {theme}")
                    browser.clean(f"{name} {width} {theme}")

    def check_steady(self, where):
        """Nothing visible has moved while the screen loaded, unless it came so late that its parts appeared one by one."""
        late, moved = self.browser.driver.execute_async_script("""
            const done = arguments[0];
            let shift = 0;
            new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { shift += value; }))
              .observe({ type: "layout-shift", buffered: true });
            const isLate = performance.getEntriesByName("screen-in-parts").length > 0;
            setTimeout(() => done([isLate, shift]), 100);""")
        check(late or moved < 0.01, f"{where} has a layout shift of {moved}.")

    def test_every_dialog_is_accessible(self):
        """Each dialog at two widths in both themes; closed, it gives the focus back."""
        browser = self.browser
        for width in (390, 1280):
            browser.size(width)
            for path, opener in DIALOGS:
                where = f"the dialog of {opener}, {width}"
                browser.screen(self.base, path)
                target = browser.one(opener)
                browser.driver.execute_script("arguments[0].focus()", target)
                browser.keys(Keys.ENTER)
                browser.wait("return document.querySelector('dialog .content > *')", f"There is no {where}.")
                for theme in ("light", "dark"):
                    browser.driver.execute_script("theme.choose(arguments[0])", theme)
                    browser.screenshot(f"dialog-{re.sub('[^a-z]+', '-', path + opener)}-{width}-{theme}", 844)
                    browser.accessible(f"{where} {theme}")
                browser.keys(Keys.ESCAPE)
                browser.wait("return !document.querySelector('dialog')", f"Escape doesn't close {where}.")
                check(
                    browser.driver.execute_script("return document.activeElement === arguments[0]", target),
                    f"After {where}, the focus is on “{browser.focused()}”.",
                )
            browser.clean(f"the dialogs, {width}")
        browser.driver.execute_script("theme.choose('light')")

    def test_speed(self):
        """Prints how long things take. Limits are checked by the benchmarks, not here."""
        browser = self.browser
        browser.size(390)
        paints = []
        for _ in range(3):
            browser.screen(self.base, "today")
            paints.append(
                browser.driver.execute_script(
                    "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1"
                )
            )
        browser.screen(self.base, "trends")
        browser.go(f"{self.base}/#/trends/type/HKQuantityTypeIdentifierStepCount/month")
        browser.settle()
        time.sleep(0.5)
        click = browser.driver.execute_async_script("""
            const [done] = arguments;
            const began = performance.now();
            const title = document.querySelector(".main-chart h2").textContent;
            const isShown = () => document.querySelector(".main-chart h2").textContent !== title
              && document.querySelectorAll("tbody tr").length !== 30;
            const look = () => requestAnimationFrame(isShown() ? () => done(performance.now() - began) : look);
            [...document.querySelectorAll(".segmented button")].find((one) => one.textContent === "All").click();
            look();""")
        print(
            f"  first paint {min(paints):.0f} ms, all of one type {click:.0f} ms after the click, largest answer"
            f" {browser.largest[0]} bytes {browser.largest[1].split('/v1/')[-1]}"
        )
        browser.clean("speed")
