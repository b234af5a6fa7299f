"""Writes heart rates like those of an archive of Fitbit's, a file for each day, or reads them with Python's json module.

usage: fitbit.py write FOLDER DAYS COUNT     COUNT heart rates a day
       fitbit.py read FOLDER                 prints the number of heart rates
"""

import datetime
import json
import os
import sys


def write(folder, days, count):
    os.makedirs(folder, exist_ok=True)
    first = datetime.date(2020, 1, 1)
    for number in range(days):
        day = first + datetime.timedelta(days=number)
        date = day.strftime("%m/%d/%y")
        entries = []
        for place in range(count):
            second = place * 86_400 // count
            time = f"{second // 3_600:02}:{second // 60 % 60:02}:{second % 60:02}"
            entries.append(
                f'{{\n  "dateTime" : "{date} {time}",\n  "value" : {{\n    "bpm" : {55 + (place * 7 + number) % 90},\n'
                f'    "confidence" : {place % 3 + 1}\n  }}\n}}'
            )
        with open(os.path.join(folder, f"heart_rate-{day}.json"), "w") as file:
            file.write("[" + ",".join(entries) + "]")


def read(folder):
    count = 0
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name)) as file:
            count += len(json.load(file))
    return count


if sys.argv[1] == "write":
    write(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
else:
    print(read(sys.argv[2]))
