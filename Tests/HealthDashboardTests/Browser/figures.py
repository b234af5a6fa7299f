"""The figures of Today, compared with the server's answer, and how often each screen asks for its answers."""

import re
import time

from browser import Keys, check
from page_test import PageTest
from server import minutes, number

# What each screen requests of the person's resources when it is loaded.
REQUESTS = {
    "today": ["highlights", "today"],
    # The entries, and the energy and the water of each day, which only the server adds up over all sources.
    # What is shown, and what a person has entered of types that no filter shows.
    "journal": ["samples", "samples", "statistics", "statistics", "types"],
    "trends": ["types"],
    "trends/compare": ["annotations", "statistics", "statistics", "types"],
    "trends/sleep": ["sleep", "sleep", "types"],
    # The training load takes the heart rates of all workouts, for which the other figures of the weeks don't wait; the
    # years are those of the filter.
    "trends/workouts": ["types", "workouts", "workouts/weeks", "workouts/weeks", "workouts/weeks"],
    "trends/rings": ["activity-summaries", "types"],
    "trends/type/HKQuantityTypeIdentifierStepCount/month": ["annotations", "sources/order", "statistics", "trends", "types"],
    "data": ["imports", "sources", "sync/devices", "types", "webhooks"],
    "profile": ["characteristics", "goals", "preferred-units"],
}


