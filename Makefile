# Ringside's front door. `make help` lists what there is.
SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS   += --no-print-directory

# --- what a user says -------------------------------------------------------------------------------------------------
EXPERIMENT ?= cassandra-quorum#   a document of experiments/, without .yaml
SERVER     ?=#                    one server or a comma list; empty: all of the document
OPS        ?=#                    operations per phase; empty: the document's, or the embedded cluster's smaller default
ROUNDS     ?=#                    rounds; empty: the document's
PRECISION  ?=#                    as in 3%: the run ends once all primary intervals are within it; empty: the document's
BUDGET     ?=#                    as in 20m: what the rounds may take where PRECISION is not reached
CLUSTER    ?= embedded#           embedded, or current for the kubeconfig's current context
REGISTRY   ?=#                    where images are pushed, with CLUSTER=current
PULL_SECRET ?=#                   the Secret by which nodes log in to REGISTRY, where it is not open; in both namespaces that Ringside uses
INSTANCE   ?=#                    name of the embedded cluster; another name (with another API_PORT) runs one beside the first
API_PORT   ?=#                    port of 127.0.0.1 for its API server
RELEASE    ?=#                    newest: it runs the newest Kubernetes that was tried (cluster/newest.mod), in place of 1.34
GRAFANA_IMAGE_ARCHIVE ?=#         an archive of the grafana image, to run Grafana on the embedded cluster
AEROSPIKE_IMAGE_ARCHIVE ?=#       an archive of Aerospike's server, for the server aerospike of trip-cache on the embedded cluster
A          ?=#                    a run to compare, or to lay out
B          ?=#                    the run to compare it with
TO         ?=#                    where make archive puts a run: a folder, or s3://bucket/prefix
RUN        ?=#                    a run in the cluster, to watch, stop, resume or remove; empty: the latest
ARGS       ?=#                    further flags for the ringside command
KILLS      ?= 50#                 of a soak: how many things it kills
GAP        ?= 10s#                and how long it waits between two, on average
SEED       ?=#                    and which, when; empty: another one each time, which it prints
API_ERRORS ?=#                    yes: and with errors, lost answers and lagging watches between the API server and its clients

# --- where things are ---------------------------------------------------------------------------------------------------
BIN        := $(CURDIR)/build/bin
export PATH := $(CURDIR)/build/toolchain/go/bin:$(PATH)
# One set of flags for every Go program and test, so that they share what the compiler's cache holds.
export CGO_ENABLED := 0
export GOFLAGS := -trimpath -buildvcs=false
# Where Prometheus and Grafana run.
MONITORING := ringside-monitoring
# What the Go compiler reads: sources, and the files that they embed.
GO_SOURCES := $(shell find operators charts dashboards images -type f -not -path '*/target/*' -not -path '*/testdata/*' -not -name '*.java' 2>/dev/null) go.mod go.sum
STEP := cluster/step.sh

# Each embedded cluster of a machine has a folder of its own.
CLUSTER_STATE := $(CURDIR)/build/cluster$(addprefix -,$(strip $(INSTANCE)))
CLUSTER_NAME := $(strip $(CLUSTER))
ifeq ($(CLUSTER_NAME),embedded)
  export KUBECONFIG := $(CLUSTER_STATE)/kubeconfig
  PROFILE := --profile cluster/experiment-profile.yaml
else ifeq ($(CLUSTER_NAME),current)
  PROFILE :=
else
  $(error CLUSTER=$(CLUSTER) is neither embedded nor current)
endif

RINGSIDE := $(BIN)/ringside
# How the ringside command calls itself when it says what to go on with.
export RINGSIDE_MAKE := make$(if $(filter-out embedded,$(CLUSTER_NAME)), CLUSTER=$(CLUSTER_NAME))
IMAGES   := $(BIN)/ringside-images
KUBERNETES = $(BIN)/ringside-cluster $(addprefix --bin $(BIN)-,$(strip $(RELEASE))) --state $(CLUSTER_STATE) $(if $(strip $(INSTANCE)),--instance $(strip $(INSTANCE)))
RUN_FLAGS = --server "$(strip $(SERVER))" --ops "$(strip $(OPS))" --rounds "$(strip $(ROUNDS))" --precision "$(strip $(PRECISION))" --budget "$(strip $(BUDGET))" $(PROFILE) $(AEROSPIKE) $(ARGS)
# The store is told of the image that was handed over; without one, the profile says that there is none.
AEROSPIKE = $(if $(strip $(AEROSPIKE_IMAGE_ARCHIVE)),--set "spec.store.values.aerospike.image=$$(cluster/image-reference.sh "$(strip $(AEROSPIKE_IMAGE_ARCHIVE))")")
DOCUMENT  = $(strip $(EXPERIMENT))
# Only the images of the experiment are built; of a document elsewhere, or of none, all.
DOCUMENT_FILE = $(wildcard experiments/$(DOCUMENT).yaml $(filter %.yaml,$(DOCUMENT)))

