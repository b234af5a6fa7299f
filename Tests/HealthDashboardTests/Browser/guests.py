"""A session that a link has opened sees what is shared, and has no control that doesn’t work."""

import time

from browser import Keys, check
from page_test import PageTest
from records import FAILED, LOOKED_AT, server_with_everything

OWN_SCREENS = {
    "HKWorkoutTypeIdentifier": "workouts",
    "HKCategoryTypeIdentifierSleepAnalysis": "sleep",
    "HKActivitySummaryTypeIdentifier": "rings",
}
PRESSED = "main button:enabled:not([hidden]), main summary, main a[download]"
# Days and nights are many alike.
MOST_PRESSED = 14


class GuestTests(PageTest):
    def test_guest(self):
        browser = self.browser
        server = server_with_everything(self.server.hk, self.work, "guests", self.zone)
        try:
            types = server.hk_json("types")["types"]
            workouts = server.hk_json("samples", "workout", "--limit", "1")["samples"]
            self.open(server, [one["type"] for one in types])
            quantities = [one["type"] for one in types if one["kind"] == "quantity" and one["type"] not in LOOKED_AT]
            stored = {one["type"] for one in types}
            shown = [*quantities[:2], *(one for one in LOOKED_AT if one in stored)]
            paths = ["trends", "trends/compare", "trends/report", "trends/symptoms"]
            paths += [f"trends/{path}" for path in OWN_SCREENS.values()]
            paths += [f"trends/workout/{workouts[0]['uuid']}", *(f"trends/type/{one}" for one in shown)]
            for path in paths:
                self.look(server, path)
            for path in paths:
                self.press_all(server, path)
            self.check_little(server)
        finally:
            browser.size(1280)
            browser.driver.execute_script("localStorage.removeItem('session'); theme.choose('light')")
            browser.go("about:blank")
            server.stop()

    def open(self, server, types):
        browser = self.browser
        browser.size(1280)
        browser.go("about:blank")
        browser.go(server.shared_link(types))
        browser.wait("return document.querySelector('.shared-note')", "The link doesn't open.")
        browser.settle()
        browser.forget()

    def look(self, server, path):
        """A screen in both themes and at two widths: accessible, and without what is the owner's."""
        browser = self.browser
        for theme, width in (("light", 1280), ("dark", 390)):
            browser.driver.execute_script("theme.choose(arguments[0])", theme)
            browser.size(width)
            browser.screen(server.url, path)
            time.sleep(0.3)
            browser.accessible(f"{path} of a guest, {width} {theme}")
        check(FAILED not in browser.text("main"), f"{path} of a guest fails: {browser.text('main')[:300]}")
        others = "return [...document.querySelectorAll('main a[href^=\"#/\"]')].map((one) => one.hash)"
        leads = [one for one in browser.driver.execute_script(others) if not one.startswith("#/trends")]
        check(not leads, f"{path} of a guest leads to {leads}.")
        browser.clean(f"{path} of a guest")

    def press_all(self, server, path):
        """All that a guest can press works."""
        browser = self.browser
        browser.screen(server.url, path)
        browser.driver.execute_script("globalThis.print = () => dispatchEvent(new Event('afterprint'))")
        count = min(MOST_PRESSED, len(browser.all(PRESSED)))
        for index in range(count):
            target = browser.driver.execute_script(
                "const one = document.querySelectorAll(arguments[0])[arguments[1]]; one?.focus(); one?.click();"
                " return one && (one.ariaLabel ?? one.textContent)", PRESSED, index
            )
            browser.settle()
            toast = browser.text(".toast")
            check("failed" not in toast, f"“{target}” of {path} says “{toast}”.")
            check(FAILED not in browser.text("main"), f"“{target}” of {path} fails.")
            check(browser.focused(), f"After “{target}” of {path}, the focus is on the body.")
            if browser.all("dialog"):
                browser.keys(Keys.ESCAPE)
        browser.clean(f"all buttons of {path}")

    def check_little(self, server):
        """A link of one type has nothing to compare, and doesn't propose what its guest can't do."""
        browser = self.browser
        self.open(server, ["HKQuantityTypeIdentifierStepCount"])
        browser.screen(server.url, "trends")
        check("one chart" not in browser.text("main"), "A guest with one type is to compare two.")
        check("Report to print" in browser.text("main"), "A guest can't print the report of a type.")
        for path in ("trends/workouts", "trends/sleep", "trends/symptoms", "trends/rings", "trends/compare"):
            browser.screen(server.url, path)
            for advice in ("import", "Log ", "profile", "journal"):
                check(advice not in browser.text("main"), f"{path} tells a guest: {browser.text('main')[:300]}")
        browser.clean("a link of one type")
