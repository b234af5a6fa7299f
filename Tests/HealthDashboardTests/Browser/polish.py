"""What the page says and draws where something is missing: a server, a module, values, or its language."""

import re

from browser import check
from page_test import PageTest

DRAWN = """
    const [values, kind, done] = arguments;
    import("/components/charts.js").then(async ({ LargeChart }) => {
      const chart = new LargeChart();
      document.querySelector("main").append(chart.element);
      const sets = [{ kind, values, color: () => "#123456", name: "" }];
      await chart.show({ labels: values.map(String), sets, format: String, axis: (all) => all.map(String), label: "x",
        title: String });
      const { min, max, options } = chart.chart.scales.y;
      chart.destroy();
      chart.element.remove();
      done([min, max, options.ticks.display]);
    }, (error) => done(String(error)));"""

FORMATS = """
    const done = arguments[0];
    const weeks = { type: "stepCount", interval: "week" };
    Promise.all([import("/app/format.js"), import("/app/calendar.js"), import("/app/api.js")])
      .then(async ([page, calendar, { read }]) => done([
        page.number(1234.5, 1), page.timeOfDay(52200), page.date(calendar.instant("2024-03-05", "12:00"), "short"),
        calendar.startOfWeek("2024-03-05"),
        (await read("statistics", weeks)).statistics.map(({ startDate }) => calendar.dateOf(new Date(startDate)))
          .every((day) => day === calendar.startOfWeek(day)),
      ])).catch((error) => done(String(error)));"""


class PolishTests(PageTest):
    def test_errors_are_sentences(self):
        browser = self.browser
        browser.screen(self.base, "today")
        browser.driver.execute_cdp_cmd("Network.enable", {})
        browser.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/screens/profile.js"]})
        browser.expected = ["profile.js", "dynamically imported"]
        browser.driver.execute_script("location.hash = '#/profile'")
        browser.wait("return document.querySelector('main [role=alert]')", "The page doesn't say what is missing.")
        check(browser.text("h1") == "Profile", f"The failure is below “{browser.text('h1')}”.")
        said = browser.text("main [role=alert]")
        check("did not arrive" in said and "module" not in said, f"The page says “{said}”.")
        browser.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
        browser.press(browser.button("Try Again"))
        browser.wait("return document.querySelector('select[name=language]')", "The way on leads nowhere.")
        browser.expected += ["Cannot read properties"]
        said = browser.driver.execute_async_script("""
            const done = arguments[0];
            import("/components/cards.js").then(({ failure }) => {
              try { undefined.name; } catch (error) { done(failure(error).textContent); }
            });""")
        check("came upon something" in said and "undefined" not in said, f"The page says “{said}”.")
        browser.clean("errors")
        browser.expected = []

    def test_pager_without_data(self):
        """Nothing leads to another period while none is shown, and the date isn't a blank field."""
        browser = self.browser
        browser.driver.execute_cdp_cmd("Network.enable", {})
        browser.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/types?*"]})
        browser.expected = ["/types?"]
        try:
            browser.screen(self.base, "trends/rings")
            browser.one("main [role=alert]")
            buttons, day = browser.driver.execute_script("""
                const [...buttons] = document.querySelectorAll("main .pager button");
                return [buttons.map(({ disabled }) => disabled), document.querySelector("main .pager input").value];""")
            check(buttons == [True, True] and day, f"The buttons are disabled: {buttons}, and the date is “{day}”.")
        finally:
            browser.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
        browser.press(browser.button("Try Again"))
        browser.wait("return document.querySelector('.month')", "The calendar doesn't come back.")
        browser.clean("a calendar without data")
        browser.expected = []

    def test_axes_of_little(self):
        browser = self.browser
        browser.screen(self.base, "data")
        for values, kind, ends in (
            ([None, None], "line", [0, 1, False]),
            ([0, 0], "bars", None),
            ([58, 58], "line", [53, 63, True]),
            ([[58, 58]], "range", [53, 63, True]),
            ([0, 3], "line", [0, None, True]),
        ):
            drawn = browser.driver.execute_async_script(DRAWN, values, kind)
            if ends is None:
                check(drawn[2] is False, f"An axis of nothing has numbers: {drawn}.")
                continue
            matches = [own is None or own == found for own, found in zip(ends, drawn)]
            check(all(matches), f"The axis of {values} is {drawn}.")

    def test_formats_of_the_region(self):
        browser = self.browser
        try:
            for language, expected in (
                ("en-US", ["1,234.5", "2:30 PM", "Mar 5", "2024-03-03", True]),
                ("de-DE", ["1.234,5", "14:30", "5. März", "2024-03-04", True]),
                ("fr-FR", ["1 234,5", "14:30", "5 Mar", "2024-03-04", True]),
            ):
                browser.speak(language)
                browser.screen(self.base, "data")
                found = browser.driver.execute_async_script(FORMATS)
                plain = [re.sub(r"\s", " ", one) if isinstance(one, str) else one for one in found]
                check(plain == expected, f"{language} has {plain}.")
        finally:
            browser.speak("en-US")

    def test_sign_out_ends_other_windows(self):
        browser = self.browser
        browser.screen(self.base, "today")
        browser.expected = ["/v1/"]
        browser.driver.switch_to.new_window("window")
        browser.go(self.server.link())
        browser.settle()
        first, second = browser.driver.window_handles[:1][0], browser.driver.current_window_handle
        browser.driver.execute_async_script(
            "const done = arguments[0]; import('/app/api.js').then(({ signOut }) => signOut()).then(done)")
        browser.driver.switch_to.window(first)
        browser.wait("return location.hash.startsWith('#/sign-in')", "The other window goes on.")
        browser.driver.switch_to.window(second)
        browser.forget()
        browser.go(self.server.link())
        browser.settle()
        browser.forget()
