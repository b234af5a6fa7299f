"""Writes a long ride as a FIT file, or reads one with a library.

usage: fit.py write FILE COUNT
       fit.py garmin|fitdecode FILE      prints the number of heart rates, and the seconds and those of the processor
                                         that reading took
"""

import struct
import sys
import time


def checksum(data):
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ 0xA001 if value & 1 else value >> 1
    return struct.pack("<H", value)


def definition(local, message, fields):
    head = struct.pack("<BBBHB", 0x40 | local, 0, 0, message, len(fields))
    return head + b"".join(bytes(field) for field in fields)


def write(path, count):
    start = 1_000_000_000
    body = definition(0, 0, [(0, 1, 0), (1, 2, 0x84), (2, 2, 0x84), (3, 4, 0x8C), (4, 4, 0x86)])
    body += struct.pack("<BBHHII", 0, 4, 1, 3121, 12345, start)
    pairs = [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (5, 4, 0x86), (2, 2, 0x84), (6, 2, 0x84), (7, 2, 0x84)]
    body += definition(1, 20, pairs + [(3, 1, 2), (4, 1, 2), (13, 1, 1)])
    records = []
    for second in range(count):
        place = 573_845_000 + second * 50, 137_200_000 - second * 50
        more = (2_500 + second % 1_000, 8_000 + second % 500, 180 + second % 90, 110 + second % 60, 85, 21)
        records.append(struct.pack("<BIiiIHHHBBb", 1, start + second, *place, second * 800, *more))
    body += b"".join(records)
    body += definition(2, 18, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (8, 4, 0x86), (5, 1, 0), (6, 1, 0)])
    body += struct.pack("<BIIIIBB", 2, start + count, start, count * 1_000, count * 1_000, 2, 7)
    head = struct.pack("<BBHI4s", 14, 0x20, 2100, len(body), b".FIT")
    head += checksum(head)
    with open(path, "wb") as file:
        file.write(head + body + checksum(head + body))


def garmin(library, path):
    messages, errors = library.Decoder(library.Stream.from_file(path)).read()
    assert not errors, errors
    return sum("heart_rate" in record for record in messages["record_mesgs"])


def fitdecode(library, path):
    with library.FitReader(path) as frames:
        data = (frame for frame in frames if isinstance(frame, library.FitDataMessage) and frame.name == "record")
        return sum(frame.has_field("heart_rate") for frame in data)


if sys.argv[1] == "write":
    write(sys.argv[2], int(sys.argv[3]))
else:
    library = __import__({"garmin": "garmin_fit_sdk"}.get(sys.argv[1], sys.argv[1]))
    wall, processor = time.perf_counter(), time.process_time()
    rates = {"garmin": garmin, "fitdecode": fitdecode}[sys.argv[1]](library, sys.argv[2])
    print(rates, time.perf_counter() - wall, time.process_time() - processor)