.PHONY: help
help: ## what there is
	@echo "Ringside: which variant of a distributed store is better, by how much, and how sure one can be."
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "  make experiment SERVER=disruptor,hsha OPS=100000 EXPERIMENT=cassandra-quorum CLUSTER=embedded|current REGISTRY=..."

# What repeats a run: every variable that was said, on the command line or in the environment, as it was written: make expands it again.
SAID   := SERVER OPS ROUNDS PRECISION BUDGET CLUSTER REGISTRY PULL_SECRET AEROSPIKE_IMAGE_ARCHIVE ARGS
quoted  = '$(subst ','\'',$(1))'
REPEAT  = $(foreach name,$(SAID),$(if $(filter command environment,$(firstword $(origin $(name)))),--variable $(call quoted,$(name)=$(value $(name)))))

# --- the main job -------------------------------------------------------------------------------------------------------
.PHONY: experiment
experiment: check ## stand up the store with SERVER=..., load it, export the CSV, print the table
	@$(MAKE) ready
	@exec $(RINGSIDE) run $(DOCUMENT) $(RUN_FLAGS) --command "make experiment" --variable EXPERIMENT=$(call quoted,$(DOCUMENT)) $(REPEAT)

# Within 25 minutes on two cores, all told: the budget leaves five for the store, its data and the round that uses it up.
.PHONY: compare-servers
compare-servers: ## all Thrift servers but simple in one Cassandra: until ratios are within 3%, or 20 minutes (PRECISION, BUDGET, ROUNDS)
	@$(MAKE) experiment EXPERIMENT=cassandra-interleaved ROUNDS="$(or $(strip $(ROUNDS)),60)" PRECISION="$(or $(strip $(PRECISION)),3%)" BUDGET="$(or $(strip $(BUDGET)),20m)"

.PHONY: check
check: toolchain $(RINGSIDE)
	@$(RINGSIDE) check $(DOCUMENT) $(RUN_FLAGS)

.PHONY: compare
compare: toolchain $(RINGSIDE) ## compare the servers of the latest run, or two runs: A=<run> B=<run>
	@$(RINGSIDE) compare "$(A)" "$(B)" $(ARGS)

.PHONY: report
report: toolchain $(RINGSIDE) ## write report.html of the latest run, or of A=<run>
	@$(RINGSIDE) report "$(A)" $(ARGS)

.PHONY: table
table: toolchain $(RINGSIDE) ## print the table of the latest run, or of A=<run>
	@$(RINGSIDE) table "$(A)" $(ARGS)

.PHONY: archive
archive: toolchain $(RINGSIDE) ## put the latest run, or A=<run>, in a folder or a bucket: TO=<folder> or TO=s3://bucket/prefix
	@exec $(RINGSIDE) archive "$(A)" --to "$(strip $(TO))" $(ARGS)

.PHONY: list watch stop resume remove
list: toolchain $(RINGSIDE) ## list the runs in the cluster and among the results
	@$(RINGSIDE) list $(ARGS)

watch: toolchain $(RINGSIDE) ## follow the latest run, or RUN=<run>; Ctrl-C leaves it going
	@exec $(RINGSIDE) watch "$(RUN)" $(ARGS)

stop: toolchain $(RINGSIDE) ## stop a run before its next phase and export what is finished; run and store stay
	@exec $(RINGSIDE) stop "$(RUN)" $(ARGS)

resume: toolchain $(RINGSIDE) ## go on with a stopped run: after make stop, after Ctrl-C, after the cluster was down
	@exec $(RINGSIDE) resume "$(RUN)" $(ARGS)

remove: toolchain $(RINGSIDE) ## export what a run has finished, then remove it and its store
	@exec $(RINGSIDE) remove "$(RUN)" $(ARGS)

