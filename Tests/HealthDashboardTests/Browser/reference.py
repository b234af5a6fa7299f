"""The reference of the API at the server: each route, and requests with the session and with a token."""

import json

from browser import check
from page_test import PageTest

STEPS = "GET /v1/people/{person}/statistics"


class ReferenceTests(PageTest):
    def test_reference(self):
        browser = self.browser
        browser.size(1280)
        browser.screen(self.base, "data")
        browser.press(browser.button("API reference"))
        self.loaded()
        paths = browser.ask("/openapi.json")["paths"]
        count = sum(len(set(methods) - {"parameters"}) for methods in paths.values())
        check(len(browser.all("details")) == count, f"It has {len(browser.all('details'))} of {count} routes.")
        for width in (390, 1280):
            browser.size(width)
            browser.accessible(f"the reference, {width}")
            wide = browser.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
            check(wide <= 0, f"The reference is {wide} px too wide for {width} px.")
        place = self.open_route(STEPS)
        check(browser.all("details[open] td"), "The description has no table.")
        browser.accessible("a route of the reference")
        browser.screenshot("reference")
        self.fill("type", "stepCount")
        self.fill("interval", "day")
        answer = self.send()
        own = browser.ask("/v1/people/me/statistics?type=stepCount&interval=day")
        check(answer == own, f"The reference shows {str(answer)[:200]}.")
        browser.driver.execute_script("arguments[0].open = false", place)
        # Every route that only reads has a form, except for streams.
        without = []
        for path, methods in paths.items():
            if "get" not in methods:
                continue
            place = self.open_route(f"GET {path}")
            if not browser.all("details[open] form"):
                without.append(path)
            browser.driver.execute_script("arguments[0].open = false", place)
        streams = {path for path in paths if path.endswith("/events")}
        check(streams and set(without) == streams, f"These can't be tried: {without}.")
        browser.clean("the reference")

    def test_reference_with_token(self):
        """Nobody is signed in: everyone may read the reference, and a token gets what it may read."""
        browser = self.browser
        browser.go(f"{self.base}/reference.html")
        browser.driver.execute_script("localStorage.removeItem('session')")
        browser.go(f"{self.base}/reference.html")
        self.loaded()
        browser.expected = ["/v1/people/me/types"]
        place = self.open_route("GET /v1/people/{person}/types")
        check(self.send()["code"] == "unauthenticated", "Everyone may read the types.")
        made = self.server.request("POST", "tokens", self.server.owner_token(), {
            "name": "reference", "people": ["me"], "read": ["stepCount"],
        })
        browser.type("#token", made["token"])
        types = self.send()["types"]
        check([one["name"] for one in types] == ["stepCount"], f"The token reads {types}.")
        check(made["token"] not in browser.text("details[open]"), "The token is shown.")
        kept = browser.driver.execute_script("return Object.values(localStorage).join()")
        check("ohk_" not in kept, "The token is kept.")
        browser.set("details[open] select", "text/csv")
        browser.click("details[open] form button")
        browser.wait(
            "return document.querySelector('details[open] form pre').textContent.startsWith('type,')", "There is no CSV."
        )
        browser.driver.execute_script("arguments[0].open = false", place)
        browser.clean("the reference with a token")
        browser.expected = []
        # The tests that follow are signed in.
        browser.go("about:blank")
        browser.go(self.server.link())
        browser.settle()

    def loaded(self):
        self.browser.wait(
            "return document.querySelector('#routes')?.hasAttribute('aria-busy') === false", "There is no reference."
        )

    def open_route(self, route):
        """Opens the route, as one does with its summary."""
        script = """
            const found = [...document.querySelectorAll('summary')].find((one) =>
              one.querySelector('code').textContent === arguments[0]);
            found?.click();
            return found?.parentElement;
        """
        place = self.browser.driver.execute_script(script, route)
        check(place, f"There is no {route}.")
        self.browser.wait("return document.querySelector('details[open] > div').hasChildNodes()", f"{route} is empty.")
        return place

    def fill(self, name, value):
        self.browser.type(f"details[open] input[name={name}]", value)

    def send(self):
        self.browser.driver.execute_script("document.querySelector('details[open] form pre').textContent = ''")
        self.browser.click("details[open] form button")
        self.browser.wait(
            "return document.querySelector('details[open] form pre').textContent", "There is no answer."
        )
        return json.loads(self.browser.text("details[open] form pre"))
