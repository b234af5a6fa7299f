# OpenHealthKit
#
#   make run        build hk, import a demo archive (or EXPORT=path) and query it
#   make test       build everything without warnings and run every test
#   make bench      measure, and print the table of Docs/Performance.md
#   make generate   write the GENERATED sources again from the tables in Scripts/tables
#
# Each installs the system packages it needs first.

SWIFT ?= swift
# An undeclared import between two targets is an error: layers stay layers.
CHECKED = --explicit-target-dependency-import-check error
DEMO ?= demo
EXPORT ?=

.PHONY: run test bench generate packages packages-bench packages-test clean

packages:
	@Scripts/install-packages libsqlite3-dev zlib1g-dev librsvg2-dev pkg-config tzdata libxml2-utils python3 python3-venv unzip zip

# Packages of other languages that check the server: its contract, its assistants' protocol, FHIR and the page.
packages-test: packages
	@Scripts/install-packages chromium chromium-driver libjs-chart.js fonts-inter fonts-noto-color-emoji
	@Scripts/install-python schemathesis mcp fhir.resources selenium

packages-bench: packages
	@Scripts/install-packages libexpat1-dev gcc

run: packages
	$(SWIFT) build -c release --product hk $(CHECKED)
	@Scripts/run-demo "$$($(SWIFT) build -c release --show-bin-path)/hk" "$(DEMO)" "$(EXPORT)"

test: packages-test
	@Scripts/build-checked $(SWIFT) --build-tests $(CHECKED)
	@Scripts/run-tests $(SWIFT)

bench: packages-bench
	Benchmarks/run

generate: packages
	Scripts/generate-type-catalog.py
	Scripts/generate-healthkit-symbols.py

clean:
	rm -rf .build $(DEMO)