# --- getting ready --------------------------------------------------------------------------------------------------------
.PHONY: ready ready-embedded ready-current
ready: ready-$(CLUSTER_NAME) ## everything up to the experiment: cluster, images, operator, Prometheus

# One after the other, also under make -j: each stands on the one before.
ready-embedded:
	@$(MAKE) cluster-up
	@$(MAKE) images-load
	@$(MAKE) install

ready-current:
	@$(MAKE) images-push
	@$(MAKE) install

.PHONY: toolchain
toolchain:
	@$(STEP) "Go, Java, Maven" cluster/toolchain.sh

# --- the embedded cluster -------------------------------------------------------------------------------------------------
.PHONY: cluster-build cluster-up cluster-down cluster-status
cluster-build: toolchain
	@$(STEP) "building Kubernetes" cluster/build.sh $(strip $(RELEASE))

cluster-up: cluster-build ## bring up the embedded four-node Kubernetes (resumes a half-finished start)
	@$(KUBERNETES) up $(addprefix --api-port ,$(strip $(API_PORT)))

# What is up was built: a full disk, or a missing network, must not keep it up.
cluster-down: $(BIN)/ringside-cluster ## take it down; nothing of it stays
	@$(KUBERNETES) down

cluster-status: $(BIN)/ringside-cluster ## what of it is up
	@$(KUBERNETES) status

# Only where it is not there at all; cluster-build keeps it up to date.
$(BIN)/ringside-cluster:
	@$(MAKE) toolchain
	@$(STEP) "building ringside-cluster" sh -c 'cd cluster && go build -o $@ ./cmd/ringside-cluster'

# --- images ---------------------------------------------------------------------------------------------------------------
.PHONY: images images-load images-push sbom
images: toolchain $(IMAGES) ## build the images of EXPERIMENT (ENGINE=buildah|podman|docker)
	@$(if $(filter embedded,$(CLUSTER_NAME)),BASE=bootstrap) $(STEP) "building images" $(IMAGES) build --experiment "$(DOCUMENT_FILE)"

images-load: images
	@$(STEP) "loading images" $(KUBERNETES) load-image $$($(IMAGES) archives --experiment "$(DOCUMENT_FILE)") $(AEROSPIKE_IMAGE_ARCHIVE)

images-push: toolchain $(IMAGES)
	@[[ -n "$(strip $(REGISTRY))" ]] || { echo "ringside: CLUSTER=current needs REGISTRY=<a registry that your nodes pull from and you may push to>" >&2; exit 2; }
	@$(STEP) "building and pushing images" $(IMAGES) build --push --registry "$(strip $(REGISTRY))" --experiment "$(DOCUMENT_FILE)"

sbom: images ## what is in the images of EXPERIMENT, as CycloneDX into build/sbom (by Syft, which takes minutes to build once)
	@$(STEP) "building Syft" sh -c 'cd images/sbom && CGO_ENABLED=0 go build -trimpath -o $(BIN)/syft github.com/anchore/syft/cmd/syft'
	@images/sbom/write.sh $$($(IMAGES) archives --experiment "$(DOCUMENT_FILE)")

# --- benchmarks of the servers alone ------------------------------------------------------------------------------------
.PHONY: bench-servers
bench-servers: toolchain ## race the Thrift servers side by side without a store: ARGS="--servers ... --cells at-once/64/1 --rounds 6"
	@exec images/bench-servers/run $(ARGS)

# --- looking ----------------------------------------------------------------------------------------------------------------
KUBECTL = $(firstword $(wildcard $(BIN)/kube/kubectl) kubectl)
.PHONY: prometheus grafana
prometheus: ## open Prometheus on a 127.0.0.1 port and print the address (Ctrl-C closes it)
	@echo "Prometheus: http://127.0.0.1:9090"
	@exec $(KUBECTL) -n $(MONITORING) port-forward svc/monitoring-prometheus 9090:9090

grafana: ## open Grafana on a 127.0.0.1 port and print the address (Ctrl-C closes it)
	@$(KUBECTL) -n $(MONITORING) get svc/monitoring-grafana >/dev/null 2>&1 || { echo "ringside: Grafana does not run here: its image is in no package registry. Run: make install GRAFANA_IMAGE_ARCHIVE=<archive of grafana/grafana>" >&2; exit 1; }
	@echo "Grafana: http://127.0.0.1:3000"
	@exec $(KUBECTL) -n $(MONITORING) port-forward svc/monitoring-grafana 3000:3000

