"""What the tests of the page have in common."""

import re
import time

from browser import LONGEST_WAIT, check


class PageTest:
    def __init__(self, server, browser, work, zone):
        self.server, self.browser, self.work, self.zone = server, browser, work, zone
        self.base = server.url
        self.archive = work / "export.zip"

    def offset(self):
        found = re.fullmatch(r"Etc/GMT([+-]\d+)?", self.zone)
        return -3600 * int(found.group(1) or 0)

    def until(self, condition, text):
        end = time.monotonic() + LONGEST_WAIT
        while not condition():
            check(time.monotonic() < end, text)
            time.sleep(0.2)
