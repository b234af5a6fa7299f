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
        browser.expected = ["/v1/session"]
        browser.go(self.server.sign_in)
        browser.settle()
        check(browser.driver.execute_script("return location.search") == "?sign-in=failed", "The link works twice.")
        browser.go("about:blank")
        browser.clean("the used link")
        browser.expected = []
        # A link that someone made up doesn't sign anyone out, and a new one leaves no secret in the address.
        for link, where in (
            (f"{self.base}/#/code/made-up", "the link that was made up"),
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
            for theme, width in (("light", 390), ("dark", 1280)):
                browser.size(width)
                browser.screen(self.base, path)
                browser.driver.execute_script("theme.choose(arguments[0])", theme)
                time.sleep(0.2)
                browser.accessible(f"{path} of an empty store, {width} {theme}")
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
        browser.wait("return document.documentElement.dataset.screen === 'today'", "The import doesn't finish.")
        browser.settle()
        count = self.server.hk_json("types")["count"]
        browser.screen(self.base, "data")
        shown = browser.driver.execute_script("return document.querySelector('main .figures dd').textContent")
        check(number(shown) == count, f"The page counts {shown} samples, hk {count}.")
        # The same archive again changes nothing, and says so.
        browser.driver.find_element("id", "import-file").send_keys(str(self.archive))
        browser.wait(
            "return document.querySelector('[data-import=finished]')", "The second import doesn't finish."
        )
        check(
            "imported before" in browser.text("main") or "0 added" in browser.text("main"),
            "The second import claims to have added something.",
        )
        browser.clean("import")

    def test_import_history(self):
        browser = self.browser
        for width in (390, 1280):
            browser.size(width)
            browser.screen(self.base, "data")
            listed = browser.texts("main .card [data-import=failed], main .card li:has(details)")
            check(any("export.zip" in text for text in listed), f"The import isn't in the history: {listed}.")
            browser.click("main li details summary")
            check("Heart Rate" in browser.text("main li details"), "The report has no types.")
            browser.accessible(f"the history of imports, {width}")
        # A file of Fitbit's by itself, by its own name, and another one that is only imported with its archive.
        steps = self.work / "steps-2024-05-01.json"
        steps.write_text('[{"dateTime" : "05/01/24 07:00:00", "value" : "25"}]')
        browser.driver.find_element("id", "import-file").send_keys(str(steps))
        finished = "return document.querySelector('[data-import=finished]')"
        browser.wait(finished, "A file of Fitbit's isn't imported.")
        check("1 added" in browser.text("main"), "A file of Fitbit's adds nothing.")
        browser.screen(self.base, "data")
        document = self.work / "UDSFile_2024-01-01_2024-04-10.json"
        document.write_text('[{"userProfilePK": 1}]')
        browser.driver.find_element("id", "import-file").send_keys(str(document))
        browser.wait("return document.querySelector('main .notice.bad')", "A document of Garmin's isn't refused.")
        text = browser.text("main .notice.bad")
        check("Choose the zip file that it comes from" in text, f"A document of Garmin's is refused with “{text}”.")
        browser.screen(self.base, "data")
        # A truncated zip file: the question, and its answer, without sending it again.
        cut = self.work / "cut.zip"
        cut.write_bytes(self.archive.read_bytes()[:-2000])
        browser.driver.find_element("id", "import-file").send_keys(str(cut))
        question = "return document.querySelector('[data-import=question]')?.innerText"
        text = browser.wait(question, "Nothing is asked about a cut zip file.")
        check("This zip file is incomplete. Import what is readable?" in text, f"The question is “{text}”.")
        check("cut.zip" in text and "--" not in text and ".upload" not in text, f"The question is “{text}”.")
        for theme in ("light", "dark"):
            browser.driver.execute_script("theme.choose(arguments[0])", theme)
            for width in (390, 1280):
                browser.size(width)
                browser.accessible(f"the question about a file, {width} {theme}")
                browser.screenshot(f"import-question-{width}-{theme}")
        # It waits for an answer, also on another visit.
        browser.screen(self.base, "data")
        browser.wait(question, "The question is forgotten.")
        browser.press(browser.button("Import what is readable"))
        browser.wait(finished, "What is readable isn't imported.")
        browser.wait(f"return !({question.removeprefix('return ')})", "The question stays.")
        imports = self.server.hk_json("imports")
        check([one["file"] for one in (imports[0], imports[-1])] == ["cut.zip", "export.zip"], f"hk lists {imports}.")
        browser.clean("the history of imports")

    def test_correct_and_undo(self):
        browser = self.browser
        point = '<trkpt lat="52.{0}" lon="13"><time>2024-05-02T10:{0}:00Z</time></trkpt>'
        track = "".join(point.format(minute) for minute in (10, 20, 30))
        ride = self.work / "ride.gpx"
        ride.write_text(f'<gpx creator="x"><trk><trkseg>{track}</trkseg></trk></gpx>')

        def rides():
            # On whichever day they are in the zone of this run.
            return self.server.hk_json("workouts", "--from", "2024-05-01", "--to", "2024-05-03")["workouts"]

        before = len(rides())
        browser.size(1280)
        browser.screen(self.base, "data")
        browser.driver.find_element("id", "import-file").send_keys(str(ride))
        self.until(lambda: len(rides()) == before + 1, "The track isn't a workout.")
        uuid = next(one["uuid"] for one in rides() if one["workoutActivityTypeName"] == "other")
        browser.screen(self.base, f"trends/workout/{uuid}")
        browser.press(browser.button("Correct workout"))
        browser.set("dialog select", "cycling")
        browser.driver.execute_script("""
            const end = [...document.querySelectorAll("dialog input[type=time]")].at(-1);
            end.stepDown(5);
            end.dispatchEvent(new Event("input", { bubbles: true }));""")
        browser.accessible("correcting a workout")
        browser.click("dialog button[type=submit]")
        told = "return document.querySelector('dialog:last-of-type').innerText.includes('1 location is left out')"
        browser.wait(told, "Nothing is said of what is outside of the new times.")
        check(uuid in [one["uuid"] for one in rides()], "The workout is corrected before the person agrees.")
        browser.accessible("what a correction takes out")
        browser.press(browser.button("Save changes", "dialog:last-of-type"))
        browser.wait("return document.querySelector('h1')?.innerText === 'Cycling'", "The workout isn't corrected.")
        check("cycling" in [one["workoutActivityTypeName"] for one in rides()], "hk has another activity.")
        browser.settle()
        # The newest import is the first.
        browser.screen(self.base, "data")
        browser.click("main li details summary")
        browser.click("main li details[open] [data-action=undo]")
        browser.wait("return document.querySelector('dialog table')", "Nothing is said of what an import added.")
        check("ride.gpx" in browser.text("dialog h2"), "The question doesn't name the file.")
        browser.accessible("undoing an import")
        browser.click("dialog button[type=submit]")
        browser.wait("return !document.querySelector('dialog')", "The import isn't undone.")
        browser.settle()
        check(len(rides()) == before, "What was imported is still there.")
        check("ride.gpx" not in [one["file"] for one in self.server.hk_json("imports")], "The import is still listed.")
        browser.clean("correcting a workout and undoing an import")

    def test_drop_anywhere(self):
        browser = self.browser
        browser.screen(self.base, "today")
        drop = """
            const files = new DataTransfer();
            files.items.add(new File([arguments[0]], arguments[1]));
            for (const name of ["dragover", "drop"]) {
              const event = { bubbles: true, cancelable: true, dataTransfer: files };
              document.querySelector("h1").dispatchEvent(new DragEvent(name, event));
            }"""
        point = '<trkpt lat="52.{0}" lon="13"><time>2024-05-01T10:00:{0}Z</time></trkpt>'
        track = "".join(point.format(second) for second in (10, 20))
        browser.driver.execute_script(drop, f'<gpx creator="x"><trk><trkseg>{track}</trkseg></trk></gpx>', "run.gpx")
        browser.wait("return location.hash === '#/data'", "Dropping a file doesn't lead to its import.")
        browser.wait("return document.querySelector('[data-import=finished]')", "A dropped file isn't imported.")
        browser.settle()
        check("run.gpx" in browser.text(".drop"), "The report doesn't name the file.")
        # The reason is in words.
        browser.driver.execute_script(drop, "text", "notes.txt")
        browser.wait(
            "return document.querySelector('.drop .notice.bad')?.innerText.includes('not a file that can be imported')",
            "A text isn't refused in words.",
        )
        # A folder, into which some browsers unpack an export, isn't sent.
        folder = self.work / "apple_health_export"
        folder.mkdir(exist_ok=True)
        data = {"items": [], "files": [str(folder)], "dragOperationsMask": 1}
        for name in ("dragEnter", "dragOver", "drop"):
            event = {"type": name, "x": 300, "y": 300, "data": data}
            browser.driver.execute_cdp_cmd("Input.dispatchDragEvent", event)
        told = "return document.querySelector('.toast')?.innerText.includes('“apple_health_export” is a folder')"
        browser.wait(told, "A folder isn't refused in words.")
        browser.clean("dropping a file")