.PHONY: dashboards generate
dashboards: toolchain ## generate the dashboards' JSON from their code
	@go generate ./dashboards/...

generate: toolchain ## generate deep copies and CRDs from the API types, and READMEs of the charts from their values
	@go generate ./operators/... ./charts/...

# --- installing Ringside ------------------------------------------------------------------------------------------------
HELM = $(BIN)/helm
.PHONY: install
install: $(HELM) $(IMAGES) ## install or upgrade operator and Prometheus in the cluster of KUBECONFIG
	@$(if $(strip $(GRAFANA_IMAGE_ARCHIVE)),$(KUBERNETES) load-image $(GRAFANA_IMAGE_ARCHIVE))
	@MONITORING=$(MONITORING) GRAFANA_IMAGE_ARCHIVE="$(GRAFANA_IMAGE_ARCHIVE)" PULL_SECRET="$(strip $(PULL_SECRET))" cluster/install.sh

# --- Go programs --------------------------------------------------------------------------------------------------------
$(RINGSIDE): $(GO_SOURCES) | toolchain
	@$(STEP) "building the ringside command" go build -o $@ ./operators/cmd/ringside

$(IMAGES): $(GO_SOURCES) | toolchain
	@$(STEP) "building ringside-images" go build -o $@ ./images/cmd/ringside-images

$(HELM): go.mod | toolchain
	@$(STEP) "building helm" go build -o $@ helm.sh/helm/v4/cmd/helm

# --- tests ----------------------------------------------------------------------------------------------------------------
# Around every part: a test that leaves a file, a mount, a process, a kernel module on the host has failed.
UNCHANGED := $(BIN)/host-unchanged
.PHONY: test test-fresh test-tools lint test-go test-java test-jdks stress-server simulate scale test-e2e fuzz test-long
test: ## all tests: lint, Go, Java, and end to end on the embedded cluster (which needs root)
	@rm -f build/test-times.txt
	@cluster/timed.sh "toolchain and cluster binaries" $(MAKE) cluster-build test-tools
	@# A test run that was killed leaves its own cluster. Another instance may hold results that were not exported: no test touches it.
	@[[ $$(id -u) != 0 ]] || $(E2E) cluster-down
	@cluster/timed.sh "lint" $(UNCHANGED) $(MAKE) lint
	@cluster/timed.sh "Java tests" $(UNCHANGED) $(MAKE) test-java
	@cluster/timed.sh "Go tests" $(UNCHANGED) $(MAKE) test-go
	@if [[ $$(id -u) == 0 ]]; then cluster/timed.sh "end to end" $(UNCHANGED) $(MAKE) test-e2e; \
	else echo "ringside: left out the end-to-end tests: the embedded cluster needs root"; fi
	@cluster/timed.sh --report

test-fresh: ## the README's two commands as on a new machine: clean clone, empty HOME, no caches (OPS, as in experiment)
	@cluster/test-fresh.sh $(addprefix OPS=,$(strip $(OPS)))

test-tools: toolchain
	@$(STEP) "a browser for tests" cluster/toolchain.sh tests
	@cd cluster && go build -o $(UNCHANGED) ./cmd/host-unchanged

lint: toolchain
	@unformatted=$$(gofmt -l cluster operators dashboards charts images 2>/dev/null); \
	  [[ -z "$$unformatted" ]] || { echo "not formatted (gofmt -w them): $$unformatted" >&2; exit 1; }
	@go vet ./... && go vet -tags e2e ./operators/... && go tool staticcheck ./...
	@cd cluster && go vet ./...
	@git ls-files '*.sh' .ci/run | xargs shellcheck

# No result of a test comes from a cache: what a test leaves on the host, it leaves only when it runs.
test-go: cluster-build test-tools
	@$(STEP) "staging Prometheus" images/prometheus/stage.sh build/images/prometheus/context # leaves promtool, by which the rules are tested
	@KUBEBUILDER_ASSETS=$(BIN)/kube go test -count=1 -timeout 30m ./... # the controllers' take fifteen minutes where others run beside them
	@cd cluster && go test -count=1 ./...
	@cd dashboards/lint && go test -count=1 ./...

test-java: toolchain
	@mvn -q -B -f images/pom.xml verify
	@images/bench-servers/smoke
	@images/thrift-servers/publish-test

