"""Thirty things that people look for in their data. Each begins at Today and takes at most five actions."""

import datetime
import re
import time
import urllib.parse

from browser import Keys, check
from page_test import PageTest
from server import Server

MOST_ACTIONS = 5
QUANTITY = "HKQuantityTypeIdentifier"
PRESSURE = "HKCorrelationTypeIdentifierBloodPressure"
# The visible control of a name in the dialog that is open, else on the page; else one whose name begins so.
FIND = """
    const [selector, name] = arguments;
    const scope = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
    const plain = (text) => (text ?? "").replace(/\\s+/g, " ").trim();
    const nameOf = (one) => plain(one.ariaLabel ?? one.labels?.[0]?.textContent ?? one.innerText);
    const all = [...scope.querySelectorAll(selector)].filter((one) => one.getClientRects().length > 0 && !one.disabled);
    const wanted = plain(name);
    return all.find((one) => nameOf(one) === wanted) ?? all.find((one) => nameOf(one).startsWith(wanted));"""
FIELDS = "input, select"
PRESSED = "a, button, summary, input[type=checkbox]"


class Person:
    """What a person does on the page, by the names that they read. Counts the actions of a task."""

    def __init__(self, browser):
        self.browser, self.actions = browser, 0

    def act(self):
        self.actions += 1
        check(self.actions <= MOST_ACTIONS, f"It takes more than {MOST_ACTIONS} actions.")

    def find(self, selector, name):
        return self.browser.wait(FIND, f"There is no “{name}”.", selector, name)

    def click(self, name):
        self.act()
        self.browser.undisturbed(lambda: self.browser.press(self.find(PRESSED, name)))
        self.browser.settle()

    def choose(self, name, option):
        """An option of a list, by its text."""
        self.act()
        choose = """
            const [field, text] = arguments;
            const option = [...field.options].find((one) => one.textContent.trim().startsWith(text));
            if (option) { field.value = option.value; field.dispatchEvent(new Event("change", { bubbles: true })); }
            return Boolean(option);"""
        has = self.browser.undisturbed(
            lambda: self.browser.driver.execute_script(choose, self.find(FIELDS, name), option))
        check(has, f"“{name}” has no “{option}”.")
        self.browser.settle()

    def set(self, name, value):
        """A date, which is typed differently in every language."""
        self.act()
        change = """
            const [field, value] = arguments;
            field.value = value;
            for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));"""
        self.browser.undisturbed(
            lambda: self.browser.driver.execute_script(change, self.find(FIELDS, name), value))
        self.browser.settle()

    def type(self, name, text):
        """A text and Enter."""
        self.act()
        keys = (Keys.CONTROL, "a", Keys.NULL, text, Keys.ENTER)
        self.browser.undisturbed(lambda: self.find(FIELDS, name).send_keys(*keys))
        self.browser.settle()

    def give(self, file):
        """A file, which the system's dialog chooses."""
        self.act()
        self.browser.one("#import-file").send_keys(str(file))


def length(seconds):
    """A length of time as the page writes it."""
    hours, minutes = divmod(round(seconds / 60), 60)
    return " ".join(part for part in (hours and f"{hours} h", minutes and f"{minutes} min") if part)


def pace(seconds):
    return "{}:{:02}".format(*divmod(round(seconds), 60))


