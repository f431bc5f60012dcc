# Everything a person or a CI needs. `make setup`, `run` and `test` do all their own set-up; a second call is quick,
# because each step leaves a stamp and runs again only when what it was made from has changed.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN    := .venv/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check
RUN    := .venv/.stamp-run
DEV    := .venv/.stamp-dev
VENDOR := static/vendor/.stamp
SUDO   := $(if $(filter 0,$(shell id -u)),,sudo)
export CHROMIUM ?= /usr/bin/chromium
CJK    ?= /usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc

# Two files of tests at a time, in their order, for the browser's come last. `make test WORKERS=0` runs one after the other.
WORKERS ?= 2
PYTEST  := $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# The browser tests need Debian's Chromium and a Chinese typeface; on another system, install them and name them here.
define debian
	@command -v apt-get >/dev/null || { echo "Install $(1), then name it: make test CHROMIUM=… CJK=…" >&2; exit 1; }
	$(SUDO) apt-get update -qq
	$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends $(1)
endef

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup setup-dev run test check lint fast e2e bench lock clean

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(RUN) $(VENDOR) ## Everything `run` needs, into .venv and static/vendor

setup-dev: $(DEV) $(VENDOR) ## Everything the checks and tests need, the browser left out

run: setup ## Serve on 127.0.0.1:7620
	@exec $(BIN)/liyuan serve

test: setup-dev $(CHROMIUM) $(CJK) ## The whole suite, browser included
	$(PYTEST) $(ARGS)

check: lint fast ## Style, types, floors, templates and the fast tests

lint: setup-dev ## Style, types, floors and templates only
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy liyuan
	$(BIN)/lint-imports
	$(BIN)/djlint templates --lint --quiet

fast: setup-dev ## Tests without browser and without the slow ones
	$(PYTEST) -q -m "not e2e and not slow" $(ARGS)

e2e: setup-dev $(CHROMIUM) $(CJK) ## Browser tests only
	$(PYTEST) tests/e2e $(ARGS)

bench: setup-dev ## Every benchmark in turn, each printing its table
	@set -e; for question in benchmarks/*.py; do echo "== $$question"; $(BIN)/python $$question; done

lock: setup-dev ## Choose newer versions, within what pyproject.toml and package.json allow
	test -x $(BIN)/uv || $(PIP) install --quiet uv
	$(BIN)/python scripts/lock.py $(ARGS)

clean: ## Remove everything that set-up made; stories in data/ stay
	rm -rf .venv node_modules static/vendor dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

# Debian keeps what puts pip into a new environment in a package of its own; the pip that is there can do it too.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed. Name one: make PYTHON=python3.12 …" >&2; exit 1; }
	$(PYTHON) -m venv .venv >/dev/null 2>&1 || { $(PYTHON) -m venv --clear --without-pip .venv && \
		$(PYTHON) -m pip --python .venv/bin/python install --quiet pip; }

$(RUN): requirements.lock pyproject.toml | $(BIN)/python
	$(PIP) install --quiet --require-hashes -r requirements.lock
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): requirements-dev.lock pyproject.toml | $(BIN)/python
	$(PIP) install --quiet --require-hashes -r requirements-dev.lock
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@ $(RUN)

$(VENDOR): package-lock.json scripts/vendor.py
	npm ci --no-audit --no-fund --loglevel=error
	$(PYTHON) scripts/vendor.py
	@touch $@

$(CHROMIUM):
	$(call debian,chromium)

$(CJK):
	$(call debian,fonts-noto-cjk)
