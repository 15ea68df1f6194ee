# Heed's commands. `make` alone lists them.
.DEFAULT_GOAL := help
.PHONY: help setup setup-dev run test check bench lighthouse gpu-check lock clean services

VENV := .venv
PYTHON := $(VENV)/bin/python
export PIP_DISABLE_PIP_VERSION_CHECK := 1

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | while IFS="$$(printf '\t')" read -r name text; do printf '  make %-10s %s\n' "$$name" "$$text"; done

$(VENV)/base.stamp: requirements/base.lock requirements/torch.txt tools/setup.sh
	@sh tools/setup.sh $(VENV) requirements/base.lock
	@touch $@

$(VENV)/dev.stamp: requirements/dev.lock requirements/torch.txt tools/setup.sh
	@sh tools/setup.sh $(VENV) requirements/dev.lock
	@touch $@ $(VENV)/base.stamp

setup: $(VENV)/base.stamp ## make .venv with the pinned dependencies

setup-dev: $(VENV)/dev.stamp ## the same, with what tests and checks need

run: setup ## start the whole site on this machine; Ctrl-C stops it
	@exec $(PYTHON) manage.py runsite

services: ## install Chromium, Redis and Postgres for the tests (Debian and Ubuntu, as root)
	@sh tools/test-services.sh

test: setup-dev services check ## all checks and all tests
	$(PYTHON) -m pytest

check: setup-dev ## ruff, mypy, import-linter, missing migrations, deploy checks, vendored files, the gate
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy .
	$(VENV)/bin/lint-imports --no-cache
	$(PYTHON) tools/deploy_check.py
	$(PYTHON) frontend/fonts.py --check
	$(PYTHON) manage.py gate --skip-sandbox --check docs/kill-matrix.md

bench: setup-dev services ## measure what the README states, beside its floors
	$(PYTHON) -m benchmarks

lighthouse: setup-dev services ## maintainers: Lighthouse's scores of the pages (needs Node)
	$(PYTHON) tools/lighthouse.py

# Without .venv too: the system's Python, if it has PyTorch.
gpu-check: ## what holds on a GPU: a table, and gpu-results.json in OUT (default: here); without a GPU it exits with 3
	@if python3 -c "import numpy, torch" 2>/dev/null; then python=python3; else python=$(PYTHON); fi; \
	exec $$python tools/gpu_check.py --out "$${OUT:-.}"

lock: setup-dev ## maintainers: pin the dependencies anew (needs uv)
	sh tools/lock.sh

clean: ## remove .venv (keeps var/, where the site's data is)
	rm -rf $(VENV)