class TaskTests(PageTest):
    def test_thirty_tasks(self):
        browser = self.browser
        browser.size(390)
        browser.speak("en-US")
        self.token = self.server.owner_token()
        self.prepare()
        tasks = [one for one in vars(TaskTests) if one.startswith("task_")]
        check(len(tasks) >= 30, f"There are {len(tasks)} tasks.")
        failed = []
        for name in tasks:
            browser.screen(self.base, "today")
            began, person = time.monotonic(), Person(browser)
            try:
                getattr(self, name)(person)
                print(f"  {name}: {person.actions} actions, {time.monotonic() - began:.1f} s", flush=True)
            except Exception as error:
                failed.append(f"{name}: {error}")
                browser.screenshot(f"failed-{name}")
            browser.driver.execute_script("for (const one of document.querySelectorAll('dialog')) one.close()")
        check(not failed, "\n    ".join([f"{len(failed)} tasks aren't done", *failed]))
        browser.expected = ["/v1/session"]
        browser.clean("the tasks")

    # What the tasks are about, beside the archive

    def at(self, day, clock="08:00"):
        return f"{day}T{clock}:00{self.offset() // 3600:+03}:00"

    def day_before(self, back):
        return time.strftime("%Y-%m-%d", time.gmtime(time.time() + self.offset() - back * 86400))

    def prepare(self):
        def quantity(type, value, unit, start, end=None):
            return {"type": type, "quantity": value, "unit": unit, "startDate": start, "endDate": end or start}

        def workout(day, minutes, kilometers):
            end = f"{18 + minutes // 60:02}:{minutes % 60:02}"
            return {
                "type": "workout", "workoutActivityType": "running", "startDate": self.at(day, "18:00"),
                "endDate": self.at(day, end), "totalDistance": {"quantity": kilometers, "unit": "km"},
            }

        june = [f"2019-06-{day:02}" for day in range(1, 31)]
        samples = [
            *(quantity("stepCount", 4000 + 37 * int(day[-2:]), "count", self.at(day, "10:00"), self.at(day, "11:00"))
              for day in (*june, "2019-03-04")),
            *(quantity("heartRate", value, "count/min", self.at("2019-03-04", f"{hour}:00"))
              for hour, value in ((10, 61), (18, 158), (21, 72))),
            quantity("bodyMass", 74.5, "kg", self.at("2019-03-04")),
            workout("2019-03-04", 29, 4.2), workout("2020-05-02", 31, 5.02), workout("2020-05-09", 27, 5.05),
            workout("2020-05-16", 66, 10.1), workout("2020-05-23", 29, 5.01),
        ]
        for index in range(40):
            start = datetime.date(2021, 2, 1) + datetime.timedelta(days=7 * index)
            end = "09:20" if index == 17 else f"{6 + index % 2:02}:{7 * index % 60:02}"
            samples.append({"type": "sleepAnalysis", "value": 3, "startDate": self.at(start, "00:00"),
                            "endDate": self.at(start, end)})
        samples += [{"type": "sleepAnalysis", "value": 0, "startDate": self.at(f"2018-03-{day:02}", "00:00"),
                     "endDate": self.at(f"2018-03-{day:02}", "08:00")} for day in range(6, 18)]
        for back in range(2, 14):
            day = self.day_before(back)
            for clock, upper, lower in (("07:10", 127 + back % 5, 82), ("20:15", 119 + back % 4, 77)):
                members = [quantity("bloodPressureSystolic", upper, "mmHg", self.at(day, clock)),
                           quantity("bloodPressureDiastolic", lower, "mmHg", self.at(day, clock))]
                samples.append({"type": "bloodPressure", "startDate": self.at(day, clock), "objects": members})
        self.save(samples)
        self.save([quantity("bodyMass", 412, "kg", self.at(self.day_before(3), "05:05"))], "?allowImplausible=true")

    def save(self, samples, options=""):
        answer = self.server.request("POST", f"people/me/samples{options}", self.token, {"samples": samples})
        check(answer, "The data of the tasks isn't stored.")

    # What is right, by hk and the API

    def ask(self, path, **parameters):
        query = urllib.parse.urlencode({"timeZone": self.zone, **parameters})
        return self.browser.ask(f"/v1/people/me/{path}?{query}")

    def stats(self, type, first, last):
        return self.server.hk_json("stats", type, "--from", first, "--to", last)["statistics"][0]

    # What the screen says

    def says(self, *texts, selector="main"):
        """Each of some texts is on the screen, at the latest in a while."""
        plain = lambda text: re.sub(r"\s+", " ", text)
        for text in texts:
            self.browser.wait(
                "return [...document.querySelectorAll(arguments[0])].some((one) => one.getClientRects().length > 0"
                " && one.innerText.replace(/\\s+/g, ' ').includes(arguments[1]))",
                f"The screen doesn't say “{text}”.", selector, plain(str(text)),
            )

    def figure(self, name, text):
        """The figure of a name begins with a text."""
        self.browser.wait("""
            return [...document.querySelectorAll("main .figures > div")].some((one) =>
              one.querySelector("dt").textContent.startsWith(arguments[0])
              && one.querySelector("dd").textContent.replace(/\\s+/g, " ").startsWith(arguments[1]));""",
            f"“{name}” isn't {text}", name, str(text))

    # The past

    def task_what_i_did_on_a_day_in_2019(self, person):
        person.set("Go to a date", "2019-03-04")
        expected = self.server.hk_json("today", "--day", "2019-03-04")
        self.says(f"{round(expected['steps']['quantity']):,}", "Running", length(29 * 60), "61–158")

    def task_longest_night_of_2021(self, person):
        person.click("Trends")
        person.click("Sleep")
        person.set("Last day", "2021-12-31")
        person.click("1 year")
        nights = self.server.hk_json("sleep", "--from", "2021-01-01", "--to", "2021-12-31")["nights"]
        self.figure("Longest night", length(max(one["main"]["timeAsleep"] for one in nights if "main" in one)))

    def task_steps_of_june_2019(self, person):
        person.click("Trends")
        person.click("Steps, open")
        person.set("Go to a date", "2019-06-15")
        self.figure("Total", f"{round(self.stats('stepCount', '2019-06-01', '2019-06-30')['sumQuantity']):,}")

    def task_weight_in_march_2019(self, person):
        person.click("Trends")
        person.click("Weight, open")
        person.set("Go to a date", "2019-03-15")
        self.figure("Average", f"{self.stats('bodyMass', '2019-03-01', '2019-03-31')['averageQuantity']:.1f}")

    def task_nights_that_are_only_in_bed(self, person):
        person.click("Trends")
        person.click("Sleep")
        person.set("Last day", "2018-03-20")
        nights = self.server.hk_json("sleep", "--from", "2018-02-21", "--to", "2018-03-20")["nights"]
        count = sum(not one["main"].get("timeAsleep") for one in nights)
        check(count == 12, f"hk has {count} nights in bed.")
        self.says(f"{count} nights have only the time in bed", "only in bed")

    def task_workouts_of_2020(self, person):
        person.click("Trends")
        person.click("Workouts")
        person.choose("Year", "2020")
        all_of_them = self.server.hk_json("workouts", "--limit", "0")["workouts"]
        of_year = [one for one in all_of_them if one["startDate"].startswith("2020")]
        self.figure("Workouts", len(of_year))
        self.figure("Time", length(sum(one["duration"] for one in of_year)))

    def task_fastest_5_kilometers(self, person):
        person.click("Trends")
        person.click("Workouts")
        person.choose("Activity", "Running")
        person.choose("Distance", "From 5 ")
        person.choose("Year", "2020")
        answer = self.ask("workouts", activityType="running", limit=0)["workouts"]
        far = [one for one in answer if one["startDate"].startswith("2020") and one["totalDistance"]["quantity"] >= 5]
        best = min(far or answer, key=lambda one: one["pace"]["quantity"])
        if far:
            self.figure("Fastest", pace(best["duration"] / best["totalDistance"]["quantity"]))
        else:
            self.says("No workout is like this")

    def task_highest_heart_rate_of_all_time(self, person):
        person.click("Trends")
        person.click("Heart Rate, open")
        person.click("All")
        person.click(self.range_of("heartRate"))
        highest = self.ask("samples", type="heartRate", sort="-value", limit=1)["samples"][0]
        self.says(f"{round(highest['quantity']):,}", selector="main details:first-of-type .title")
        self.says(highest["source"], selector="main li:first-child .detail")

    def range_of(self, type):
        whole = self.stats(type, "2019-01-01", self.day_before(0))
        return f"{round(whole['minimumQuantity']):,}–{round(whole['maximumQuantity']):,}: all data"

    def task_resting_heart_rate_against_the_year_before(self, person):
        person.click("Trends")
        person.click("Resting Heart Rate, open")
        person.click("Year")
        person.choose("Compare with", "A year before")
        self.says("A year before", selector="main .legend")
        # The archive has half a year.
        year = self.stats("restingHeartRate", self.day_before(300), self.day_before(0))
        self.figure("Average", f"{year['averageQuantity']:.0f}")

    def task_two_months_of_steps_compared(self, person):
        person.click("Trends")
        person.click("Steps, open")
        person.choose("Compare with", "The period before")
        self.says("The period before", selector="main .legend")
        last = self.stats("stepCount", self.day_before(29), self.day_before(0))["sumQuantity"]
        before = self.stats("stepCount", self.day_before(59), self.day_before(30))["sumQuantity"]
        self.figure("Total", f"{round(last):,}")
        self.figure("Against the period before", "+" if last > before else "−")

    # One sample

    def task_delete_a_wrong_weight(self, person):
        person.click("Trends")
        person.click("Weight, open")
        person.click(self.find_range())
        person.click("Delete Weight, ")
        person.click("Delete")
        self.says("Deleted", selector=".toast")
        heaviest = self.ask("samples", type="bodyMass", sort="-value", limit=1)["samples"][0]["quantity"]
        check(heaviest < 400, f"The heaviest weight is {heaviest}.")

    def find_range(self):
        """The name of the range of the period, as it is read on the screen."""
        return self.browser.wait(
            "return document.querySelector('main .summary a')?.ariaLabel", "The range leads nowhere.")

    def task_source_of_a_heart_rate(self, person):
        person.click("Trends")
        person.click("Heart Rate, open")
        person.click("All data")
        latest = self.ask("samples", type="heartRate", sort="-startDate", limit=1)["samples"][0]
        self.says(f"{round(latest['quantity'])}", selector="main details .title")
        self.says(latest["source"], selector="main details .detail")

    def task_log_glucose(self, person):
        person.click("Journal")
        person.click("More …")
        person.type("Name", "gluc")
        person.type("Amount", "95")
        self.says("Blood Glucose, 95 mg/dL, logged", selector=".toast")
        found = self.latest_glucose(1)
        check(found == [95], f"The server has {found}.")

    def latest_glucose(self, count):
        found = self.ask("samples", type="bloodGlucose", sort="-startDate", limit=count)["samples"]
        return [one["quantity"] for one in found]

    def task_correct_glucose(self, person):
        person.click("Journal")
        person.click("Edit Blood Glucose, 95 mg/dL")
        person.type("Amount", "98")
        self.says("98 mg/dL, logged", selector=".toast")
        found = self.latest_glucose(2)
        check(found[0] == 98 and found[1] != 95, f"The server has {found}.")

    def task_log_glucose_again(self, person):
        person.click("Journal")
        person.click("Log again: Blood Glucose · 98 mg/dL")
        self.says("98 mg/dL, logged", selector=".toast")
        found = self.latest_glucose(2)
        check(found == [98, 98], f"The server has {found}.")

    def task_log_a_glass_of_water_and_take_it_back(self, person):
        before = len(self.ask("samples", type="dietaryWater", limit=1000)["samples"])
        person.click("Journal")
        person.click("Water")
        # Before the form is there, “Log again” would begin with the name, too.
        self.browser.one("dialog[open] button[type=submit]")
        person.click("Log")
        person.click("Undo")
        self.says("Undone", selector=".toast")
        after = len(self.ask("samples", type="dietaryWater", limit=1000)["samples"])
        check(after == before, f"There were {before} glasses and are {after}.")

    def task_log_a_headache(self, person):
        person.click("Journal")
        person.click("More …")
        person.type("Name", "headache")
        person.click("Log")
        self.says("Headache", selector="main .list")
        found = self.ask("samples", type="headache", limit=1, sort="-startDate")["samples"]
        check(found, "The headache isn't stored.")

    # Doctors and others

    def task_blood_pressure_of_mornings(self, person):
        person.click("Trends")
        person.click("Report to print")
        self.says("mmHg", selector=f"[data-part={PRESSURE}]")
        start = self.at(self.day_before(89), "00:00")
        pairs = self.ask("samples", type="bloodPressure", limit=1000, start=start)["samples"]
        mornings = [
            {member["type"]: member["quantity"] for member in one["objects"]}
            for one in pairs if 4 <= int(one["startDate"][11:13]) < 12
        ]
        mean = [sum(one[f"{QUANTITY}BloodPressure{name}"] for one in mornings) / len(mornings)
                for name in ("Systolic", "Diastolic")]
        text = f"{mean[0]:.0f}/{mean[1]:.0f} ({len(mornings)})"
        self.says(text, selector=f"[data-part={PRESSURE}] tbody tr:first-child")

    def task_three_months_for_my_cardiologist(self, person):
        person.click("Trends")
        person.click("Report to print")
        person.click("Share by link")
        person.choose("How far back", "The last 3 months")
        person.type("For whom", "Cardiologist")
        self.says("/#/link/", selector="dialog #new-token")
        token = next(one for one in self.tokens() if one["name"] == "Cardiologist")
        read = token["permissions"][0]["read"]
        for type in (f"{QUANTITY}RestingHeartRate", "HKDataTypeIdentifierElectrocardiogram"):
            check(type in read, f"The link doesn't show {type}: {read}.")

    def tokens(self):
        return self.browser.ask("/v1/tokens?limit=1000")["tokens"]

    def task_make_a_link_and_revoke_it(self, person):
        person.click("Data")
        person.click("Share by link")
        person.click("Read all: Heart")
        person.type("For whom", "Family")
        link = self.browser.wait("return document.querySelector('dialog #new-token')?.textContent", "There is no link.")
        check("/#/link/" in link, f"The link is {link}.")
        token = next(one for one in self.tokens() if one["name"] == "Family")
        days = (datetime.datetime.fromisoformat(token["expires"]) - datetime.datetime.now(datetime.timezone.utc)).days
        check(5 <= days <= 8, f"The link expires in {days} days.")
        person.click("Revoke")
        self.says("Family is revoked", selector=".toast")
        check(all(one["name"] != "Family" for one in self.tokens()), "The link isn't revoked.")

    def task_the_latest_electrocardiogram(self, person):
        person.click("Trends")
        person.type("Find a type", "electro")
        person.click("Electrocardiogram")
        latest = self.ask("electrocardiograms")["electrocardiograms"][-1:]
        check(latest, "There is no electrocardiogram.")
        self.says("25 mm/s", "10 mm/mV")

    # Data

    def task_account_of_a_source(self, person):
        person.click("Data")
        source = self.ask("sources")["sources"]
        largest = max(source, key=lambda one: one["count"])
        person.click(f"Delete all data of {largest['source']}")
        query = urllib.parse.urlencode({"source": largest["bundleIdentifier"], "dryRun": "true"})
        parts = self.server.request("DELETE", f"people/me/samples?{query}", self.token, {})["samples"]
        self.says(f"{sum(one['count'] for one in parts):,} samples", selector="dialog")
        person.click("Cancel")
        check(self.ask("sources")["sources"] == source, "Something was deleted.")

    def task_import_a_table(self, person):
        table = self.work / "waist.csv"
        table.write_text("Date,Waist\n2024-01-02 08:00,81\n2024-01-09 08:00,80.5\n")
        person.click("Data")
        person.give(table)
        person.click("Say what the columns are")
        person.choose("Type of Waist", "Waist Circumference")
        person.click("Import")
        self.says("2 added", selector="main .drop")
        check(len(self.ask("samples", type="waistCircumference", limit=9)["samples"]) == 2, "It isn't stored.")

    def task_connect_the_iphone(self, person):
        options = ("--lan", "--yes", "--host", "127.0.0.1")
        lan = Server(self.server.hk, self.work / "tasks-phone.sqlite", self.zone, options)
        try:
            self.browser.go(lan.phone)
            self.browser.settle()
            person.click("Shortcuts on the iPhone")
            self.says(f"{lan.url}/v1/people/me/ingest/shortcuts", "Bearer ")
            check(self.browser.one("main svg.qr").is_displayed(), "There is no code to scan.")
        finally:
            lan.stop()
            self.browser.go("about:blank")
            self.browser.go(self.base)
            self.browser.settle()
            self.browser.forget()

    # The person

    def task_pounds_instead_of_kilograms(self, person):
        before = self.ask("preferred-units", types="bodyMass")["preferredUnits"]
        person.click("Profile")
        person.choose("Weight", "lb" if "kg" in before.values() else "kg")
        person.click("Trends")
        unit = self.ask("preferred-units", types="bodyMass")["preferredUnits"]
        check(unit != before, "The unit stays.")
        self.says(next(iter(unit.values())), selector=f"[data-type={QUANTITY}BodyMass]")
        self.server.request("PUT", "people/me/preferred-units", self.token, {"preferredUnits": before})

    def task_a_goal_of_555_kilocalories(self, person):
        person.click("Profile")
        person.type("Move", "555")
        self.says("Goals saved", selector=".toast")
        goal = self.ask("goals")["current"]["activeEnergyBurnedGoal"]["quantity"]
        check(goal == 555, f"The goal is {goal}.")

    def task_the_page_in_german(self, person):
        person.click("Profile")
        person.choose("Language", "Deutsch")
        self.says("Profil", "Ziele")
        person.choose("Sprache", "Automatisch")
        self.says("Goals")

    def task_a_note_about_a_change(self, person):
        person.click("Trends")
        person.click("Two types on one chart")
        person.click("Add a note")
        person.type("Note", "New medication")
        self.says("New medication", selector="main .list")
        notes = self.ask("annotations")["annotations"]
        check(notes[-1]["text"] == "New medication", f"The server has {notes}.")

    def task_pin_the_oxygen(self, person):
        person.click("Trends")
        person.click("Pin Blood Oxygen")
        self.says("Blood Oxygen", selector=".favorites h2")
        self.server.request("PUT", "people/me/pinned-types", self.token, {"types": []})

    def task_days_with_all_rings(self, person):
        person.click("Trends")
        person.click("Rings")
        month = datetime.date.fromisoformat(self.day_before(0)).replace(day=1)
        for _ in range(5):
            month = (month - datetime.timedelta(days=1)).replace(day=1)
        summary = self.server.hk_json("rings", "--from", str(month), "--to", self.day_before(0))["summary"]
        self.figure("All three closed", f"{summary['closed']['all']}")

    def task_rings_of_yesterday(self, person):
        yesterday = self.day_before(1)
        person.set("Go to a date", yesterday)
        rings = self.server.hk_json("today", "--day", yesterday)["rings"]["today"]
        self.says(f"{round(rings['activeEnergyBurned']['quantity']):,}/", selector=".rings-card .figures")
