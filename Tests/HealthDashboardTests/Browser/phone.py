"""An iPhone that joins, and its data by each of the four ways, with real requests."""

import json
import os
import pathlib
import re
import subprocess
import time
import urllib.parse
import urllib.request

from browser import check
from page_test import PageTest
from server import Server


def now(form):
    """A time of a minute ago, as a phone writes it."""
    return time.strftime(form, time.gmtime(time.time() - 60))


def metric(name="step_count"):
    return {"name": name, "units": "count", "data": [{"date": now("%Y-%m-%d %H:%M:%S +0000"), "qty": 73}]}


class PhoneTests(PageTest):
    def test_phone_ways(self):
        """Somebody with an empty store and a phone of 390 pixels, who reads no document."""
        browser = self.browser
        browser.size(390)
        lan = self.empty_server("phone")
        try:
            for step in (self.auto_export, self.shortcuts, self.own_app, self.export):
                browser.screen(lan.url, "welcome")
                step(lan)
            self.joins(lan)
        finally:
            lan.stop()
            browser.go(self.base)
            browser.settle()
            browser.clean("the ways of data from an iPhone")

    def empty_server(self, name):
        """A server that phones reach, and a phone that is signed in."""
        # On loopback, as on a machine that is in a private network.
        options = ("--lan", "--yes", "--host", "127.0.0.1")
        lan = Server(self.server.hk, self.work / f"{name}.sqlite", self.zone, options)
        self.browser.go(lan.phone)
        self.browser.settle()
        hash = self.browser.driver.execute_script("return location.hash")
        if hash != "#/welcome":
            lan.stop()
        check(hash == "#/welcome", "The phone isn't signed in.")
        return lan

    def test_from_phone_to_today(self):
        """Each way in one go: from the welcome of an empty server to the own data on Today, with what the screen says."""
        browser = self.browser
        browser.size(390)
        for way, send, figure, expected in (
            ("export", self.send_export, "steps", ""),
            ("health-auto-export", lambda _: self.send_metric(metric()), "steps", "73"),
            ("shortcuts", lambda _: self.send_heart_rates(), "heart", "61–62"),
            ("sync", self.send_changes, "steps", "812"),
        ):
            lan = self.empty_server(f"recording-{way}")
            try:
                browser.screenshot(f"recording-{way}-1-welcome")
                browser.click(f"main a[href$='{way}']")
                browser.wait("return document.querySelector('main .arrival')", f"{way} has no steps.")
                browser.settle()
                browser.screenshot(f"recording-{way}-2-steps")
                send(lan)
                self.arrived(way)
                browser.screenshot(f"recording-{way}-3-arrived")
                browser.click("nav a[href='#/today']")
                shown = browser.wait(
                    "return document.querySelector(`main [data-figure=${arguments[0]}]`)?.innerText",
                    f"Today doesn't show what came by {way}.", figure,
                )
                browser.settle()
                browser.screenshot(f"recording-{way}-4-today")
                check(shown.startswith(expected) and re.match("[1-9]", shown), f"By {way} came {shown}.")
            finally:
                lan.stop()
                browser.go("about:blank")
                browser.clean(f"an iPhone by {way}")

    def open_way(self, lan, title):
        """Opens a way from the welcome screen, and checks what all have."""
        browser = self.browser
        browser.click(f"main a[href$='{title}']")
        browser.wait("return document.querySelector('main .arrival')", f"{title} has no steps.")
        browser.settle()
        for theme in ("light", "dark"):
            browser.driver.execute_script("theme.choose(arguments[0])", theme)
            for width in (390, 1280):
                browser.size(width)
                browser.accessible(f"iphone/{title} {width} {theme}")
                browser.screenshot(f"iphone-{title}-{width}-{theme}")
        browser.size(390)
        check(len(browser.texts("main ol.steps > li")) >= 3, f"{title} has too few steps.")
        check(browser.one("main svg.qr").is_displayed(), f"{title} has no QR code.")
        check(browser.one("main .arrival").get_attribute("data-state") == "waiting", f"{title} has data already.")

    def copied(self, name):
        """The text of a field whose button copies it."""
        return self.browser.driver.execute_script(
            """return [...document.querySelectorAll(".copyable")]
              .find((one) => one.firstChild.textContent === arguments[0]).querySelector("code").innerText""",
            name,
        )

    def arrived(self, way):
        text = self.browser.wait(
            "return document.querySelector('main .arrival[data-state=arrived]')?.textContent", f"Nothing came by {way}."
        )
        check("arrived" in text, f"{way} says “{text}”.")
        self.browser.screenshot(f"iphone-{way}-arrived")

    @staticmethod
    def post(url, authorization, body):
        headers = {"Authorization": authorization, "Content-Type": "application/json"}
        request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
        return json.load(urllib.request.urlopen(request))

    def send_metric(self, sent):
        """What Health Auto Export sends, set up without the links."""
        details = self.browser.one("main .card details")
        if not details.get_property("open"):
            self.browser.press(details.find_element("css selector", "summary"))
        return self.post(self.copied("URL"), self.copied("Authorization"), {"data": {"metrics": [sent]}})

    def send_heart_rates(self):
        """What a shortcut sends."""
        body = {"type": "heartRate", "unit": "count/min", "value": "61\n62"}
        body["date"] = "\n".join([now("%Y-%m-%dT%H:%M:00Z"), now("%Y-%m-%dT%H:%M:01Z")])
        return self.post(self.copied("URL"), self.copied("Authorization"), body)

    def send_changes(self, lan):
        """What an app with HealthSync sends: a batch of the changes of its own store."""
        code = self.copied("SyncServer")
        url, person, token = re.findall(r'"([^"]*)"', code)
        check((url, person) == (lan.url, "me"), f"The code has {url} and {person}.")
        store = self.work / f"of-{pathlib.Path(lan.store).name}"
        environment = {**os.environ, "HEALTHKIT_STORE": str(store), "HK_SYNC_TOKEN": token}
        for arguments in (["add", "stepCount", "812", "count"], ["sync", url, "--once"]):
            subprocess.run([self.server.hk, *arguments], env=environment, check=True, capture_output=True)

    def send_export(self, _):
        archive = self.work / "phone.zip"
        if not archive.exists():
            self.server.hk_run("generate", str(archive), "--records", "2000")
        self.browser.driver.find_element("id", "import-file").send_keys(str(archive))

    def auto_export(self, lan):
        self.open_way(lan, "health-auto-export")
        self.browser.click("main .card details summary")
        url, header = self.copied("URL"), self.copied("Authorization")
        check(url == f"{lan.url}/v1/people/me/ingest/health-auto-export", f"The URL is {url}.")
        # What the links tell the app is the same.
        for link, kind in zip(self.browser.all("a[href^='com.HealthExport:']"), ("healthMetrics", "workouts")):
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(link.get_attribute("href")).query)
            check(query["url"] == [url] and query["datatype"] == [kind], f"The link has {query}.")
            check(query["headers"] == [f"Authorization,{header}"], "The link has another token.")
        # What isn't understood is said, and doesn't count as data.
        self.send_metric(metric("zaunkoenig"))
        self.browser.wait(
            "return document.querySelector('main .arrival[data-state=refused]')", "A useless request isn't noticed."
        )
        self.send_metric(metric())
        self.arrived("health-auto-export")

    def shortcuts(self, lan):
        self.open_way(lan, "shortcuts")
        self.copies()
        token = self.copied("Authorization")
        report = self.send_heart_rates()
        check(report["total"]["saved"] == 2, f"The shortcut saved {report['total']}.")
        self.arrived("shortcuts")
        # It reads nothing that others wrote, as the steps of before.
        request = urllib.request.Request(f"{lan.url}/v1/people/me/samples?type=stepCount")
        request.add_header("Authorization", token)
        check(json.load(urllib.request.urlopen(request))["samples"] == [], "The token of Shortcuts reads.")

    def copies(self):
        """A page that isn't loaded securely has no clipboard: the text is selected and copied."""
        driver = self.browser.driver
        driver.execute_script("""
            Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
            document.execCommand = () => { globalThis.copiedText = String(getSelection()); return true; };""")
        self.browser.click(".copyable button")
        text = driver.execute_script("return globalThis.copiedText")
        check(text == self.copied("URL"), f"“{text}” is copied.")
        check("Copied" in self.browser.text(".toast"), "Copying isn't confirmed.")

    def own_app(self, lan):
        self.open_way(lan, "sync")
        self.send_changes(lan)
        self.arrived("sync")

    def export(self, lan):
        self.open_way(lan, "export")
        self.send_export(lan)
        self.arrived("export")

    def joins(self, lan):
        """The link of a code leads to its screen, signed in, once."""
        browser = self.browser
        made = lan.request("POST", "sign-in-links", lan.owner_token(), {"screen": "iphone/sync"})
        check(made["isReachable"] and made["link"].startswith(lan.url), f"The link is for {made['server']}.")
        check(len(made["qrCode"]) == len(made["qrCode"][0]) >= 21, "The code isn't a square.")
        browser.driver.delete_cookie(f"openhealthkit-{lan.url.rsplit(':', 1)[1]}")
        browser.driver.execute_script("localStorage.clear()")
        browser.go(made["link"])
        browser.wait("return location.hash === '#/iphone/sync'", "The code doesn't lead to its screen.")
        browser.wait("return document.querySelector('main .arrival[data-state=arrived]')", "The phone isn't signed in.")
        browser.go("about:blank")
        browser.expected = ["/v1/session"]
        browser.go(made["link"])
        browser.settle()
        check(browser.driver.execute_script("return location.search") == "?sign-in=failed", "The code works twice.")
        browser.go("about:blank")
        browser.clean("the used code")
        browser.expected = []

    def test_phone_unreachable(self):
        """A server on this machine only says how a phone reaches it."""
        browser = self.browser
        for width in (390, 1280):
            browser.size(width)
            browser.screen(self.base, "data")
            browser.click("main a[href='#/iphone/shortcuts']")
            text = browser.wait(
                "return document.querySelector('main .code')?.textContent", "Nothing says how a phone can join."
            )
            check(text == "hk serve --lan", f"The advice is “{text}”.")
            check(not browser.all("main svg.qr"), "There is a code that leads nowhere.")
            browser.accessible(f"an unreachable server, {width}")
            browser.screenshot(f"iphone-unreachable-{width}")
            browser.screen(self.base, "iphone")
            check(len(browser.all("main .list a")) == 4, "There aren't four ways.")
        browser.clean("an unreachable server")

    def test_table_columns(self):
        """A table that no reader knows: its columns are shown, and what is read is seen before it is stored."""
        browser = self.browser
        browser.size(390)
        rows = ["Datum;Gewicht;Puls;Notiz", "06.02.2026 08:00;71,4;61;\"a; b\"", "07.02.2026 08:00;71,2;62;c"]
        first, second = self.work / "waage.csv", self.work / "waage-2.csv"
        first.write_text("\n".join(rows) + "\n")
        second.write_text("\n".join([rows[0], "08.02.2026 08:00;71,0;63;d"]) + "\n")

        def begin(file):
            browser.screen(self.base, "data")
            browser.driver.find_element("id", "import-file").send_keys(str(file))
            browser.click("[data-action=columns]")
            browser.wait("return document.querySelector('dialog select')", "Nothing asks for the columns.")

        def finish(count):
            browser.press(browser.button("Import", "dialog"))
            browser.wait("return document.querySelector('[data-import=finished]')", "The table isn't imported.")
            check(f"{count} added" in browser.text(".drop"), f"The import says “{browser.text('.drop')}”.")

        before = self.server.hk_json("types")["count"]
        begin(first)
        read = "return [...document.querySelectorAll('dialog td select')].map((one) => one.value)"
        types = browser.driver.execute_script(read)
        check(types == ["", "bodyMass", "heartRate", ""], f"The types {types} are proposed.")
        browser.set("dialog select[aria-label='Type of Puls']", "restingHeartRate")
        browser.accessible("the columns of a table")
        browser.screenshot("columns-390")
        preview = browser.text("dialog .scroll")
        check("06.02.2026 08:00" in preview and "71,4 kg" in preview, f"The preview is “{preview}”.")
        check("a; b" not in preview, "A column that is left out is in the preview.")
        finish(4)
        # The next table with these columns needs no choice.
        begin(second)
        finish(2)
        check(self.server.hk_json("types")["count"] == before + 6, "Something else was stored.")
        browser.expected = []
        browser.clean("the columns of a table")
