"""The page of “hk serve --demo” without a server: its files, and the answers to what its screens ask, recorded in Chromium."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

FOLDER = pathlib.Path(__file__).parent
ZONE = "America/New_York"
NOW = "2025-11-16T20:00:00-05:00"
#: Links to more screens than that, such as to each sample of a day, aren't followed.
SCREENS = 250
#: Of links that differ in a number or a date only, as many are followed.
ALIKE = 8
LONGEST_WAIT = 60

LINKS = "return [...document.querySelectorAll('a[href^=\"#/\"]')].map((one) => one.getAttribute('href'))"
IS_READY = """return document.documentElement.dataset.screen
  && !document.querySelector('main .skeleton, main [aria-busy=true]')"""


def write(root, hk, site):
    """Writes the page to the folder demo of the site."""
    target = site.folder / "demo"
    page = root / "Sources/HealthDashboard/Page"
    shutil.copytree(page, target, ignore=shutil.ignore_patterns(
        "offline.*", "reference.*", "service-worker.js", "manifest.webmanifest", "languages"))
    (target / "vendor").mkdir()
    shutil.copyfile("/usr/share/javascript/chart.js/chart.min.js", target / "vendor/chart.js")
    shutil.copyfile(FOLDER / "page-demo.js", target / "page-demo.js")
    answers = recorded(hk, (FOLDER / "page-demo.js").read_text(encoding="utf-8"))
    (target / "answers.js").write_text(f"globalThis.recorded = {json.dumps(answers, ensure_ascii=False)};\n", encoding="utf-8")
    index = (target / "index.html").read_text(encoding="utf-8")
    index = re.sub(r' *<link rel="manifest"[^>]*>\n', "", index)
    index = index.replace("<script", '<script src="answers.js"></script>\n  <script src="page-demo.js"></script>\n  <script', 1)
    (target / "index.html").write_text(index, encoding="utf-8")
    return len(answers["answers"])


def recorded(hk, script):
    """What the server of the fictional person answers to the screens that links lead to."""
    environment = os.environ | {"TZ": ZONE, "HEALTHKIT_NOW": NOW, "LC_ALL": "C.UTF-8"}
    server = subprocess.Popen([hk, "--demo", "serve", "--port", "0", "--json"], stdout=subprocess.PIPE, text=True, env=environment)
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en-US"):
        options.add_argument(argument)
    options.binary_location = shutil.which("chromium") or ""
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        start = json.loads(server.stdout.readline())
        now = int(subprocess.check_output(["date", "-d", NOW, "+%s"])) * 1000
        source = f"globalThis.recorded = {{ answers: {{}}, now: {now}, records: true }};\n{script}"
        driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ZONE})
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        driver.get(start["signIn"])
        wait(driver)
        # From here on, the page stays loaded, with what it has recorded.
        driver.get(start["url"])
        wait(driver)
        follow(driver)
        answers = driver.execute_script("return globalThis.recorded.answers")
    finally:
        driver.quit()
        server.terminate()
        server.wait()
    # The session is nobody's.
    for name, (kind, text) in answers.items():
        if name.startswith("GET /v1/session?"):
            answers[name] = [kind, json.dumps({key: value for key, value in json.loads(text).items() if key != "csrfToken"})]
    return {"now": now, "answers": answers}


def follow(driver):
    """Opens every screen that a link leads to."""
    waiting, seen, alike = ["#/today"], set(), {}
    while waiting and len(seen) < SCREENS:
        address = waiting.pop(0)
        kind = re.sub(r"[0-9A-F-]{36}|\d+", "0", address)
        if address in seen or alike.get(kind, 0) >= ALIKE:
            continue
        seen.add(address)
        alike[kind] = alike.get(kind, 0) + 1
        driver.execute_script("delete document.documentElement.dataset.screen; location.hash = arguments[0]", address)
        wait(driver)
        waiting += driver.execute_script(LINKS)


def wait(driver):
    """Waits until a screen has all its parts."""
    end = time.monotonic() + LONGEST_WAIT
    while not driver.execute_script(IS_READY):
        if time.monotonic() > end:
            raise TimeoutError(f"{driver.current_url} doesn't finish loading.")
        time.sleep(0.05)
