PORT ?= 8501
PYTHON ?= $(shell command -v python3.11 || command -v python3)
TESTS ?= tests
TABLES := $(addprefix benchmarks/,results.py adamix.py collapse.py pate.py pretraining.py)
PLAYS := digits clothes lesson
BENCH ?= $(filter-out benchmarks/_% $(TABLES), $(sort $(wildcard benchmarks/*.py)))

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --disable-pip-version-check --no-compile

# Modules are compiled when they are first imported, which most never are; autodp's at once, since that prints warnings.
# Where the environment forbids to keep that, each process would compile all anew: 7 s of 10.
unexport PYTHONDONTWRITEBYTECODE
define install
	$(PIP) -r $(1)
	$(PIP) --no-deps -e .
	$(PY) -W ignore -m compileall -q $(VENV)/lib/python3*/site-packages/autodp
endef

.PHONY: help app test check lint audit bench tables docs lock release clean

help:
	@echo "make app     serve the dashboard on http://localhost:$(PORT)   (PORT=...)"
	@echo "make test    run the tests                          (TESTS=tests/...)"
	@echo "make check   format, lint, types and the quick tests without a browser"
	@echo "make audit   audit every private method quickly; fails if a faulty variant is not caught"
	@echo "make bench   run the benchmarks                     (BENCH=benchmarks/...)"
	@echo "make tables  compute the tables of docs/measured anew       (an hour or more)"
	@echo "make docs    write the docs site with API and demos  (site/index.html)"
	@echo "make lock    write requirements.lock from PyPI      (the checksums of all it installs)"
	@echo "make release build and check wheel, sdist, SBOM and checksums in dist/; tags a final version"
	@echo "make clean   remove the environment and everything cached"

app: $(VENV)/.first-chart
	$(PY) -m dpviz app --port $(PORT)

test: $(VENV)/.test
	$(PY) -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder --durations=15 -r fER --ignore tests/run/test_cluster.py $(TESTS)
ifeq ($(TESTS),tests)
	$(PY) -m pytest tests/run/test_cluster.py
endif

check: lint
	$(PY) -m pytest -q -n auto --maxprocesses 4 -m "not slow and not browser" tests

lint: $(VENV)/.test
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(PY) -m mypy --strict --follow-imports=silent --cache-dir=.mypy_cache/strict tests/api/typed_script.py

audit: $(VENV)/.app
	$(PY) -m dpviz audit --quick

bench: $(VENV)/.bench
	@set -e; for file in $(BENCH); do echo "== $$file"; PYTHONPATH=. $(PY) $$file; echo; done

tables: $(VENV)/.app
	$(PY) -m benchmarks.results --write
	$(PY) -m benchmarks.results_clothes --write
	$(PY) -m benchmarks.adamix --write
	$(PY) -m benchmarks.collapse --write
	$(PY) -m benchmarks.pate --write
	$(PY) -m benchmarks.pretraining
	$(PY) -m dpviz audit | $(PY) -m benchmarks._measured audits

docs: $(VENV)/.docs
	$(PY) -W ignore -m pdoc --docformat google -o docs/api dpviz '!dpviz\..*' dpviz.estimators dpviz.notebook
	for name in $(PLAYS); do (cd docs/demos && PYTHONPATH=../.. ../../$(PY) -m dpviz explorable $$name.toml --out $$name.html); done
	$(PY) -m codespell_lib -L bu,publick --skip '*.csv,*.svg,*.html,docs/api,docs/assets' docs *.md
	NO_MKDOCS_2_WARNING=1 PYTHONPATH=. $(PY) -m mkdocs build --quiet --strict
	@echo "Open site/index.html"

# from PyPI alone, whatever indexes and folders of wheels this machine is set up with
lock: $(VENV)/.app
	env -u PIP_FIND_LINKS PIP_CONFIG_FILE=/dev/null PIP_INDEX_URL=https://pypi.org/simple PIP_EXTRA_INDEX_URL= \
		$(PIP) install --quiet --dry-run --ignore-installed --report $(VENV)/report.json -r requirements.txt
	$(PY) -m benchmarks._lock < $(VENV)/report.json > $(VENV)/lock && mv $(VENV)/lock requirements.lock

release: $(VENV)/.release
	$(PY) deploy/release.py

clean:
	rm -rf $(VENV)
	find cache -mindepth 1 ! -name .gitkeep -delete

# A stamp is made only after its install went through, so a call that was cut short starts over.
$(PY):
	$(PYTHON) -m venv $(VENV)

$(VENV)/.app: requirements.txt | $(PY)
	$(call install,requirements.txt)
	@touch $@

# Once, so that the first start of a fresh clone waits for neither the compiler nor the default results.
$(VENV)/.first-chart: | $(VENV)/.app
	$(PY) -m dpviz.ui.server.warmup
	@touch $@

$(VENV)/.test: requirements.txt requirements-dev.txt | $(PY)
	$(call install,requirements-dev.txt)
	@touch $@ $(VENV)/.app

$(VENV)/.bench: requirements.txt benchmarks/requirements.txt | $(PY)
	$(call install,benchmarks/requirements.txt)
	@touch $@ $(VENV)/.app

$(VENV)/.release: deploy/requirements.txt | $(PY)
	$(PIP) -r deploy/requirements.txt
	@touch $@

$(VENV)/.docs: requirements.txt docs/requirements.txt | $(PY)
	$(call install,docs/requirements.txt)
	@touch $@ $(VENV)/.app
