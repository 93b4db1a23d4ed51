# Quadra's commands. `make run` and `make test` work on a bare Debian 12; CONTRIBUTING.md explains the rest.
.PHONY: run test build dev conformance sim bench lint sanitize fuzz format clean soak
JOBS ?= $(shell nproc)
export JOBS
FUZZ_SECONDS ?= 60
WORLDS ?= 20000
SEEDS ?= 200
STEPS ?= 100000
SOAK_DUMPS ?= 20000

build: ; @tools/install build && tools/build release
run: build ; @tools/demo build/quadra
test: ; @tools/install build && tools/build test && ctest --test-dir build --output-on-failure -j $(JOBS)
dev: ; @tools/install build dev && tools/build dev && ctest --test-dir build-dev --output-on-failure -j $(JOBS)
conformance: build ; @conformance/run ONLY="$(ONLY)" SEED="$(SEED)" N="$(N)" PART="$(PART)"
sim: ; @tools/install build && tools/build test diagnosis_test simulation_test && \
	QUADRA_WORLDS="$(WORLDS)" QUADRA_SEED="$(SEED)" build/diagnosis_test --gtest_filter='FixRandom.*' && \
	QUADRA_SEEDS="$(SEEDS)" QUADRA_STEPS="$(STEPS)" ctest --test-dir build -R '^simulation/' --timeout 86400 --output-on-failure -j $(JOBS) && tools/mutants
bench: build ; @tools/build bench && bench/run && bench/servers && bench/controllers && bench/scheduler
lint: ; @tools/install build dev && tools/lint --all
format: ; @tools/install dev && git ls-files 'src/*.h' 'src/*.cc' 'bench/*.cc' | grep -v /generated/ | xargs clang-format-19 -i
sanitize: ; @tools/install build dev && tools/sanitize all
fuzz: ; @tools/install build dev && tools/build fuzz && tools/fuzz $(FUZZ_SECONDS)
soak: ; @tools/install build dev && tools/build asan quadra_soak && tools/soak --dumps $(SOAK_DUMPS)
clean: ; rm -rf build build-*
