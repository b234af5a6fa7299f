# OpenHealthKit
#
#   make run     build hk, fill a demo store (or EXPORT=path) and show what is in it
#   make test    build everything and run every test
#   make bench   measure, and print the table of Docs/Performance.md
#
# Each installs the system packages it needs first.

SWIFT ?= swift
# An undeclared import between two targets is an error: layers stay layers.
CHECKED = --explicit-target-dependency-import-check error
DEMO ?= demo
EXPORT ?=

.PHONY: run test bench packages packages-bench clean

packages:
	@Scripts/install-packages libsqlite3-dev zlib1g-dev librsvg2-dev pkg-config tzdata libxml2-utils

packages-bench: packages
	@Scripts/install-packages libexpat1-dev gcc python3

run: packages
	$(SWIFT) build -c release --product hk $(CHECKED)
	@Scripts/run-demo "$$($(SWIFT) build -c release --show-bin-path)/hk" "$(DEMO)" "$(EXPORT)"

test: packages
	$(SWIFT) build --build-tests $(CHECKED)
	@Scripts/run-tests $(SWIFT)

bench: packages-bench
	Benchmarks/run

clean:
	rm -rf .build $(DEMO)
