"""Profile, themes, tokens, links, passwords and exports."""

import base64
import contextlib
import hashlib
import http.server
import json
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from browser import Keys, check
from page_test import PageTest
from server import Server

SHARED_TYPES = ("HKQuantityTypeIdentifierStepCount", "HKQuantityTypeIdentifierDistanceWalkingRunning")
# The screens of a link, of which some have nothing to show with these types.
SHARED_SCREENS = (
    "trends",
    "trends/compare",
    "trends/report",
    "trends/sleep",
    "trends/workouts",
    "trends/rings",
    "trends/symptoms",
    "trends/type/HKQuantityTypeIdentifierStepCount/week",
)


@contextlib.contextmanager
def listening_client():
    """The address of a program on this machine to which the browser returns, and the queries that it has received."""
    queries = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            url = urllib.parse.urlsplit(self.path)
            if url.path == "/callback":
                queries.append(dict(urllib.parse.parse_qsl(url.query)))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><link rel=icon href=data:,><title>Connected</title>")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/callback", queries
    finally:
        server.shutdown()
        server.server_close()


class SettingTests(PageTest):
    def test_many_people(self):
        """Of more than a hundred people, one is found by the name, in place of a list of all."""
        browser, folder = self.browser, self.work / "many"
        server = Server(self.server.hk, folder, self.zone, ("--data", str(folder)))
        try:
            arguments = [server.hk, "token", "add", "tests", "--owner", "--data", str(folder)]
            token = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.split()[-1]
            for number in range(102):
                server.request("POST", "people", token, {"person": f"p{number:03}", "name": f"Person {number}"})
            browser.go("about:blank")
            browser.go(server.sign_in)
            browser.settle()
            browser.screen(server.url, "profile")
            browser.click("[data-action=choose-person]")
            browser.type("dialog input[type=search]", "son 101")
            found = "return document.querySelectorAll('dialog .rowlike').length === 1"
            browser.wait(found, "The person isn't found by the name.")
            check("Person 101" in browser.text("dialog .rowlike"), "Another person is found.")
            browser.click("dialog .rowlike")
            shown = "return document.querySelector('main')?.innerText.startsWith('Person 101')"
            browser.wait(shown, "Nobody is chosen.")
            browser.settle()
            # Enter before the list shows them: the person of this name, and not the first of all.
            browser.click("[data-action=choose-person]")
            browser.type("dialog input[type=search]", "son 100" + Keys.ENTER)
            browser.wait(shown.replace("101", "100"), "Another person is chosen.")
            browser.settle()
        finally:
            browser.driver.execute_script("localStorage.removeItem('person'); localStorage.removeItem('session')")
            browser.go("about:blank")
            server.stop()

    def test_profile(self):
        browser = self.browser
        browser.size(390)
        browser.screen(self.base, "profile")
        # The first digits of a year that is typed aren't saved.
        browser.forget()
        browser.driver.execute_script("document.querySelector('input[name=dateOfBirth]').focus()")
        browser.keys(*"02041991")
        self.until(lambda: self.server.hk_json("profile")["dateOfBirth"] == "1991-02-04", "A typed day isn't saved.")
        browser.clean("a typed date of birth")
        sent = [one for one in browser.requested if one.endswith("/characteristics")]
        check(len(sent) <= 3, f"A typed date of birth is sent {len(sent)} times.")
        browser.set("input[name=dateOfBirth]", "1990-02-03")
        browser.wait(
            "return document.querySelector('.toast')?.textContent.includes('Saved')", "The date of birth isn't saved."
        )
        browser.set("select[name=biologicalSex]", "male")
        self.until(lambda: self.server.hk_json("profile").get("biologicalSex") == "male", "hk doesn't have the sex.")
        check(self.server.hk_json("profile")["dateOfBirth"] == "1990-02-03", "hk doesn't have the date of birth.")
        check(browser.one("input[name=stand]").get_attribute("value"), "The goals of the last days aren't proposed.")
        browser.type("input[name=move]", "650")
        browser.press(browser.button("Save goals"))
        browser.wait(
            "return document.querySelector('.toast')?.textContent.includes('Goals saved')", "The goals aren't saved."
        )
        goals = self.server.hk_json("profile")["goals"]
        check("650" in json.dumps(goals), f"hk has the goals {goals}.")
        browser.screen(self.base, "today")
        # A missing value is asked for where it is needed, which it isn't on a day with resting energy of a watch.
        self.server.hk_run("delete", "basalEnergyBurned", "--from", "today", "--yes")
        browser.driver.execute_async_script(
            "const done = arguments[0]; import('/app/api.js').then((api) => api.patch('characteristics',"
            " {biologicalSex: null})).then(() => done(), (error) => done(String(error)))"
        )
        browser.wait(
            "return document.querySelector('main select[name=biologicalSex]')",
            "The missing sex isn't asked for on Today.",
        )
        browser.accessible("a missing value")
        browser.set("main select[name=biologicalSex]", "female")
        browser.wait(
            "return document.querySelector('[data-figure=net]')",
            "The balance doesn't appear once the value is there.",
        )
        browser.screen(self.base, "profile")
        browser.set(next(f"#{one.get_attribute('id')}" for one in browser.all("select") if "lb" in one.text), "lb")
        browser.wait(
            "return document.querySelector('.toast')?.textContent.includes('shown in lb')", "The unit isn't saved."
        )
        browser.screen(self.base, "trends/type/HKQuantityTypeIdentifierBodyMass/year")
        browser.wait(
            "return document.querySelector('.summary').textContent.includes('lb')", "Weight isn't shown in pounds."
        )
        browser.driver.execute_async_script(
            "const done = arguments[0]; import('/app/api.js').then((api) => api.put('preferred-units', {preferredUnits:"
            " {HKQuantityTypeIdentifierBodyMass: 'kg'}})).then(() => done(), (error) => done(String(error)))"
        )
        browser.clean("profile")

    def test_theme(self):
        browser = self.browser
        browser.screen(self.base, "profile")
        paper = "return getComputedStyle(document.body).backgroundColor"
        browser.press(browser.button("Light"))
        light = browser.driver.execute_script(paper)
        browser.press(browser.button("Dark"))
        check(browser.driver.execute_script(paper) != light, "Dark looks like light.")
        browser.screen(self.base, "today")
        check(
            browser.driver.execute_script("return document.documentElement.dataset.theme") == "dark",
            "The theme isn't kept.",
        )
        browser.screen(self.base, "profile")
        browser.press(browser.button("Automatic"))
        for scheme in ("light", "dark"):
            browser.driver.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
            )
            browser.wait(
                "return document.documentElement.dataset.theme === arguments[0]",
                f"The page doesn't follow the system to {scheme}.",
                scheme,
            )
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        browser.clean("theme")

    def test_tokens_and_export(self):
        browser = self.browser
        browser.size(1280)
        browser.screen(self.base, "data")
        browser.click("[data-action=new-token]")
        browser.accessible("a new token")
        browser.type("dialog input", "Script")
        browser.press(browser.button("Chosen types", "dialog"))
        browser.wait(
            "return document.querySelector('dialog input[data-kind=read]')", "There are no types to choose from."
        )
        browser.open_topic("dialog input[value=HKQuantityTypeIdentifierStepCount]")
        browser.click("dialog input[data-kind=read][value=HKQuantityTypeIdentifierStepCount]")
        browser.press(browser.button("Make token", "dialog"))
        secret = self.secret()
        browser.accessible("the new token")
        browser.keys(Keys.ESCAPE)
        ask = lambda type: json.load(
            urllib.request.urlopen(
                urllib.request.Request(
                    f"{self.base}/v1/people/me/samples?type={type}&limit=1",
                    headers={"Authorization": f"Bearer {secret}"},
                )
            )
        )["samples"]
        check(len(ask("stepCount")) == 1 and ask("heartRate") == [], "The token doesn't read what it may.")
        browser.wait(
            "return document.querySelector('main').innerText.includes('Reads Steps')",
            "The token isn't listed with what it may read.",
        )
        browser.press(browser.button("Revoke Script"))
        browser.press(browser.button("Revoke", "dialog"))
        browser.wait(
            "return !document.querySelector('main').innerText.includes('Reads Steps')", "The token can't be revoked."
        )
        links = [one.get_attribute("href") for one in browser.all("a[download]")]
        check(len(links) == 5, f"There are {len(links)} exports.")
        size = browser.driver.execute_async_script(
            "const done = arguments[1]; const headers = { 'X-CSRF-Token': localStorage.getItem('session') };"
            " fetch(arguments[0], { headers }).then((answer) => answer.text()).then((text) =>"
            " done(text.split('\\n').length), (error) => done(String(error)))",
            next(one for one in links if "ndjson" in one),
        )
        check(isinstance(size, int) and size > 10_000, f"The export has {size} lines.")
        browser.clean("tokens and export")

    def test_assistant_is_connected(self):
        browser = self.browser
        browser.size(1280)
        try:
            with listening_client() as (address, queries):
                self.refuse_assistant(address, queries)
                secret = self.allow_assistant(address, queries)
                self.revoke_assistant(secret)
        finally:
            self.sign_in_as_owner()

    def authorization(self, address, **others):
        """The parameters of a client's request, and what it proves to have."""
        body = json.dumps({"client_name": "Trial", "redirect_uris": [address]}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.base}/oauth/register", body, headers)
        client = json.load(urllib.request.urlopen(request))["client_id"]
        verifier = "fictional-verifier-" * 3
        digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        return {
            "response_type": "code", "client_id": client, "redirect_uri": address, "state": "a+b/c&d=é",
            "code_challenge": digest, "code_challenge_method": "S256", **others,
        }, verifier

    def open_authorization(self, parameters):
        self.browser.go("about:blank")
        self.browser.go(f"{self.base}/oauth/authorize?{urllib.parse.urlencode(parameters)}")
        self.browser.settle()

    def refuse_assistant(self, address, queries):
        """What is refused, or asked for wrongly, comes back as an error, and only when the person says so."""
        browser = self.browser
        for others, error in (({}, "access_denied"), ({"resource": "https://example.org/mcp"}, "invalid_target")):
            parameters, _ = self.authorization(address, **others)
            self.open_authorization(parameters)
            path = browser.driver.execute_script("return location.hash.split('?')[0]")
            check(path == "#/authorize", f"The server leads to {path}.")
            check(bool(browser.all("[data-action=allow]")) == (not others), f"{error}: {browser.text('main')[:300]}")
            check(not queries, f"The browser returns by itself with {queries}.")
            browser.accessible(f"a request with {error}")
            browser.click("[data-action=refuse]")
            self.until(lambda: queries, "The browser doesn't return.")
            answer = queries.pop()
            check(answer["error"] == error and answer["state"] == parameters["state"], f"It returns with {answer}.")
            check(answer["iss"] == self.base and "code" not in answer, f"It returns with {answer}.")
        browser.clean("an assistant that is refused")

    def allow_assistant(self, address, queries):
        """Who isn't signed in signs in first. Returns the token."""
        browser = self.browser
        parameters, verifier = self.authorization(address)
        browser.expected = ["/v1/session"]
        browser.go(f"{self.base}/#/data")
        browser.settle()
        browser.driver.execute_script("localStorage.removeItem('session')")
        self.open_authorization(parameters)
        check(browser.text("h1") == "Sign in", f"A stranger sees {browser.text('h1')}.")
        browser.press(browser.button("Link or token"))
        browser.type("input[name=secret]", self.server.link())
        browser.click("button[type=submit]")
        browser.wait("return document.querySelector('h1').innerText === 'Connect Trial'", "Nobody is asked.")
        browser.wait("return document.querySelector('main [data-topic]')", "There are no types to choose.")
        check("a program on this device" in browser.text("main"), "The page doesn't say where the browser returns to.")
        browser.clean("signing in for an assistant")
        browser.expected = []
        for width in (390, 1280):
            browser.size(width)
            browser.accessible(f"connecting an assistant, {width}")
            browser.screenshot(f"assistant-{width}")
        browser.click("[data-action=allow]")
        browser.wait("return document.querySelector('main .problem:not(:empty)')", "An assistant reads nothing.")
        browser.open_topic("main input[value=HKQuantityTypeIdentifierStepCount]")
        browser.click("main input[value=HKQuantityTypeIdentifierStepCount]")
        browser.click("[data-action=allow]")
        self.until(lambda: queries, "The browser doesn't return.")
        answer = queries.pop()
        check(answer["state"] == parameters["state"] and answer["iss"] == self.base, f"It returns with {answer}.")
        browser.clean("connecting an assistant")
        form = {
            "grant_type": "authorization_code", "code": answer["code"], "code_verifier": verifier,
            "client_id": parameters["client_id"], "redirect_uri": address, "resource": f"{self.base}/mcp",
        }
        for _ in range(2):
            body = urllib.parse.urlencode(form).encode()
            made = json.load(urllib.request.urlopen(f"{self.base}/oauth/token", body))
            check(made["token_type"] == "Bearer" and 3590 < made["expires_in"] <= 3600, f"It gets {made['expires_in']} s.")
            form = {
                "grant_type": "refresh_token", "refresh_token": made["refresh_token"],
                "client_id": parameters["client_id"],
            }
        return made["access_token"]

    def revoke_assistant(self, secret):
        """The token reads what was chosen, is listed like others, and ends when it is revoked."""
        browser = self.browser
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_types", "arguments": {}}}
        headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.base}/mcp", json.dumps(call).encode(), headers)
        types = json.load(urllib.request.urlopen(request))["result"]["structuredContent"]["types"]
        names = [one["type"] for one in types]
        check(names == ["HKQuantityTypeIdentifierStepCount"], f"The assistant knows {names}.")
        browser.screen(self.base, "data")
        ends = [one["expires"] for one in browser.ask("/v1/tokens")["tokens"] if one["name"] == "Trial"]
        day = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 90 * 86400))
        check(len(ends) == 1 and ends[0][:10] == day, f"The person sees tokens until {ends}, not {day}.")
        browser.press(browser.button("Edit Trial"))
        browser.wait("return document.querySelector('dialog input:checked')", "The types aren't checked.")
        check(not browser.all("dialog [data-kind=share]"), "The page offers what the token can't do.")
        browser.keys(Keys.ESCAPE)
        browser.press(browser.button("Revoke Trial"))
        browser.press(browser.button("Revoke", "dialog"))
        browser.wait("return !document.querySelector('main').innerText.includes('Trial')", "It can't be revoked.")
        try:
            urllib.request.urlopen(request)
            check(False, "A revoked token is accepted.")
        except urllib.error.HTTPError as error:
            check(error.code == 401, f"A revoked token is answered with {error.code}.")
        browser.clean("an assistant's token")

    def secret(self):
        """The token or link of a dialog, also while it fades in."""
        return self.browser.wait("return document.querySelector('#new-token')?.textContent", "There is no secret.")

    def test_link_and_password(self):
        try:
            self.set_password()
            self.share_link()
            self.sign_in_with_password()
        finally:
            self.sign_in_as_owner()

    def set_password(self):
        browser = self.browser
        browser.size(1280)
        # The person has a name, and a password for other devices.
        browser.screen(self.base, "profile")
        browser.press(browser.button("Rename me"))
        browser.accessible("renaming a person")
        browser.type("dialog input", "Mia")
        browser.press(browser.button("Save", "dialog"))
        browser.wait("return document.querySelector('main').innerText.includes('Mia')", "The person isn't renamed.")
        browser.press(browser.button("Set a password"))
        browser.accessible("a new password")
        first, second = browser.all("dialog input[type=password]")
        first.send_keys("too short")
        browser.click("dialog button[type=submit]")
        browser.wait(
            "return document.querySelector('dialog').innerText.includes('at least 12')", "A short password is taken."
        )
        for field in (first, second):
            field.clear()
            field.send_keys("four words nobody expects")
        browser.click("dialog button[type=submit]")
        browser.wait("return !document.querySelector('dialog')", "The password isn't set.")
        browser.button("Change password")

    def share_link(self):
        """Makes a link that shows two types, and opens it."""
        browser = self.browser
        browser.screen(self.base, "data")
        browser.click("[data-action=new-link]")
        browser.wait("return document.querySelector('dialog input[type=checkbox]')", "There are no types to choose.")
        browser.accessible("a new link")
        browser.type("dialog input", "Doctor")
        browser.click("dialog button[type=submit]")
        browser.wait(
            "return document.querySelector('dialog').innerText.includes('Choose some types')", "A link shows nothing."
        )
        for type in SHARED_TYPES:
            browser.open_topic(f"dialog input[value={type}]")
            browser.click(f"dialog input[value={type}]")
        browser.press(browser.button("Make link", "dialog"))
        link = self.secret()
        check(link.startswith(f"{self.base}/#/link/ohk_"), f"The link is {link}.")
        browser.keys(Keys.ESCAPE)
        browser.press(browser.button("Edit Doctor"))
        browser.wait("return document.querySelector('dialog input:checked')", "The types aren't checked.")
        browser.accessible("editing a link")
        browser.type("dialog input", "Dr. Berg")
        browser.press(browser.button("Save", "dialog"))
        browser.wait("return document.querySelector('main').innerText.includes('Dr. Berg')", "The link isn't renamed.")
        # Who is signed in is asked.
        browser.go("about:blank")
        browser.go(link)
        browser.press(browser.button("Open", "dialog"))
        browser.wait("return document.querySelector('.shared-note')?.innerText.includes('Mia')", "The link isn't open.")
        for width in (390, 1280):
            browser.size(width)
            browser.screen(self.base, "data")
            check(browser.text("h1") == "Trends", "A link shows more than Trends.")
            browser.accessible(f"what a link shows, {width}")
            browser.screenshot(f"shared-link-{width}")
        links = browser.driver.execute_script(
            "return [...document.querySelectorAll('main a[href*=\"trends/type\"]')].map((one) => one.href)"
        )
        check({one.split("/")[-1] for one in links} == set(SHARED_TYPES), f"The link shows {links}.")
        browser.clean("a link")
        # Nothing else is shown, and nothing is asked for that a link doesn't permit.
        for path in SHARED_SCREENS:
            browser.screen(self.base, path)
            check(not browser.all("main .empty[role=alert]"), f"{path} of a link fails: {browser.text('main')[:300]}")
            browser.clean(f"{path} of a link")
        browser.screen(self.base, "trends/type/HKQuantityTypeIdentifierHeartRate")
        check("No data yet: Heart Rate" in browser.text("main"), "A link shows a type that wasn't chosen.")
        for type, isShared in (("stepCount", True), ("heartRate", False)):
            samples = browser.ask(f"/v1/people/me/samples?type={type}&limit=1")["samples"]
            check(bool(samples) == isShared, f"A link answers {len(samples)} samples of {type}.")
        browser.screen(self.base, "trends")
        check(not browser.all("main .pin"), "A link lets pin types.")
        browser.screen(self.base, "trends/compare")
        check(browser.all("main canvas") and "Notes" not in browser.texts("main h2"), "A link shows the notes.")
        browser.clean("what a link doesn't show")

    def sign_in_with_password(self):
        browser = self.browser
        browser.expected = ["/v1/session"]
        browser.driver.execute_script("localStorage.removeItem('session')")
        browser.screen(self.base, "today")
        browser.press(browser.button("Password"))
        browser.accessible("signing in with a password")
        browser.screenshot("sign-in-password")
        browser.type("input[name=password]", "four words that are wrong")
        browser.click("button[type=submit]")
        browser.wait(
            "return document.querySelector('main').innerText.includes('password is wrong')", "It takes any password."
        )
        browser.type("input[name=password]", "four words nobody expects")
        browser.click("button[type=submit]")
        browser.wait("return document.documentElement.dataset.screen === 'today'", "The password doesn't sign in.")
        browser.clean("signing in with a password")
        browser.expected = []
        browser.screen(self.base, "profile")
        browser.press(browser.button("Remove password"))
        browser.type("dialog input[type=password]", "four words nobody expects")
        browser.press(browser.button("Remove", "dialog"))
        browser.button("Set a password")
        browser.go("about:blank")
        browser.clean("a password")

    def sign_in_as_owner(self):
        """Signs the browser in as the owner, for the tests that follow."""
        browser = self.browser
        browser.go("about:blank")
        browser.go(self.server.link())
        browser.settle()
        browser.go("about:blank")