class FigureTests(PageTest):
    def test_rings_equal_hk(self):
        browser = self.browser
        browser.size(390)
        browser.screen(self.base, "today")
        picture = self.work / "rings.svg"
        self.server.hk_run("rings", "--svg", str(picture), "--size", "320")
        drawn = picture.read_text()
        label = re.search(r'aria-label="([^"]*)"', drawn).group(1)
        browser.wait(
            "return document.querySelector('.rings-card .rings').getAttribute('aria-label') === arguments[0]",
            f"The rings don't say {label}.",
            label,
        )
        time.sleep(1.2)
        rounded = lambda path: re.sub(r"-?\d+\.\d+", lambda found: f"{float(found.group()):.2f}", path)
        for shape, attribute in (("path", "d"), ("circle", "cx")):
            expected = [rounded(one) for one in re.findall(rf'<{shape} [^>]*?\b{attribute}="([^"]*)"', drawn)]
            read = (
                f"return [...document.querySelectorAll('.rings-body .rings {shape}')].map((one) =>"
                f" one.getAttribute('{attribute}'))"
            )
            shown = [rounded(one) for one in browser.driver.execute_script(read)]
            check(shown == expected, f"The {shape}s differ from HealthKitUI's: {len(shown)} and {len(expected)}.")
        browser.clean("rings")

    def test_figures_equal_the_answer(self):
        browser = self.browser
        browser.screen(self.base, "today")
        today = browser.ask(f"/v1/people/me/today?timeZone={self.zone}")
        self.check_rings(today["rings"])
        self.check_energy(today["energy"])
        steps, heart, night = today["steps"], today["heartRate"], today["sleep"]["main"]
        self.equal("steps", browser.text("[data-figure=steps]"), steps["quantity"])
        self.check_change("Steps", steps["reference"])
        self.equal("usual steps", browser.card("Steps")[0].split("4-week average")[1], steps["reference"]["average"])
        low, high = browser.text("[data-figure=heart]").split("–")
        self.equal("lowest heart rate", low, heart["minimum"])
        self.equal("highest heart rate", high, heart["maximum"])
        asleep = minutes(browser.text("[data-figure=sleep]"))
        check(
            abs(asleep - night["timeAsleep"] / 60) <= 1,
            f"{asleep} minutes of sleep are shown for {night['timeAsleep']} s.",
        )
        workout, shown = today["workout"], browser.card("Latest workout")[1]
        check(abs(minutes(shown["Time"]) - workout["duration"] / 60) <= 1, f"The workout takes {shown['Time']}.")
        if "totalEnergyBurned" in workout:
            self.equal("energy of the workout", shown["Energy"], workout["totalEnergyBurned"]["quantity"])
        browser.clean("figures")

    def check_rings(self, rings):
        summary, reference = rings["today"], rings["reference"]
        values = self.browser.texts(".rings-body .figures dd")
        members = (("move", "activeEnergyBurned"), ("exercise", "appleExerciseTime"), ("stand", "appleStandHours"))
        for text, (ring, member) in zip(values, members):
            self.equal(ring, text, summary[member]["quantity"])
            self.equal(f"usual {ring}", text.split("4-week average")[1], reference[ring])
        check(len(self.browser.all(".week li button")) == 7, "The week doesn't have seven days.")

    def check_energy(self, energy):
        _, shown = self.browser.card("Energy balance")
        self.equal("active energy", shown["Active"], energy["active"]["quantity"])
        self.equal("energy consumed", shown["Consumed"], energy["consumed"]["quantity"])
        # Resting energy grows between both answers.
        self.equal("resting energy", shown["Resting"], energy["resting"]["quantity"], 5)
        if "net" in energy:
            self.equal("net energy", self.browser.text("[data-figure=net]"), energy["net"]["quantity"], 5)
        else:
            check("no balance" in self.browser.card("Energy balance")[0], "A day without food has a balance.")

    def check_change(self, heading, reference):
        change = reference["relativeChange"]
        text = re.search(r"(\d+)% (above|below)", self.browser.card(heading)[0])
        said = text.groups() if text else None
        expected = None
        if abs(change) >= 0.01:
            expected = (str(round(abs(change) * 100)), "above" if change > 0 else "below")
        check(said == expected, f"{heading} is {change} from the usual, the page says {said}.")

    def equal(self, name, text, value, tolerance=0.51):
        check(abs(number(text) - value) <= tolerance, f"The {name} is shown as “{text}”, the answer is {value}.")

    def test_hours_are_read(self):
        """The charts of the day are read hour by hour, with the keys and by touch."""
        browser = self.browser
        browser.size(390)
        browser.screen(self.base, "today")
        today = browser.ask(f"/v1/people/me/today?timeZone={self.zone}")
        steps, heart = browser.all(".today .cursored[role=slider]")[:2]
        browser.driver.execute_script("arguments[0].focus()", steps)
        browser.keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 9)
        hour, shown, usual = steps.get_attribute("aria-valuetext").split(" · ")
        check(hour.startswith("9:00"), f"The tenth hour is named {hour}.")
        self.equal("steps of an hour", shown, today["steps"]["hours"][9])
        self.equal("usual steps of an hour", usual, today["steps"]["averageHours"][9])
        browser.driver.execute_script(
            "const box = arguments[0].querySelector('svg').getBoundingClientRect();"
            " const event = { bubbles: true, pointerType: 'touch', clientX: box.left + 1, clientY: box.top + 9 };"
            " arguments[0].querySelector('svg').dispatchEvent(new PointerEvent('pointerdown', event));", heart
        )
        first = next(one for one in today["heartRate"]["intervals"] if "minimum" in one)
        bubble = heart.find_element("css selector", ".bubble").text
        self.equal("first heart rate", bubble.split(" · ")[1].split("–")[0], first["minimum"])
        browser.accessible("a chart that is read")
        browser.clean("the hours of the day")

    def test_each_screen_asks_once(self):
        browser = self.browser
        browser.size(1280)
        for path, expected in REQUESTS.items():
            browser.clean("the screen before")
            browser.screen(self.base, path)
            browser.clean(path)
            parts = [
                url.split("/v1/people/me/")[1].split("?")[0] for url in browser.requested if "/v1/people/me/" in url
            ]
            asked = sorted(part for part in parts if part != "events")
            check(asked == sorted(expected), f"{path} requests {asked}, not {sorted(expected)}.")
