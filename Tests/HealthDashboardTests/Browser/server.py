"""The server under test, and what it is compared with."""

import json
import os
import re
import subprocess
import time
import urllib.request

from browser import check


class Server:
    """`hk serve` over a store file."""

    def __init__(self, hk, store, zone, options=(), port=0):
        self.hk, self.store = hk, store
        self.environment = {**os.environ, "TZ": zone, "HEALTHKIT_STORE": str(store)}
        self.process = subprocess.Popen(
            [hk, "serve", "--port", str(port), "--json", *options], env=self.environment, stdout=subprocess.PIPE, text=True
        )
        text = ""
        while not text.rstrip().endswith("}"):
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("hk serve ended without printing its address.")
            text += line
        answer = json.loads(text)
        self.url, self.sign_in = answer["url"].rstrip("/"), answer["signIn"]
        # With --lan.
        self.phone = answer.get("phone")

    def hk_json(self, *arguments):
        return json.loads(
            subprocess.run(
                [self.hk, *arguments, "--json"], env=self.environment, check=True, capture_output=True, text=True
            ).stdout
        )

    def hk_run(self, *arguments):
        subprocess.run([self.hk, *arguments], env=self.environment, check=True, capture_output=True)

    def link(self):
        """A new link that signs a browser in."""
        arguments = [self.hk, "person", "link", "--url", self.url]
        made = subprocess.run(arguments, env=self.environment, check=True, capture_output=True, text=True)
        return made.stdout.strip()

    def owner_token(self):
        """A new token that acts as the person."""
        arguments = [self.hk, "token", "add", "tests", "--owner"]
        made = subprocess.run(arguments, env=self.environment, check=True, capture_output=True, text=True)
        return made.stdout.split()[-1]

    def post(self, token, samples):
        """Saves samples through the API."""
        return self.request("POST", "people/me/samples", token, {"samples": samples})

    def request(self, method, path, token, body):
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/v1/{path}", json.dumps(body).encode(), headers, method=method)
        return json.load(urllib.request.urlopen(request))

    def shared_link(self, types):
        """A link that shows the samples of these types for a day."""
        token = self.request("POST", "tokens", self.owner_token(), {
            "name": "tests",
            "scope": "link",
            "people": ["me"],
            "read": types,
            "expires": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86400)),
        })["token"]
        return f"{self.url}/#/link/{token}"

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


def late_zone():
    """A time zone in which it is evening, so that the day has figures."""
    for hours in range(-11, 13):
        if 17 <= (time.gmtime().tm_hour + hours) % 24 <= 20:
            # The sign of these names is the other way round.
            return f"Etc/GMT{-hours:+d}" if hours else "Etc/GMT"
    return "Etc/GMT"


def number(text):
    """The first number in a text as the page writes it."""
    found = re.search(r"[+\-−]?[\d,]+(?:\.\d+)?", text)
    check(found, f"There is no number in “{text}”.")
    return float(found.group().replace(",", "").replace("−", "-"))


def minutes(text):
    """The minutes of a length of time as the page writes it: 7 h 12 min."""
    found = re.search(r"(?:(\d+) ?h)? ?(?:(\d+) ?m)?", text[re.search(r"\d", text).start() :])
    hours, rest = (int(part or 0) for part in found.groups())
    return hours * 60 + rest
