# make demo          install, and make a test set from the example corpus: no key, no server
# make test          install, and run the tests, but for those of the next two lines
# make test-service  install, and run the tests that start a service, a server or a whole command of their own
# make test-engines  install, and run the tests that start a cluster of Dask or Ray, a Milvus server, Postgres, an S3 server
# make test-milvus   of these, the ones that start a Milvus server
# make test-compat   install, and read exports with the libraries they are for, each in an environment of its own in .compat/
# make lint          install, and run the linters
# make docs          install, and build the docs as a site in out/site, with the reports of its gallery
# make serve         install, and run as a service: Prefect's UI, a worker, schedules, reports
# make stop          end the service
# make bench         install, and print the figures of docs/benchmarks.md
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest --dist loadgroup --no-loadscope-reorder
# uv installs in a seventh of pip's time: make UV=uv. It does not read pip's settings, such as another index. nltk refuses hard links.
UV ?=
INSTALL := $(if $(UV),$(UV) pip install --link-mode copy --python $(BIN)/python,$(BIN)/python -m pip install --disable-pip-version-check --no-compile)
INSTALL += --quiet --no-deps --require-hashes
INSTALLED := $(VENV)/.installed
ENGINES := $(VENV)/.engines
GALLERY := out/gallery
# Each process would compile all it imports anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test test-service test-engines test-milvus test-compat lint docs serve stop bench clean

demo: $(INSTALLED)
	$(BIN)/python -m flows demo

test: $(INSTALLED)
	$(PYTEST) -n auto -m "not service and not engines and not compat"

test-service: $(INSTALLED)
	$(PYTEST) -n 3 -m service tests/integration

test-engines: test-milvus
	$(PYTEST) -n 2 -m engines tests/engines --ignore tests/engines/milvus

test-milvus: $(ENGINES)
	$(PYTEST) -m engines tests/engines/milvus

test-compat: $(INSTALLED)
	$(PYTEST) -m compat tests/compat

lint: $(ENGINES)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/python -m flows prompts check

docs: $(GALLERY)/multi-chunk/report.html $(GALLERY)/benchmark/report.html
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --config-file deployments/site/mkdocs.yml
	@echo out/site/index.html

$(GALLERY)/single-chunk/report.html: $(INSTALLED)
	$(BIN)/python -m flows single-chunk --config examples/demo.yaml --out $(@D)

$(GALLERY)/multi-chunk/report.html: $(INSTALLED)
	$(BIN)/python -m flows multi-chunk --config examples/multi_chunk.yaml --out $(@D)

$(GALLERY)/benchmark/report.html: $(GALLERY)/single-chunk/report.html
	$(BIN)/python -m flows benchmark $(<D) --config examples/grid.yaml --out $(@D)

serve: $(INSTALLED)
	$(BIN)/python -m flows serve

stop: $(INSTALLED)
	$(BIN)/python -m flows stop

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks

$(INSTALLED): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "ragset needs Python 3.11 or later; name one: make PYTHON=python3.12 $(MAKECMDGOALS)")'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -r requirements.lock
	touch $@

$(ENGINES): requirements-engines.lock $(INSTALLED)
	$(INSTALL) -r requirements-engines.lock
	touch $@

clean:
	rm -rf $(VENV) .compat .ragset out
