#!/usr/bin/env python3
"""Drives the page of a real `hk serve` in headless Chromium: what people do with it, without errors and accessibly.

usage: run.py --hk HK --work FOLDER [--screenshots FOLDER] [--part NUMBER/COUNT] [--only NAME,NAME]

Each test prints a line. The exit code is the number of tests that failed. The steps build on each other: the store is
empty at first, then has the archive that the page uploads. After that come the tests of one part, or of all.
"""

import argparse
import os
import pathlib
import sys
import time
import traceback

# No compiled copies among the sources.
sys.dont_write_bytecode = True

from browser import Browser, Failure
from figures import FigureTests
from formats import FormatTests
from guests import GuestTests
from insights import InsightTests
from journal import JournalTests
from languages import LanguageTests
from notifications import NotificationTests
from offline import OfflineTests
from past import PastTests
from phone import PhoneTests
from polish import PolishTests
from ranges import RangeTests
from rare import RareTests
from records import RecordTests
from reference import ReferenceTests
from samples import SampleTests
from server import Server, late_zone
from settings import SettingTests
from sharing import SharingTests
from start import StartTests
from tasks import TaskTests
from trends import TrendTests
from webhooks import WebhookTests
from whole_page import WholePageTests

# In the order in which they run.
START = (StartTests,)
# Each part can run by itself, with a server and a browser of its own.
PARTS = (
    (FormatTests, FigureTests, RangeTests, JournalTests, TrendTests, PastTests, InsightTests, WholePageTests),
    (SettingTests, PhoneTests, WebhookTests, LanguageTests, SampleTests, PolishTests, ReferenceTests),
    (RecordTests, GuestTests, SharingTests, RareTests, TaskTests, OfflineTests, NotificationTests),
)
GROUPS = START + sum(PARTS, ())


class PageTests(*GROUPS):
    """All tests of the page."""


def run(tests, name):
    """Runs a test and prints its result, which it returns."""
    began = time.monotonic()
    try:
        getattr(tests, name)()
    except Exception as error:
        text = error if isinstance(error, Failure) else traceback.format_exc()
        # Failures are reported before what passed, which would hide them.
        print(f"failed {name} ({time.monotonic() - began:.1f} s): {text}", file=sys.stderr, flush=True)
        tests.browser.screenshot(f"failed-{name}")
        # What went wrong is this test's, not the next one's, which begins signed in as the person.
        tests.browser.forget()
        tests.browser.go(tests.server.link())
        tests.browser.settle()
        tests.browser.forget()
        return False
    print(f"passed {name} ({time.monotonic() - began:.1f} s)", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hk", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--screenshots")
    # With the count, so that nobody who runs the parts one by one misses one.
    parser.add_argument("--part", choices=[f"{number}/{len(PARTS)}" for number in range(1, len(PARTS) + 1)])
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    groups = START + PARTS[int(options.part.split("/")[0]) - 1] if options.part else GROUPS
    names = [name for group in groups for name in vars(group) if name.startswith("test_")]
    wanted = [name for name in names if any(part in name for part in options.only.split(","))]
    zone = late_zone()
    os.environ["TZ"] = zone
    server = Server(options.hk, options.work / "health.sqlite", zone)
    browser = Browser(options.screenshots, options.work.resolve())
    tests = PageTests(server, browser, options.work, zone)
    failed = 0
    try:
        for name in wanted:
            if not run(tests, name):
                failed += 1
                if name == "test_sign_in":
                    break
    finally:
        browser.close()
        server.stop()
    sys.exit(failed)


main()
