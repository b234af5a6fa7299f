"""Alerts in this browser: its subscription, a message as its push service would pass it on, the notification, the end."""

import base64
import json
import time

import http_ece
from browser import Browser, check
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from page_test import PageTest
from server import Server
from webhooks import PERFUSION, Receiver

SECRET = bytes(range(16))
ROW = '[data-webhook="Phone"]'
# Headless Chromium has no push service. The rest is its own.
SUBSCRIBE = """
    const [endpoint, p256dh, auth] = arguments;
    const subscription = {
      endpoint,
      toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh, auth } }),
      unsubscribe: async () => { globalThis.isUnsubscribed = true; return true; },
    };
    PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
      if (!userVisibleOnly) throw new TypeError();
      globalThis.serverKey = applicationServerKey;
      return subscription;
    };
    PushManager.prototype.getSubscription = async () => globalThis.serverKey && subscription;"""
SHOWN = """
    const done = arguments[0];
    navigator.serviceWorker.ready.then((one) => one.getNotifications())
      .then((all) => done(all.map(({ title, body, data }) => [title, body, data])), (error) => done(String(error)));"""

CLICK = """
    registration.getNotifications().then((all) => all.find(({ title }) => title === "Warm hands")).then((notification) =>
      dispatchEvent(new NotificationEvent("notificationclick", { notification })))"""


def text(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class NotificationTests(PageTest):
    def test_notifications(self):
        # The shell shows no notifications.
        shell = self.browser
        browser = self.browser = Browser(shell.screenshots, program="chromium")
        self.key = ec.generate_private_key(ec.SECP256R1())
        receiver = Receiver()
        options = ["--allow-private-webhooks"]
        server = Server(self.server.hk, self.work / "notified.sqlite", self.zone, options)
        try:
            permission = {"origin": server.url, "permissions": ["notifications"]}
            browser.driver.execute_cdp_cmd("Browser.grantPermissions", permission)
            browser.size(390)
            browser.go(server.sign_in)
            browser.settle()
            self.subscribe(server, receiver)
            self.notify(server, receiver)
            browser.press(browser.button("Remove Phone", ROW))
            browser.press(browser.button("Remove", "dialog"))
            browser.wait(f"return !document.querySelector('{ROW}')", "The browser isn't removed.")
            browser.wait("return globalThis.isUnsubscribed", "The browser stays subscribed.")
            self.click()
            browser.clean("notifications")
        finally:
            browser.close()
            self.browser = shell
            server.stop()
            receiver.stop()

    def subscribe(self, server, receiver):
        browser = self.browser
        browser.screen(server.url, "data")
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        browser.driver.execute_script(SUBSCRIBE, receiver.url, text(point), text(SECRET))
        browser.click("[data-action=new-browser]")
        for width in (390, 1280):
            browser.size(width)
            browser.accessible(f"a browser to notify, {width}")
            browser.screenshot(f"new-browser-{width}")
        name = browser.one("dialog input")
        check(name.get_attribute("value"), "No name is proposed.")
        browser.type("dialog input", "Phone")
        browser.press(browser.button("Notify", "dialog"))
        words = browser.wait(f"return document.querySelector('{ROW}')?.innerText", "The browser isn't listed.")
        check("This browser, for alerts" in words and receiver.url not in words, f"The browser is listed as {words}.")
        key = browser.driver.execute_script("return globalThis.serverKey")
        check(len(key) == 87, f"The browser subscribes with the key {key}.")
        # One of the name exists.
        browser.click("[data-action=new-browser]")
        browser.type("dialog input", "Phone")
        browser.press(browser.button("Notify", "dialog"))
        asked = "return document.querySelector('dialog').innerText.includes('one of this name')"
        browser.wait(asked, "A second browser replaces the first.")
        browser.press(browser.button("Cancel", "dialog"))
        for width in (390, 1280):
            browser.size(width)
            browser.accessible(f"a browser that is notified, {width}")
            browser.screenshot(f"browsers-{width}")

    def notify(self, server, receiver):
        browser = self.browser
        browser.press(browser.button("Send a test event to Phone", ROW))
        toast = "return document.querySelector('.toast')?.innerText.includes('accepted the test event')"
        browser.wait(toast, "The test event isn't accepted.")
        self.pass_on(server, receiver.calls.pop(), ["Phone", "", "/#/data"])
        token = server.owner_token()
        alert = {"alert": "Warm hands", "condition": "above", "type": PERFUSION, "limit": 0.05, "unit": "%"}
        server.request("POST", "people/me/webhooks/Phone/alerts", token, alert)
        now = lambda: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        made = now()
        self.until(lambda: now() > made, "The clock stands still.")
        server.post(token, [{"type": PERFUSION, "startDate": now(), "quantity": 0.06, "unit": "%"}])
        self.until(lambda: receiver.calls, "The alert isn't sent.")
        self.pass_on(server, receiver.calls.pop(), ["Warm hands", "", f"/?person=me#/trends/type/{PERFUSION}/day"])

    def click(self):
        """Has the worker handle a click on the last notification, which leads to the type. Nobody can click on it here."""
        driver = self.browser.driver
        targets = driver.execute_cdp_cmd("Target.getTargets", {})["targetInfos"]
        base = driver.current_url.split("#")[0]
        worker = next(one for one in targets if one["type"] == "service_worker" and one["url"].startswith(base))
        session = driver.execute_cdp_cmd("Target.attachToTarget", {"targetId": worker["targetId"], "flatten": False})
        evaluate = {"id": 1, "method": "Runtime.evaluate", "params": {"expression": CLICK}}
        message = {"sessionId": session["sessionId"], "message": json.dumps(evaluate)}
        driver.execute_cdp_cmd("Target.sendMessageToTarget", message)
        address = f"return location.hash === '#/trends/type/{PERFUSION}/day'"
        self.browser.wait(address, "A click doesn't lead to the type.")
        self.until(lambda: len(driver.execute_async_script(SHOWN)) == 1, "The notification stays.")

    def pass_on(self, server, call, expected):
        """Decrypts a message as the browser does, and gives it to the worker, which shows it."""
        headers, body = call
        check(headers["Content-Encoding"] == "aes128gcm" and headers["TTL"], f"The message has {headers}.")
        message = http_ece.decrypt(body, private_key=self.key, auth_secret=SECRET, version="aes128gcm").decode()
        check("0.06" not in message and "value" not in message, f"The message tells {message}.")
        driver = self.browser.driver
        driver.execute_cdp_cmd("ServiceWorker.enable", {})
        # The numbers of registrations are the browser's own; those of other origins are ignored.
        for number in range(40):
            push = {"origin": server.url, "registrationId": str(number), "data": message}
            driver.execute_cdp_cmd("ServiceWorker.deliverPushMessage", push)
        self.until(lambda: expected in driver.execute_async_script(SHOWN), f"There is no notification {expected}.")
