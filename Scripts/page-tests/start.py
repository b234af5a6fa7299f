"""The beginning: signing in, an empty store, and an import."""

import time

from browser import check
from page_test import PageTest
from server import number


class StartTests(PageTest):
    def test_sign_in(self):
        browser = self.browser
        browser.size(390)
        # A 401 of the session is how the page learns that nobody is signed in.
        browser.expected = ["/v1/session"]
        browser.screen(self.base, "today")
        browser.wait("return location.hash === '#/sign-in'", "Nobody is signed in, but the page doesn't ask.")
        browser.accessible("sign-in")
        for theme in ("light", "dark"):
            browser.driver.execute_script("theme.choose(arguments[0])", theme)
            for width in (390, 1280):
                browser.size(width)
                browser.screenshot(f"sign-in-{width}-{theme}")
                browser.accessible(f"sign-in {width} {theme}")
        browser.type("input[name=secret]", "not a code")
        browser.click("button[type=submit]")
        browser.wait(
            "return document.querySelector('.problem')?.textContent.includes('unknown, used or expired')",
            "A wrong code isn't refused.",
        )
        browser.clean("before signing in")
        # The link that was printed, pasted.
        browser.type("input[name=secret]", self.server.sign_in)
        browser.click("button[type=submit]")
        browser.wait(
            "return document.documentElement.dataset.screen === 'welcome'", "An empty store doesn't offer an import."
        )
        browser.clean("signing in")
        browser.expected = []
        cookies = browser.driver.get_cookies()
        check(
            any(cookie["httpOnly"] and cookie.get("sameSite") in ("Lax", "Strict") for cookie in cookies),
            "The session's cookie isn't protected.",
        )
        port = self.base.rsplit(":", 1)[1]
        check(
            [cookie["name"] for cookie in cookies] == [f"openhealthkit-{port}"],
            "Another server on this machine would sign this one out.",
        )
        # The link works once.
        browser.go(self.server.sign_in)
        browser.settle()
        check(browser.driver.execute_script("return location.search") == "?sign-in=failed", "The link works twice.")
        browser.go("about:blank")
        browser.clean("the used link")
        # A link that someone made up doesn't sign anyone out, and a new one leaves no secret in the address.
        for link, where in (
            (f"{self.base}/#/signed-in/made-up", "the link that was made up"),
            (self.server.link(), "the new link"),
        ):
            browser.expected = ["/v1/session"]
            browser.go(link)
            browser.settle()
            hash = browser.driver.execute_script("return location.hash")
            check(hash in ("#/today", "#/welcome"), f"{where} leads to {hash}.")
            browser.go("about:blank")
            browser.clean(where)
            browser.expected = []

    def test_empty_store(self):
        browser = self.browser
        for path in (
            "today",
            "journal",
            "trends",
            "trends/sleep",
            "trends/workouts",
            "trends/rings",
            "data",
            "profile",
        ):
            for width in (390, 1280):
                browser.size(width)
                browser.screen(self.base, path)
                time.sleep(0.2)
                browser.accessible(f"{path} of an empty store, {width}")
            browser.clean(f"{path} of an empty store")
        browser.screen(self.base, "welcome")
        browser.screenshot("welcome-1280-dark")
        browser.size(390)
        browser.screenshot("welcome-390-dark")

    def test_import_by_upload(self):
        browser = self.browser
        self.server.hk_run(
            "generate",
            str(self.archive),
            "--ios",
            "26",
            "--no-defects",
            "--records",
            "120000",
            "--time-zone",
            self.zone,
        )
        check(self.archive.stat().st_size > 1_000_000, "The archive is too small for a test of uploads.")
        browser.size(390)
        browser.screen(self.base, "welcome")
        browser.driver.find_element("id", "import-file").send_keys(str(self.archive))
        browser.wait("return document.documentElement.dataset.screen === 'today'", "The import doesn't finish.", 180)
        browser.settle()
        count = self.server.hk_json("types")["count"]
        browser.screen(self.base, "data")
        shown = browser.driver.execute_script("return document.querySelector('main .figures dd').textContent")
        check(number(shown) == count, f"The page counts {shown} samples, hk {count}.")
        # The same archive again changes nothing, and says so.
        browser.driver.find_element("id", "import-file").send_keys(str(self.archive))
        browser.wait(
            "return document.querySelector('[data-import=finished]')", "The second import doesn't finish.", 120
        )
        check(
            "imported before" in browser.text("main") or "0 added" in browser.text("main"),
            "The second import claims to have added something.",
        )
        browser.clean("import")