test-jdks: toolchain ## the Thrift servers' suite on a real Java 8, on 17 and on the newest: ARGS="8 newest"
	@images/thrift-servers/jdks $(ARGS)

stress-server: toolchain ## the Thrift server's state machines on real processors, by jcstress: ARGS="-m default"
	@images/thrift-servers/stress/run $(ARGS)

simulate: toolchain ## whether verdicts and intervals hold, on 2,000 simulated experiments of each kind of noise
	@go test -count=1 -v -timeout 20m ./operators/internal/compare/simulate -experiments 2000 | grep -v '^=== '

scale: cluster-build $(RINGSIDE) ## what size costs, simulated: up to 1,000 nodes, a 100-node store, 64 load pods, 2,000 measurements and 10,000 of earlier runs
	@$(STEP) "building KWOK" cluster/build.sh kwok
	@$(STEP) "building the operator" go build -o $(BIN)/ringside-operator ./operators/cmd/operator
	@KUBEBUILDER_ASSETS=$(BIN)/kube go test -count=1 -timeout 60m -v ./operators/internal/scale -run TestScale -scale | grep -v '^=== '
	@KUBEBUILDER_ASSETS=$(BIN)/kube go test -run '^$$' -bench BenchmarkHistory -benchtime 50x -timeout 30m ./operators/internal/controller/

# In a cluster of its own, which goes when the tests end. A user's cluster is another instance: it is never used and never taken down.
E2E := $(MAKE) CLUSTER=embedded INSTANCE=e2e API_PORT=$(or $(strip $(API_PORT)),17202)
test-e2e: cluster-build $(RINGSIDE) ## the end-to-end tests, on an embedded cluster of their own
	@cd cluster && go test -tags e2e -count=1 -timeout 20m ./e2e
	@cd cluster && go test -tags e2e -count=1 -timeout 5m -run 'Packets|Began' ./internal/policy # with nft, which the cluster brought
	@$(E2E) test-e2e-run

.PHONY: test-e2e-run
test-e2e-run:
	@trap '$(KUBERNETES) down' EXIT; \
	  $(MAKE) ready EXPERIMENT=; \
	  E2E_INSTANCE=$(INSTANCE) go test -tags e2e -count=1 -timeout 45m -v ./operators/e2e/...

# In a cluster of its own, which goes: what it leaves, it leaves on the host.
SOAK := $(MAKE) INSTANCE=soak API_PORT=$(or $(strip $(API_PORT)),17201)
.PHONY: soak soak-run
soak: cluster-build test-tools ## kill KILLS parts of Ringside and the cluster while experiments run, and balance the books: GAP, SEED, API_ERRORS=yes
	@$(UNCHANGED) $(SOAK) soak-run

soak-run: $(HELM) $(RINGSIDE)
	@trap '$(KUBERNETES) down' EXIT; \
	  $(MAKE) cluster-up; \
	  for document in http-workers udp-idle; do $(MAKE) images-load EXPERIMENT=$$document; done; \
	  $(IMAGES) values operator >build/images/operator-values.json; \
	  $(STEP) "installing charts/ringside" $(HELM) upgrade --install ringside charts/ringside --namespace ringside --create-namespace --wait --timeout 5m -f build/images/operator-values.json; \
	  $(STEP) "building the soak" go build -o $(BIN)/soak ./operators/soak; \
	  $(BIN)/soak --state $(CLUSTER_STATE) --instance $(INSTANCE) --results build/soak --kills $(KILLS) --gap $(GAP) $(addprefix --seed ,$(strip $(SEED))) $(if $(strip $(API_ERRORS)),--api-errors)

fuzz: toolchain ## run each fuzz test for FUZZTIME, a minute unless given
	@FUZZTIME=$(FUZZTIME) operators/fuzz.sh

test-long: toolchain $(RINGSIDE) $(IMAGES) $(HELM) ## what takes minutes more: a registry of images and charts; quotas, policies, drains, lost nodes, other runs, a Prometheus Operator; fuzz tests
	@$(STEP) "building Kubernetes, a registry, the Prometheus Operator" cluster/build.sh registry prometheus-operator
	@operators/fuzz.sh
	@RINGSIDE_LONG=yes go test -tags e2e -count=1 -p 1 -timeout 60m -v ./operators/e2e/registry ./operators/e2e/guarded
