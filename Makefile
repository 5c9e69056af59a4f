# The rules that people and .ci/run use alike. `make` alone prints them.

SERVER  := .build/release/samelistd
RUNS    := 3000000
N       := 100
OPS     := 1000000
EACH    := 1000
SEED    := 1
FAULT   := all
SCENARIO := fan-out
FLAGS   :=
ROWS    :=

.DEFAULT_GOAL := help
.PHONY: help setup build run demo test tsan asan lint format bench load fuzz torture simulate teeth
.PHONY: debian-folder deb try-deb clean api docs man

help: ## print these rules
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

setup: ## install the Debian packages that are missing (root or sudo)
	@tools/setup build demo test

build: ## build both programs in release, into .build/release
	swift build -c release

run: build ## leave a server running on 127.0.0.1:7420, data in ./samelist-data
	$(SERVER) serve

demo: ## install, build, and play two people editing one list (in tmux, else printed)
	@tools/setup build demo
	@$(MAKE) --no-print-directory build
	@tools/demo

test: ## install what is missing and run every check; ONLY="lint unit" runs just these
	@tools/test $(if $(ONLY),$(ONLY),default $(ALSO))

tsan: ## the test suite under the thread sanitizer
	@tools/test tsan

asan: ## the test suite under the address sanitizer, programs and C++ included
	@tools/test asan

lint: ## swift format, strictly
	swift format lint --strict --recursive Sources clients Examples Tests Package.swift

format: ## let swift format rewrite the sources
	swift format --in-place --recursive Sources clients Examples Tests Package.swift

bench: build ## measure each row of docs/performance.md: ROWS="fan-out join"; about ten minutes
	@tools/bench $(ROWS)

fuzz: ## fuzz all that reads bytes from outside: RUNS=3000000 inputs to each decoder
	@Tests/Fuzzing/run $(RUNS)

load: build ## load a server of its own, prove every client's rows: SCENARIO=fan-out, FLAGS=...
	@clients/load/loadtest $(SCENARIO) $(FLAGS)

torture: build ## kill, cut and fill real processes: N=100 kills of servers and shells, and more
	@tools/torture $(N)

simulate: ## real cores, one seed, every fault: OPS=1000000, SEED=1; a failing seed is shrunk
	@swift build -c release --product Simulator >&2
	@OPS=$(OPS) EACH=$(EACH) SEED=$(SEED) .build/release/Simulator

teeth: ## plant faults, one after another, and see them found; FAULT=name
	@swift build -c release --product Simulator -Xswiftc -DSAMELIST_FAULTS \
		--scratch-path .build/faults >&2
	@FAULT=$(FAULT) .build/faults/release/Simulator

api: ## write the library's public face into docs/api, after a change that was meant
	@tools/api

man: ## write the manual pages into docs/man, from the tables of the programs
	@swift build --product samelist >&2 && swift build --product samelistd >&2
	@mkdir -p docs/man
	@.build/debug/samelist help man > docs/man/samelist.1
	@.build/debug/samelistd help man > docs/man/samelistd.8

docs: ## the library's documentation, into .build/docs
	@tools/docs

debian-folder: ## try each step of the Dockerfile in a folder made with debootstrap (root)
	@tools/setup folder
	@tools/debian-folder

deb: ## make a Debian package of both programs, into .build/packages
	@tools/setup build package
	@tools/deb

try-deb: deb ## install, start, upgrade and purge it in a folder made with debootstrap (root)
	@tools/setup folder
	@tools/try-deb

clean: ## remove what was built; data is kept
	rm -rf .build
