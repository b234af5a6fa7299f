"""A server that is stopped and started again: the page that the worker shows meanwhile."""

import datetime
import re

from browser import check
from page_test import PageTest
from server import Server

KEPT = """
    const done = arguments[0];
    caches.keys().then(async (names) => {
      const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      done(all.flat().map(({ url }) => new URL(url).pathname));
    });"""


class OfflineTests(PageTest):
    def test_server_that_stops(self):
        browser = self.browser
        store = self.work / "offline.sqlite"
        server = Server(self.server.hk, store, self.zone)
        address = f"{server.url}/#/trends/type/HKQuantityTypeIdentifierStepCount/week"
        try:
            browser.size(390)
            browser.go(server.sign_in)
            browser.settle()
            browser.go(address)
            browser.settle()
            self.until(lambda: "/offline.html" in self.kept(), "The worker keeps no page.")
            browser.clean("a page with its worker")
            # The browser reports what isn't answered.
            browser.expected = [server.url]
            server.stop()
            # The minute in which it was stopped, or the one before.
            now = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=self.offset())
            minutes = [f"{time.hour % 12 or 12}:{time:%M}" for time in (now, now - datetime.timedelta(minutes=1))]
            since = rf"hasn’t answered since .*{now:%Y} at ({'|'.join(minutes)})\W[AP]M"
            self.reload("The server doesn’t answer", since, address)
            for theme in ("light", "dark"):
                browser.driver.execute_script("theme.choose(arguments[0])", theme)
                for width in (390, 1280):
                    browser.size(width)
                    browser.accessible(f"a server that doesn't answer, {width} {theme}")
                    browser.screenshot(f"offline-{width}-{theme}")
            # In the language that was chosen, once the page was loaded in it.
            browser.driver.execute_script("localStorage.setItem('language', 'de')")
            server = self.start_again(server, address)
            self.until(lambda: "/languages/de.json" in self.kept(), "The worker keeps no German.")
            server.stop()
            self.reload("Der Server antwortet nicht", r"Seit .*\d\d:\d\d hat er nicht geantwortet", address)
            browser.driver.execute_script("localStorage.removeItem('language')")
            browser.driver.execute_script("globalThis.isBefore = true")
            browser.press(browser.one("button"))
            browser.wait("return !globalThis.isBefore", "The page isn't tried again.")
            self.see("The server doesn’t answer")
            server = self.start_again(server, address)
            kept = self.kept()
            static = r"/(offline\.(html|js)|app/\w+\.js|styles/\w+\.css|icons/icon\.svg|languages/\w+\.json)"
            check(all(re.fullmatch(static, path) for path in kept), f"The worker keeps {kept}.")
        finally:
            browser.driver.execute_script("localStorage.removeItem('language')")
            browser.go("about:blank")
            browser.forget()
            server.stop()

    def kept(self):
        """The paths of all that is cached."""
        return self.browser.driver.execute_async_script(KEPT)

    def see(self, pattern):
        text = "return new RegExp(arguments[0]).test(document.querySelector('main')?.innerText)"
        self.browser.wait(text, f"The page doesn't say “{pattern}”.", pattern)

    def reload(self, title, since, address):
        self.browser.driver.refresh()
        self.see(title)
        self.see(since)
        check(self.browser.driver.current_url == address, f"The address is {self.browser.driver.current_url}.")

    def start_again(self, server, address):
        """Starts a server where another one was, after which the page continues by itself."""
        again = Server(server.hk, server.store, self.zone, port=server.url.rsplit(":", 1)[1])
        self.browser.settle()
        check(self.browser.driver.current_url == address, f"It continues at {self.browser.driver.current_url}.")
        return again
