"""Webhooks: registering one, its key, an alert, a test event, its calls, and its end."""

import base64
import hashlib
import hmac
import http.server
import json
import threading
import time

from browser import Keys, check
from page_test import PageTest

NAME = "org.example.site"
PERFUSION = "HKQuantityTypeIdentifierPeripheralPerfusionIndex"


class Receiver(http.server.HTTPServer):
    """Collects the calls that it accepts, on this machine."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.calls = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/health"

    def stop(self):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.calls.append((dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def is_signed(call, secret):
    headers, body = call
    stamped = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    code = hmac.digest(base64.b64decode(secret.removeprefix("whsec_")), stamped, hashlib.sha256)
    return headers["webhook-signature"] == "v1," + base64.b64encode(code).decode()


class WebhookTests(PageTest):
    def test_webhooks(self):
        receiver = Receiver()
        try:
            self.register_webhook(receiver)
            self.alert(receiver)
            self.call_webhook(receiver)
            self.end_webhook()
        finally:
            self.browser.expected = []
            receiver.stop()

    def register_webhook(self, receiver):
        browser = self.browser
        browser.size(1280)
        browser.screen(self.base, "data")
        browser.click("[data-action=new-webhook]")
        browser.wait("return document.querySelector('dialog input[data-kind=read]')", "There are no types to choose.")
        for width in (390, 1280):
            browser.size(width)
            browser.accessible(f"a new webhook, {width}")
        browser.press(browser.button("Register", "dialog"))
        browser.wait("return document.querySelector('dialog').innerText.includes('Enter a name')", "It needs no name.")
        name, url = browser.all("dialog input:not([type=checkbox], [type=search])")
        name.send_keys(NAME)
        url.send_keys(receiver.url)
        browser.press(browser.button("Register", "dialog"))
        browser.wait("return document.querySelector('dialog').innerText.includes('Choose some')", "It needs no types.")
        browser.open_topic("dialog input[value=HKQuantityTypeIdentifierStepCount]")
        browser.click("dialog input[data-kind=read][value=HKQuantityTypeIdentifierStepCount]")
        # An address of the server's own network is refused unless the owner allows it.
        browser.expected = ["/webhooks"]
        browser.press(browser.button("Register", "dialog"))
        marked = "return document.querySelector('dialog .field:has([aria-invalid=true]) .problem')?.innerText"
        text = browser.wait(marked, "A private address isn't refused.")
        check("isn’t allowed" in text, f"A private address is refused with “{text}”.")
        url.clear()
        url.send_keys("example.org")
        browser.press(browser.button("Register", "dialog"))
        text = browser.wait(marked, "A URL without a scheme isn't refused.")
        check("https://example.org/health" in text, f"A URL without a scheme is refused with “{text}”.")
        url.clear()
        url.send_keys(receiver.url)
        browser.click("dialog input[name=private]")
        browser.press(browser.button("Register", "dialog"))
        self.key = browser.wait("return document.querySelector('#new-token')?.textContent", "There is no key.")
        check(self.key.startswith("whsec_"), "The key isn't one of Standard Webhooks.")
        browser.accessible("the key of a webhook")
        browser.keys(Keys.ESCAPE)
        listed = f"return document.querySelector('[data-webhook=\"{NAME}\"]')?.innerText"
        text = browser.wait(listed, "The webhook isn't listed.")
        check("Steps" in text and "At once" in text and receiver.url in text, f"The webhook is listed as {text}.")
        check("whsec_" not in browser.text("main"), "The key is shown again.")

    def alert(self, receiver):
        """A limit that is crossed is reported by the server, once; alerts are listed and removed."""
        browser = self.browser
        token = self.server.owner_token()
        row = f'[data-webhook="{NAME}"]'

        def save(quantity, moment):
            sample = {"type": PERFUSION, "startDate": moment, "quantity": quantity, "unit": "%"}
            self.server.post(token, [sample])

        def now():
            return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())

        save(0.03, "2018-05-01T10:00:00Z")
        browser.screen(self.base, "data")
        browser.press(browser.wait(f"return document.querySelector('{row} [data-action=new-alert]')", "No alerts."))
        browser.wait("return document.querySelector('dialog [name=condition]')", "There is no form of an alert.")
        for condition in ("silence", "highlight", "above"):
            browser.set("dialog [name=condition]", condition)
            browser.accessible(f"a new alert, {condition}")
            shown = [one.get_attribute("name") for one in browser.all("dialog [name]") if one.is_displayed()]
            expected = {"silence": ["source", "hours"], "highlight": [], "above": ["type", "limit"]}[condition]
            check(shown == ["condition", *expected, "alert"], f"The form of {condition} has {shown}.")
        browser.set("dialog [name=type]", PERFUSION)
        browser.press(browser.button("Add", "dialog"))
        asks = "return document.querySelector('dialog').innerText.includes('Enter a number')"
        browser.wait(asks, "No limit is taken.")
        browser.type("dialog [name=limit]", "5")
        browser.type("dialog [name=alert]", "Warm hands")
        browser.screenshot("new-alert")
        browser.press(browser.button("Add", "dialog"))
        text = browser.wait("return document.querySelector('[data-alert]')?.innerText", "The alert isn't listed.")
        check("Warm hands" in text and "Peripheral Perfusion Index above 5 %" in text.replace("\u00a0", " "),
              f"The alert is listed as {text}.")
        # A second later: what began before the alert was made isn't reported.
        made = now()
        self.until(lambda: now() > made, "The clock stands still.")
        save(0.06, now())
        self.until(lambda: receiver.calls, "The alert isn't reported.")
        event = json.loads(receiver.calls[0][1])
        data = event["data"]
        check(is_signed(receiver.calls[0], self.key), "The alert isn't signed.")
        told = (event["type"], data["alert"], data["condition"])
        check(told == ("health.alert", "Warm hands", "above"), f"It is {event}.")
        # The webhook may read steps only.
        check(data["type"] == PERFUSION and "value" not in data and "date" not in data, f"It tells {data}.")
        for width in (390, 1280):
            browser.size(width)
            browser.accessible(f"an alert, {width}")
            browser.screenshot(f"alert-{width}")
        browser.press(browser.button("Remove Warm hands", row))
        browser.wait("return !document.querySelector('[data-alert]')", "The alert isn't removed.")
        check(len(receiver.calls) == 1, f"There were {len(receiver.calls)} calls.")
        receiver.calls.clear()

    def call_webhook(self, receiver):
        browser = self.browser
        row = f'[data-webhook="{NAME}"]'
        browser.press(browser.button(f"Send a test event to {NAME}", row))
        toast = "return document.querySelector('.toast')?.innerText.includes(arguments[0])"
        browser.wait(toast, "The test event isn't accepted.", "accepted the test event")
        # The server delivers by itself, so the page has nothing to warn of.
        for place in (".toast", "main"):
            check("“hk daemon”" not in browser.text(place), f"{place} says that changes aren't delivered.")
        check(len(receiver.calls) == 1 and is_signed(receiver.calls[0], self.key), "The test event isn't signed.")
        check(json.loads(receiver.calls[0][1])["type"] == "webhook.test", "The test event is another one.")
        receiver.stop()
        browser.press(browser.button(f"Send a test event to {NAME}", row))
        browser.wait(toast, "A receiver that is down isn't noticed.", "can’t be reached")
        browser.press(browser.button(f"Calls of {NAME}", row))
        # Both test events, and the alert before them.
        three = "return document.querySelectorAll('dialog [data-attempt]').length === 3"
        browser.wait(three, "There aren't three calls.")
        kinds = [one.get_attribute("data-attempt") for one in browser.all("dialog [data-attempt]")]
        check(kinds == ["failed", "acknowledged", "acknowledged"], f"The calls are {kinds}.")
        check("Steps" not in browser.text("dialog"), "The log of calls names types.")
        for width in (390, 1280):
            browser.size(width)
            browser.accessible(f"the calls of a webhook, {width}")
        browser.keys(Keys.ESCAPE)

    def end_webhook(self):
        browser = self.browser
        row = f'[data-webhook="{NAME}"]'
        browser.press(browser.button(f"Suspend {NAME}", row))
        browser.wait(f"return document.querySelector('{row}').innerText.includes('suspended')", "It isn't suspended.")
        for width in (390, 1280):
            browser.size(width)
            browser.accessible(f"a webhook that is suspended, {width}")
            browser.screenshot(f"webhooks-{width}")
        browser.press(browser.button(f"Resume {NAME}", row))
        browser.wait(f"return !document.querySelector('{row}').innerText.includes('suspended')", "It isn't resumed.")
        browser.press(browser.button(f"Remove {NAME}", row))
        browser.press(browser.button("Remove", "dialog"))
        browser.wait(f"return !document.querySelector('{row}')", "The webhook isn't removed.")
        browser.clean("webhooks")
