# A dozen verbs; `make` alone prints them. Everything is installed into .venv and node_modules.
.DEFAULT_GOAL := help
.PHONY: help run manage test check format docs bench bench-spark oracle soak screenshots spark-jars image chart lock clean
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

# The first Python on the path that is new enough.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$name" && break; done)
BIN := .venv/bin
export PYTHONPATH := $(CURDIR):$(CURDIR)/platform
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
# Processes start by the hundred; each would compile all it imports where this forbids keeping it.
export PYTHONDONTWRITEBYTECODE :=
# Measuring makes the tests take half as long again, so it is asked for: before an issue is called done.
RUN := $(if $(COVERAGE),coverage run,python)
INSTALL = @test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed" >&2; exit 1; }; \
	"$(PYTHON)" -m accord_server.dev.bootstrap

help: ## Print the verbs.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

run: ## Install what is missing, start the whole platform, print address, sign-in and token (PORT=, RESET=1).
	$(INSTALL) run
	@exec $(BIN)/python -m accord_server.dev run

manage: ## Run a command of manage.py beside the running platform (ARGS="list_tokens demo").
	@exec $(BIN)/python -m accord_server.dev manage $(ARGS)

test: ## Run every test, browser, Spark and end to end included (COVERAGE=1: hold what ran to the thresholds).
	$(INSTALL) test
	@rm -f .coverage .coverage.*
	@$(BIN)/$(RUN) -m pytest -n 3 -m "not e2e"
	@$(BIN)/$(RUN) -m pytest -n 2 tests/e2e -m e2e
	@test -z "$(COVERAGE)" || $(BIN)/python -m tests.house.coverage

check: ## Lint, types, import contracts, budgets, generated pages, migrations (ARGS="lint types").
	$(INSTALL) check
	@$(BIN)/python -m tests.house.check $(ARGS)

format: ## Bring the code into shape.
	$(INSTALL) check
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

docs: ## Write the generated pages of docs/.
	$(INSTALL) check
	@$(BIN)/python -m tests.house.pages

bench: ## Measure the library and the server against their yardsticks.
	$(INSTALL) test
	@$(BIN)/python -m benchmarks

bench-spark: ## Measure Spark decoding as a ratio to Spark's bare from_avro.
	$(INSTALL) test
	@$(BIN)/python -m benchmarks.spark_decode

oracle: ## Hold Protobuf's rules against Buf's over random modules (PAIRS=5000, SEED=1).
	$(INSTALL) test
	@$(BIN)/python -m tests.oracle.buf $(or $(PAIRS),5000) $(or $(SEED),1)
	@$(BIN)/python -m tests.oracle.buf_lint $(or $(PAIRS),5000) $(or $(SEED),1)

soak: ## Hold random sequences of calls to the registry against a model of it (SEQUENCES=5000).
	$(INSTALL) test
	@SEQUENCES=$(or $(SEQUENCES),5000) $(BIN)/python -m pytest -n 0 tests/registry/confluent/test_model.py

screenshots: ## Picture every page in both themes into build/screenshots.
	$(INSTALL) test
	@$(BIN)/python -m tests.browser.screenshots

spark-jars: ## Install Spark and bring the connectors that pom.xml pins.
	$(INSTALL) spark

image: ## Build the container image (IMAGE=accord:0.1.0, PYTHON_DIGEST=sha256:..., NODE_DIGEST=sha256:...).
	@docker build --tag $(or $(IMAGE),accord:$(VERSION)) $(foreach name,PYTHON_TAG PYTHON_DIGEST NODE_TAG NODE_DIGEST,\
		$(if $($(name)),--build-arg $(name)=$($(name)))) .

chart: ## Hold the Helm chart to Helm's own lint and pack it into dist/.
	$(INSTALL) test
	@$(BIN)/helm lint --strict --quiet helm/accord
	@$(BIN)/helm package --destination dist helm/accord

lock: ## Resolve the dependencies of pyproject.toml anew into requirements/.
	@$(BIN)/python -m accord_server.dev.locks

clean: ## Remove what was installed and built; the data in .accord stays.
	@rm -rf .venv node_modules build dist frontend/static/frontend/build platform/accord/pipeline/jars
	@rm -rf tests/e2e/clients/node/node_modules tests/e2e/clients/java/jars
	@rm -rf .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
