"""Logging: what is entered arrives in the store and in other windows, and can be taken back."""

import datetime

from selenium.webdriver import ActionChains

from browser import Keys, check
from page_test import PageTest
from server import number

# Entries with more than their forms ask for, the latest first.
ENTRIES = (
    ("Lentils", {
        "type": "food",
        "metadata": {"HKFoodType": "Lentils", "HKFoodMeal": "lunch"},
        "objects": [
            {"type": "dietaryEnergyConsumed", "quantity": 230, "unit": "kcal"},
            {"type": "dietaryProtein", "quantity": 18, "unit": "g"},
            {"type": "dietaryFiber", "quantity": 15.6, "unit": "g"},
        ],
    }),
    ("Mood", {"type": "stateOfMind", "fields": {"kind": 1, "valence": 0.25, "labels": [17], "associations": [5]}}),
    ("Barre", {"type": "workout", "workoutActivityType": "barre"}),
    ("Weight", {"type": "bodyMass", "quantity": 71.45, "unit": "kg", "metadata": {"scale": "bathroom"}}),
    ("Headache", {"type": "headache", "value": "unspecified"}),
)


class JournalTests(PageTest):
    def test_food_changes_balance_in_second_window(self):
        browser = self.browser
        browser.size(390)
        browser.screen(self.base, "today")
        first = browser.driver.current_window_handle
        before = number(browser.text("[data-figure=consumed]"))
        browser.wait(
            "return document.querySelector('.live').dataset.state === 'open'", "The page doesn't listen to events."
        )
        browser.driver.execute_script("window.wasNeverReloaded = true")
        browser.driver.switch_to.new_window("window")
        browser.size(390)
        browser.screen(self.base, "journal/food")
        browser.accessible("the food picker")
        browser.type("dialog input[type=search]", "banana")
        browser.click("[data-food=Banana]")
        browser.wait(
            "return document.querySelector('dialog h2')?.textContent === 'Banana'", "The amount isn't asked for."
        )
        browser.accessible("the amount of a food")
        browser.press(browser.button("Log food", "dialog"))
        browser.wait(
            "return document.querySelector('.toast')?.textContent.includes('105 kcal')", "The food isn't confirmed."
        )
        browser.settle()
        browser.wait(
            "return document.querySelector('main').innerText.includes('Banana')",
            "The journal doesn't list the food.",
        )
        second = browser.driver.current_window_handle
        browser.driver.switch_to.window(first)
        shown = (
            "return Number((document.querySelector('[data-figure=consumed] dd')?.textContent ?? '').replace(/[^\\d]/g,"
            " '')) === arguments[0]"
        )
        browser.wait(shown, f"The balance of the other window stays at {before}.", round(before + 105))
        check(browser.driver.execute_script("return window.wasNeverReloaded"), "The window was loaded again.")
        consumed = self.server.hk_json("energy")["days"][0]["consumed"]["quantity"]
        check(abs(consumed - before - 105) <= 1, "hk doesn't have the food.")
        browser.driver.switch_to.window(second)
        browser.press(browser.button("Undo"))
        browser.wait(
            "return document.querySelector('.toast')?.textContent.includes('Undone')",
            "Logging food can't be undone.",
        )
        browser.driver.close()
        browser.driver.switch_to.window(first)
        browser.wait(shown, "Taking back doesn't arrive in the other window.", round(before))
        # A step from another process, as from an iPhone.
        steps = number(browser.text("[data-figure=steps]"))
        self.server.hk_run("add", "stepCount", "77", "count")
        browser.wait(
            "return Number(document.querySelector('[data-figure=steps]').textContent.replace(/[^\\d]/g, '')) ==="
            " arguments[0]",
            "Steps of another process don't arrive.",
            round(steps + 77),
        )
        browser.clean("the live balance")

    def test_undo_by_keyboard(self):
        browser = self.browser
        browser.size(1280)
        browser.screen(self.base, "journal")
        water = "return document.querySelectorAll('main .list button[aria-label^=\"Delete Water\"]').length"
        before = browser.driver.execute_script(water)
        for _ in range(2):
            browser.driver.execute_script("arguments[0].focus()", browser.one("[data-log=water]"))
            browser.keys(Keys.ENTER)
            browser.wait("return document.querySelector('dialog button[type=submit]')", "The form doesn't open.")
            browser.keys(Keys.ENTER)
            browser.wait("return !document.querySelector('dialog') && document.querySelector('.toast')", "Not logged.")
            browser.settle()
            check(browser.focused() == "Water", f"After logging, the focus is on “{browser.focused()}”.")
        browser.wait(f"{water} === arguments[0]", "The water isn't listed.", before + 2)
        # One key away, from anywhere.
        browser.driver.switch_to.active_element.send_keys(Keys.CONTROL, "z")
        browser.wait(
            "return document.querySelector('.toast')?.textContent.includes('Undone')", "Ctrl+Z doesn't undo."
        )
        browser.wait(f"{water} === arguments[0]", "Undoing leaves the entry.", before + 1)
        # Reached by keyboard, the message stays until it is dismissed, and gives the focus back.
        browser.driver.execute_script("arguments[0].focus()", browser.one(".toast button"))
        browser.keys(Keys.ESCAPE)
        browser.wait("return !document.querySelector('.toast')", "Escape doesn't dismiss the message.")
        check(browser.focused() != "", "After a message, the focus is on the body.")
        # Deleting leaves the focus in the list.
        remove = 'main .list button[aria-label^="Delete Water"]'
        browser.driver.execute_script("arguments[0].focus()", browser.one(remove))
        browser.keys(Keys.ENTER)
        browser.wait("return document.querySelector('dialog button[type=submit]')", "Deleting doesn't ask.")
        browser.driver.execute_script("document.querySelector('dialog button[type=submit]').focus()")
        browser.keys(Keys.ENTER)
        browser.wait("return !document.querySelector('dialog')", "The dialog stays.")
        browser.wait(f"{water} === arguments[0]", "The entry isn't deleted.", before)
        check(browser.focused() != "", "After deleting, the focus is on the body.")
        browser.clean("undo by keyboard")

    def test_focus_stays(self):
        browser = self.browser
        for path in ("trends/type/HKQuantityTypeIdentifierStepCount/week", "trends/sleep"):
            browser.screen(self.base, path)
            for label in ("Earlier", "Later"):
                browser.driver.execute_script("arguments[0].focus()", browser.button(label))
                browser.keys(Keys.ENTER)
                browser.settle()
                check(browser.focused() != "", f"{path}: after {label}, the focus is on the body.")
        browser.screen(self.base, "trends/workouts")
        more = browser.one("main .card > .button")
        browser.driver.execute_script("arguments[0].focus()", more)
        while more.is_displayed():
            shown = len(browser.all("main .list li"))
            browser.keys(Keys.ENTER)
            longer = "return document.querySelectorAll('main .list li').length > arguments[0]"
            browser.wait(longer, "There are no earlier workouts.", shown)
        check(browser.focused() != "", "With all workouts, the focus is on the body.")
        browser.clean("the focus")

    def test_journal(self):
        browser = self.browser
        browser.size(390)
        browser.screen(self.base, "journal")
        forms = {
            "water": ("Water", lambda: None),
            "weight": ("Weight", lambda: browser.type("dialog input[inputmode=decimal]", "71.4")),
            "pressure": (
                "Blood pressure",
                lambda: [
                    [field.clear(), field.send_keys(text)]
                    for field, text in zip(browser.all("dialog input[inputmode=decimal]"), ("118", "76"))
                ],
            ),
            "symptom": (
                "symptom",
                lambda: [
                    browser.set("dialog select", "headache"),
                    browser.press(browser.button("Moderate", "dialog")),
                ],
            ),
            "mood": ("mood", lambda: browser.set("dialog [type=time]", "00:01")),
            "workout": ("workout", lambda: browser.type("dialog input[inputmode=decimal]", "30")),
        }
        for key, (name, fill) in forms.items():
            browser.click(f"[data-log={key}]")
            browser.wait(
                "return document.querySelector('dialog[open] button[type=submit]')", f"The form of {key} doesn't open."
            )
            browser.accessible(f"the form of {key}")
            fill()
            browser.click("dialog button[type=submit]")
            browser.wait(
                "return !document.querySelector('dialog') &&"
                " document.querySelector('.toast')?.textContent.includes('logged')",
                f"{key} isn't logged.",
            )
            browser.settle()
        check(
            abs(self.last("bodyMass")["quantity"] - 71.4) < 1e-9,
            "hk doesn't have the weight.",
        )
        members = {one["type"]: one["quantity"] for one in self.last("bloodPressure")["objects"]}
        check(members["HKQuantityTypeIdentifierBloodPressureSystolic"] == 118, f"hk's blood pressure is {members}.")
        check(self.last("headache")["value"] == 3, "hk doesn't have the symptom.")
        check(":01:00" in self.last("stateOfMind")["startDate"], "The mood isn't of its time.")
        check(
            self.last("workout")["duration"] == 1800,
            "hk doesn't have the workout.",
        )
        # A text that isn't a number is rejected where it was entered.
        browser.click("[data-log=weight]")
        browser.type("dialog input[inputmode=decimal]", "heavy")
        browser.click("dialog button[type=submit]")
        browser.wait(
            "return document.querySelector('dialog [aria-invalid=true]') === document.activeElement",
            "A wrong number isn't marked.",
        )
        browser.keys(Keys.ESCAPE)
        browser.wait("return !document.querySelector('dialog')", "Escape doesn't close the dialog.")
        # A food of one's own stays in the picker.
        browser.click("[data-log=food]")
        browser.click("[data-action=new-food]")
        browser.wait(
            "return document.querySelector('dialog h2')?.textContent.includes('your own')",
            "There is no form for own foods.",
        )
        fields = browser.all("dialog input")
        fields[0].send_keys("Grandma’s stew")
        fields[2].send_keys("432")
        browser.click("dialog button[type=submit]")
        browser.wait(
            "return document.querySelector('dialog h2')?.textContent.includes('stew')", "The own food can't be logged."
        )
        browser.press(browser.button("Log food", "dialog"))
        browser.wait(
            "return document.querySelector('.toast')?.textContent.includes('432 kcal')", "The own food isn't logged."
        )
        browser.screen(self.base, "journal/food")
        check("Your foods" in browser.text("dialog") and "stew" in browser.text("dialog"), "The own food isn't kept.")
        browser.keys(Keys.ESCAPE)
        # Deleting asks first.
        browser.wait("return !document.querySelector('dialog')", "Escape doesn't close the picker.")
        self.press_entry("Delete", "Grandma’s stew")
        browser.press(browser.button("Delete", "dialog"))
        browser.wait("return !document.querySelector('main').innerText.includes('stew')", "The entry isn't deleted.")
        browser.clean("the journal")

    def press_entry(self, verb, name):
        """Presses the button that edits or deletes the first entry of a name, also if it is drawn again meanwhile."""
        press = "const one = document.querySelector(arguments[0]); one?.click(); return Boolean(one)"
        selector = f'main .list button[aria-label^="{verb} {name}"]'
        self.browser.wait(press, f"There is no button {verb} {name}.", selector)

    def test_edit_entries(self):
        browser = self.browser
        browser.size(390)
        browser.screen(self.base, "journal")
        # The last value is offered.
        browser.click("[data-log=weight]")
        field = browser.one("dialog input[inputmode=decimal]")
        check(field.get_attribute("value") == "71.4", f"{field.get_attribute('value')} is offered as the last weight.")
        browser.click("dialog button[type=submit]")
        browser.wait("return !document.querySelector('dialog')", "The weight isn't logged.")
        browser.settle()
        before = self.last("bodyMass")
        listed = "return document.querySelector(`main .list li[data-uuid='${arguments[0]}']`)"
        browser.wait(listed, "What was logged isn't listed.", before["uuid"])
        self.press_entry("Edit", "Weight")
        browser.accessible("editing an entry")
        browser.type("dialog input[inputmode=decimal]", "72.6")
        browser.press(browser.button("Save changes", "dialog"))
        browser.wait("return !document.querySelector('dialog')", "The change isn't saved.")
        self.until(lambda: abs(self.last("bodyMass")["quantity"] - 72.6) < 1e-9, "hk doesn't have the change.")
        after = self.last("bodyMass")
        check(after["startDate"] == before["startDate"], "An edited entry has another time.")
        found = self.server.hk_json("samples", "bodyMass", "--limit", "9")["samples"]
        check(before["uuid"] not in [one["uuid"] for one in found], "The entry before the change is still there.")
        browser.press(browser.button("Undo"))
        self.until(lambda: abs(self.last("bodyMass")["quantity"] - 71.4) < 1e-9, "A change can't be undone.")
        # What apps and devices have written is only read.
        own = ("hk", "OpenHealthKit")
        rows = browser.driver.execute_script(
            "return [...document.querySelectorAll('main .list li[data-uuid]')].map((one) =>"
            " [one.querySelector('.detail').textContent.split(' · ')[1], one.querySelectorAll('button').length])"
        )
        check(any(source in own for source, _ in rows), "Nothing is listed that was logged.")
        check(all((count > 0) == (source in own) for source, count in rows), f"Others' entries have buttons: {rows}.")
        # Sums of a day are those of hk.
        browser.click("[data-log=water]")
        browser.type("dialog input[inputmode=decimal]", "0.4")
        browser.click("dialog button[type=submit]")
        browser.wait("return !document.querySelector('dialog')", "The water isn't logged.")
        browser.click("[data-kind=water]")
        browser.wait(
            "return [...document.querySelectorAll('main .list .title')].every((one) => one.textContent === 'Water')",
            "The filter shows something else.",
        )
        browser.settle()
        today = self.server.hk_json("stats", "dietaryWater", "--every", "day", "--last", "1d")["statistics"][-1]
        shown = number(browser.text("[data-sums]"))
        check(abs(shown - today["sumQuantity"]) < 0.6, f"The day has {shown}, hk {today['sumQuantity']}.")
        browser.accessible("the journal of one kind")
        browser.clean("editing")

    def test_edits_keep_the_rest(self):
        """What the form of an entry doesn't ask for stays as it is, in whatever unit the person sees energy."""
        browser = self.browser
        browser.size(390)
        now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        made = []
        for index, (_, sample) in enumerate(ENTRIES):
            end = now - datetime.timedelta(minutes=index + 1)
            start = end - datetime.timedelta(seconds=150 if sample["type"] == "workout" else 0)
            made.append({**sample, "startDate": start.isoformat(), "endDate": end.isoformat()})
        self.server.post(self.server.owner_token(), made)
        self.prefer("dietaryEnergyConsumed", "kJ")
        try:
            browser.screen(self.base, "journal")
            for name, sample in ENTRIES:
                before = self.last(sample["type"])
                self.press_entry("Edit", name)
                browser.press(browser.button("Save changes", "dialog"))
                browser.wait("return !document.querySelector('dialog')", f"{name} can't be saved.")
                self.until(lambda: self.last(sample["type"])["uuid"] != before["uuid"], f"{name} isn't saved.")
                after = self.last(sample["type"])
                check(self.content(after) == self.content(before), f"{name} was {before}, and is {after}.")
                browser.settle()
            # What was logged before is offered with the same energy, which pickers have in kilocalories.
            browser.screen(self.base, "journal/food")
            browser.wait("return document.querySelector('[data-food=Lentils]')", "The food isn't offered again.")
            check("230 kcal" in browser.text("[data-food=Lentils]"), browser.text("[data-food=Lentils]"))
        finally:
            self.prefer("dietaryEnergyConsumed", "kcal")
        browser.clean("edits")

    def prefer(self, type, unit):
        body = {"preferredUnits": {f"HKQuantityTypeIdentifier{type[0].upper()}{type[1:]}": unit}}
        self.server.request("PUT", "people/me/preferred-units", self.server.owner_token(), body)

    def content(self, sample):
        """What a sample says, as precisely as the fields of forms, without what every sample has of its own."""
        own = ("uuid", "sequence", "objects")
        said = lambda value: round(value, 2) if isinstance(value, float) else value
        parts = sorted((one["type"], said(one["quantity"])) for one in sample.get("objects", []))
        return [{name: said(value) for name, value in sample.items() if name not in own}, parts]

    def test_doses_have_names(self):
        """The medications of the store are offered by name, the one taken last first, as it was taken."""
        browser = self.browser
        now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        made = []
        for days, (name, dose, unit) in enumerate((("Quince drops", 12, "drops"), ("Quince pill", 0.5, "tablet")), 1):
            start = (now - datetime.timedelta(days=days)).isoformat()
            concept = {"medicationConceptIdentifier": name}
            medication = {**concept, "displayText": name, "generalForm": "unknown", "isArchived": False,
                          "hasSchedule": False, "relatedCodings": []}
            taken = {**concept, "logStatus": 4, "scheduleType": 1, "doseQuantity": dose, "unit": unit}
            made.append({"type": "userAnnotatedMedicationConcept", "startDate": start, "fields": medication})
            made.append({"type": "medicationDoseEvent", "startDate": start, "fields": taken})
        self.server.post(self.server.owner_token(), made)
        browser.size(390)
        browser.screen(self.base, "journal/medicationDoseEvent")
        browser.wait("return document.querySelector('dialog select')", "There is no form of doses.")
        browser.accessible("the form of doses")
        fields = "return [...document.querySelectorAll('dialog .fields input:not([type])," \
            " dialog .fields input[type=text]')].slice(0, 2).map((one) => one.value)"
        offered = browser.texts("dialog select option")
        check([one for one in offered if "Quince" in one] == offered[:2], f"These are offered: {offered}.")
        for name, expected in (("Quince drops", ["12", "drops"]), ("Quince pill", ["0.5", "tablet"])):
            browser.set("dialog select", name)
            found = browser.driver.execute_script(fields)
            check(found == expected, f"Of {name}, the form has {found}.")
        browser.press(browser.button("Log", "dialog"))
        browser.wait("return !document.querySelector('dialog')", "The dose can't be logged.")
        browser.wait(
            "return [...document.querySelectorAll('main .list li')].some((one) =>"
            " one.innerText.includes('Quince pill') && one.innerText.includes('0.5 tablet'))",
            "The dose isn't listed by name.",
        )
        browser.screen(self.base, "trends/samples/medicationDoseEvent")
        check("Quince drops · 12 drops" in browser.text("main"), "The samples don't name what was taken.")
        browser.clean("doses")

    def test_dialog_stays_while_text_is_selected(self):
        browser = self.browser
        browser.size(1280)
        browser.screen(self.base, "journal")
        browser.click("[data-log=weight]")
        browser.type("dialog input[inputmode=decimal]", "71.4")
        field = browser.one("dialog input[inputmode=decimal]")
        chain = ActionChains(browser.driver).move_to_element(field).click_and_hold()
        chain.move_to_element_with_offset(browser.one("body"), -600, 0).release().perform()
        check(browser.all("dialog[open]"), "Selecting text closes the dialog.")
        ActionChains(browser.driver).move_to_element_with_offset(browser.one("body"), -600, 0).click().perform()
        browser.wait("return !document.querySelector('dialog')", "A click beside the dialog doesn't close it.")
        browser.clean("a dialog")

    def test_food_table(self):
        browser = self.browser
        table = self.work / "foods.csv"
        rows = ["name,serving,energy,protein,barcode", '"Cheese, aged",30 g,120,7,4006381333931', "Rye,45 g,83,3,"]
        table.write_text("\n".join(rows) + "\n")
        browser.screen(self.base, "journal/food")
        browser.accessible("the picker of foods")
        browser.driver.find_element("css selector", "dialog input[type=file]").send_keys(str(table))
        browser.wait(
            "return document.querySelector('.toast')?.textContent.includes('2 foods imported')", "No table is imported."
        )
        browser.wait("return document.querySelector('[data-food=\"Cheese, aged\"]')", "The food isn't listed.")
        # As a scanner types.
        browser.type("dialog input[type=search]", "4006381333931")
        browser.keys(Keys.ENTER)
        browser.wait(
            "return document.querySelector('dialog h2')?.textContent === 'Cheese, aged'", "A barcode finds nothing."
        )
        browser.press(browser.button("Log food", "dialog"))
        browser.wait("return !document.querySelector('dialog')", "The food isn't logged.")
        browser.settle()
        self.press_entry("Edit", "Cheese")
        browser.wait(
            "return document.querySelector('dialog h2')?.textContent === 'Cheese, aged'", "The food can't be edited."
        )
        browser.type("dialog input[inputmode=decimal]", "2")
        browser.press(browser.button("Save changes", "dialog"))
        browser.wait(
            "return document.querySelector('main .list').innerText.includes('240 kcal')", "The amount isn't changed."
        )
        wrong = self.work / "wrong.csv"
        wrong.write_text("name,energy\nRye,many\n")
        browser.screen(self.base, "journal/food")
        browser.expected = ["/foods"]
        browser.driver.find_element("css selector", "dialog input[type=file]").send_keys(str(wrong))
        browser.wait(
            "return document.querySelector('.toast')?.textContent.includes('Line 2')", "The line isn't named."
        )
        browser.clean("a table of foods")
        browser.expected = []

    def last(self, type):
        """The last sample of a type that hk has."""
        return self.server.hk_json("samples", type, "--limit", "1")["samples"][0]
