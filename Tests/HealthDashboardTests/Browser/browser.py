"""A headless Chromium that records what goes wrong: console errors, failed requests and large answers."""

import base64
import importlib.util
import json
import os
import pathlib
import shutil
import time

from selenium import webdriver
from selenium.common.exceptions import JavascriptException, StaleElementReferenceException, TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

CHECKS = (pathlib.Path(__file__).parent / "checks.js").read_text()
RUN_AXE = """
    const done = arguments[0];
    const ends = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
    const text = ({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
      `axe ${id}: ${target.join(" ")}: ${failureSummary.replace(/\\s+/g, " ").slice(0, 300)}`);
    const options = { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } };
    Promise.allSettled(ends.map((one) => one.finished)).then(() => axe.run(document, options))
      .then(({ violations }) => done(violations.flatMap(text)), (error) => done([String(error)]));"""
LOOK_AGAIN = """
    const given = [...arguments], done = given.pop();
    const ask = function () { SCRIPT };
    const look = () => {
      try {
        const found = ask(...given);
        if (found) done({ found }); else setTimeout(look, 25);
      } catch (error) { done({ failure: String(error) }); }
    };
    look();"""
LARGEST_ANSWER = 100_000
# Far beyond what anything takes, because other tests run at the same time. What arrives sooner isn't waited for.
LONGEST_WAIT = 180


def axe():
    """The source of axe-core, for which alone its package is installed."""
    package = importlib.util.find_spec("axe_playwright_python")
    if not package:
        raise Failure("Run “make packages-test” first: it installs axe.")
    return (pathlib.Path(package.submodule_search_locations[0]) / "axe.min.js").read_text()


class Failure(Exception):
    """A statement about the page that doesn't hold."""


def check(condition, text):
    if not condition:
        raise Failure(text)


class Browser:
    """The shell without a browser's own windows, which takes half the time to load a page; or the whole browser."""

    def __init__(self, screenshots=None, downloads=None, program="chromium-headless-shell"):
        options = webdriver.ChromeOptions()
        for argument in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--force-color-profile=srgb",
            "--hide-scrollbars",
            "--lang=en-US",
            "--disable-background-networking",
            "--disable-component-update",
        ):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        if downloads:
            # Instead of the current folder.
            options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
        # Debian's command starts the shell as another process, which would outlive the driver.
        options.binary_location = shutil.which(program, path=f"/usr/lib/chromium:{os.environ['PATH']}")
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.driver.set_page_load_timeout(LONGEST_WAIT)
        self.driver.set_script_timeout(LONGEST_WAIT)
        self.screenshots = screenshots
        self.width = 1280
        self.expected = []
        self.largest = (0, "")
        self.requested = []
        self.addresses = {}

    def close(self):
        self.driver.quit()

    def speak(self, language):
        """Has the browser ask for pages in a language, and write native fields in it."""
        agent = self.driver.execute_script("return navigator.userAgent")
        languages = f"{language},{language[:2]}"
        override = {"userAgent": agent, "acceptLanguage": languages}
        self.driver.execute_cdp_cmd("Emulation.setUserAgentOverride", override)
        self.driver.execute_cdp_cmd("Emulation.setLocaleOverride", {"locale": language})

    # Going and waiting

    def size(self, width, height=None):
        self.width = width
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {
                "width": width,
                "height": height or (844 if width < 600 else 900),
                "deviceScaleFactor": 1,
                "mobile": width < 600,
            },
        )

    def go(self, url):
        self.driver.get(url)

    def screen(self, base, path):
        """Reloads a screen and waits until it has all its data."""
        self.driver.get("about:blank")
        self.driver.get(f"{base}/#/{path}")
        self.settle()

    def settle(self):
        self.wait(
            "return document.documentElement.dataset.screen"
            " && !document.querySelector('main .skeleton, main [aria-busy=true]')",
            "The screen doesn't finish loading.",
        )

    def wait(self, script, text, *arguments):
        """Waits until a script answers something true, and returns it. The page looks again itself, because each question from
        outside wakes four processes."""
        end = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < end:
            try:
                answer = self.driver.execute_async_script(LOOK_AGAIN.replace("SCRIPT", script), *arguments)
            except JavascriptException as error:
                # Another document has taken the place of the one that looked.
                if "document unloaded" not in str(error):
                    raise
                continue
            except TimeoutException:
                break
            if "failure" in answer:
                raise JavascriptException(answer["failure"])
            return answer["found"]
        raise Failure(f"{text} (waited {LONGEST_WAIT} s at {self.driver.current_url})\n{self.text('main')[:600]}")

    # Reading and acting

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        self.wait("return document.querySelector(arguments[0])", f"There is no {selector}.", selector)
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.driver.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def click(self, selector):
        self.undisturbed(lambda: self.press(self.one(selector)))

    def open_topic(self, selector):
        """Opens the topic of a type to choose, unless it is open."""
        self.driver.execute_script("""
            const topic = document.querySelector(arguments[0]).closest("[data-topic]").querySelector("button");
            if (topic.ariaExpanded !== "true") topic.click();""", selector)

    def press(self, element):
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def button(self, label, scope="body"):
        """The visible button or link with this name."""
        find = """
            const [scope, label] = arguments;
            return [...document.querySelectorAll(`${scope} button, ${scope} a`)].find((one) =>
              (one.getAttribute("aria-label") ?? one.innerText).trim() === label && one.getClientRects().length > 0)"""
        return self.wait(find, f"There is no button “{label}”.", scope, label)

    def type(self, selector, text):
        element = self.one(selector)
        element.clear()
        element.send_keys(text)

    def set(self, selector, value):
        """Sets a field whose parts can't be typed the same way in every language, such as a date."""
        change = """
            const [selector, value] = arguments;
            const field = document.querySelector(selector);
            field.value = value;
            for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));"""
        self.driver.execute_script(change, selector, value)

    def texts(self, selector):
        """The texts of all elements that a selector finds."""
        read = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)"
        return self.driver.execute_script(read, selector)

    def card(self, heading):
        """The text of the card with a heading, and its figures by their names."""
        read = """
            const card = [...document.querySelectorAll(".card")]
              .find((one) => one.querySelector("h2")?.textContent.trim() === arguments[0]);
            const entries = [...card.querySelectorAll(".figures > div")]
              .map((one) => [one.querySelector("dt").textContent, one.querySelector("dd").textContent]);
            return [card.innerText, Object.fromEntries(entries)];"""
        return self.driver.execute_script(read, heading)

    def ask(self, address):
        """The JSON that the server answers the page."""
        fetch = """
            const [address, done] = arguments;
            const headers = { "X-CSRF-Token": localStorage.getItem("session") };
            fetch(address, { headers }).then((answer) => answer.json()).then(done, (error) => done(String(error)));"""
        return self.driver.execute_async_script(fetch, address)

    def keys(self, *keys):
        self.undisturbed(lambda: self.driver.switch_to.active_element.send_keys(*keys))

    def undisturbed(self, act):
        """Acts on an element that is found for it, and once more if it was replaced meanwhile."""
        while True:
            try:
                return act()
            except StaleElementReferenceException:
                continue

    # What must not happen

    def violations(self):
        """What the own checks and axe find on the page as it is shown, when its animations have ended."""
        if not self.driver.execute_script("return Boolean(globalThis.axe)"):
            self.driver.execute_script(axe())
        found = self.driver.execute_async_script(RUN_AXE)
        return found + self.driver.execute_script("return " + CHECKS[CHECKS.index("(() =>") :])

    def focused(self):
        """The name of what has the focus; nothing if that is the body."""
        return self.driver.execute_script(
            "const one = document.activeElement; return one === document.body ? ''"
            " : (one.ariaLabel ?? one.innerText ?? one.id ?? '').trim() || one.tagName"
        )

    def accessible(self, where):
        found = self.violations()
        check(not found, f"{where}: " + "\n    ".join([f"{len(found)} accessibility violations", *found[:12]]))

    def clean(self, where):
        """No console error, no failed request and no large answer since the last time; remembers what was requested."""
        problems = [
            f"console: {entry['message']}"
            for entry in self.driver.get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING") and not self.is_expected(entry["message"])
        ]
        # A request can have begun before the last time.
        addresses, begun = self.addresses, set()
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            parameters = message["params"]
            request = parameters.get("requestId")
            match message["method"]:
                case "Network.requestWillBeSent":
                    addresses[request] = parameters["request"]["url"]
                    begun.add(request)
                case "Network.responseReceived":
                    response = parameters["response"]
                    addresses[request] = response["url"]
                    begun.add(request)
                    if response["status"] >= 400 and not self.is_expected(response["url"]):
                        problems.append(f"request: {response['status']} {response['url']}")
                case "Network.loadingFinished":
                    problems += self.large(addresses.get(request, ""), parameters["encodedDataLength"])
                case "Network.loadingFailed" if not parameters.get("canceled"):
                    url, error = addresses.get(request, ""), parameters.get("errorText")
                    if error != "net::ERR_ABORTED" and not self.is_expected(url):
                        problems.append(f"request failed: {error} {url}")
        self.requested = [addresses[request] for request in addresses if request in begun]
        check(not problems, f"{where}: " + "\n    ".join(problems[:12]))

    def is_expected(self, text):
        return any(expected in text for expected in self.expected)

    def large(self, url, length):
        # A recording has 15,360 measurements, a route its locations, and a file everything.
        saved = ("/vendor/chart.js", "/fit", "/tcx", "/gpx")
        if url.endswith(saved) or any(part in url for part in ("/exports", "/electrocardiograms/", "/series/")):
            return []
        self.largest = max(self.largest, (length, url))
        return [f"answer of {length} bytes: {url}"] if length > LARGEST_ANSWER else []

    def forget(self):
        """Drops what was recorded, and closes all windows but the first one."""
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        first, *others = self.driver.window_handles
        for handle in others:
            self.driver.switch_to.window(handle)
            self.driver.close()
        self.driver.switch_to.window(first)
        self.expected = []

    def screenshot(self, name, tallest=3000):
        if not self.screenshots:
            return
        os.makedirs(self.screenshots, exist_ok=True)
        height = min(tallest, self.driver.execute_script("return document.documentElement.scrollHeight"))
        # The window is made as tall as the page, so that what is fixed at its edge is drawn where it belongs.
        self.size(self.width, height)
        time.sleep(0.15)
        picture = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        self.size(self.width)
        (pathlib.Path(self.screenshots) / f"{name}.png").write_bytes(base64.b64decode(picture["data"]))


__all__ = ["Browser", "By", "Failure", "Keys", "check"]
