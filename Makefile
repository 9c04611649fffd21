# Ringside's make targets. `make help` lists them.
SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS   += --no-print-directory

# --- variables --------------------------------------------------------------------------------------------------------
EXPERIMENT ?= cassandra-quorum#   experiment file in experiments/, without .yaml, or a path
SERVER     ?=#                    servers to run, separated by commas; empty: all servers of the experiment file
VARY       ?=#                    setting to compare, such as cassandra.concurrent_reads=16,32: one server for each value; several, separated by spaces, give all combinations
OPS        ?=#                    operations per phase; empty: as in the experiment file, fewer on the embedded cluster
ROUNDS     ?=#                    number of rounds, with PRECISION the maximum; empty: as in the experiment file
PRECISION  ?=#                    such as 3%: end the run once the intervals of all primary metrics are within it, but never before 12 rounds; empty: as in the experiment file
BUDGET     ?=#                    such as 20m: with PRECISION, end the run after rounds of this total time, but never before 12 rounds
CLUSTER    ?= embedded#           embedded; kind, k3d or minikube: one that runs; current: the kubeconfig's current context
REGISTRY   ?=#                    registry to push images to, with CLUSTER=current
BASE       ?=#                    base image with the Java that the images need, or bootstrap: from Debian packages; empty: each image's public base, else bootstrap
PLATFORMS  ?=#                    linux/amd64, linux/arm64 or both, separated by a comma; empty: this machine's, with CLUSTER=current those of the nodes
PROFILE    ?=#                    profile, by name or file, that adapts experiments and installation to a kind of cluster, such as eks; empty: that of CLUSTER, none with CLUSTER=current
VALUES     ?=#                    values files of charts/ringside, separated by commas; they stay in effect for later installations
MONITORING_VALUES ?=#             values files of charts/monitoring, separated by commas; they stay in effect for later installations
MONITORING ?=#                    own, operator (for the cluster's Prometheus Operator) or none; empty: what is installed, else as the cluster has a Prometheus Operator or not
PULL_SECRET ?=#                   name of the Secret with which nodes log in to REGISTRY; needed in both namespaces of Ringside
INSTANCE   ?=#                    name of the cluster: of the embedded one, where another name, with another API_PORT, runs a second one; or of kind, k3d or minikube, if there are several
API_PORT   ?=#                    port on 127.0.0.1 of the embedded cluster's API server
REGISTRY_PORT ?=#                 port on 127.0.0.1 of a registry that the embedded cluster runs from its start; empty: none
NODES      ?=#                    number of nodes of the embedded cluster when it starts; empty: 4
MIRROR     ?=#                    registry, with or without a path, from which make grafana pulls Grafana's image instead of docker.io
GRAFANA_IMAGE_ARCHIVE ?=#         file with the Grafana image, to run Grafana on an embedded cluster that cannot pull it
AEROSPIKE_IMAGE_ARCHIVE ?=#       file with the image of Aerospike's server, for server aerospike of trip-cache on the embedded cluster
VERSION    ?=#                    version of a release, such as 1.2.3
A          ?=#                    run to compare, report, print or archive; empty: the latest
B          ?=#                    run that A is compared with
PORT       ?=#                    port on 127.0.0.1 of make prometheus (9090) and make grafana (3000)
TO         ?=#                    destination of make archive: a folder, or s3://bucket/prefix
FROM       ?=#                    place of the archived runs of make history: a folder, or s3://bucket/prefix; empty: results/
RUN        ?=#                    run in the cluster to watch, stop, resume or remove; empty: the latest
ARGS       ?=#                    further flags of the ringside command
KILLS      ?= 50#                 soak: number of kills
GAP        ?= 10s#                soak: mean time between two kills
SEED       ?=#                    soak: seed of the random choices; empty: a new one, which is printed
HOSTS      ?=#                    test-hosts: systems such as "debian-13 ubuntu-24.04"; empty: all

# --- paths and flags ----------------------------------------------------------------------------------------------------
BIN        := $(CURDIR)/build/bin
export PATH := $(CURDIR)/build/toolchain/go/bin:$(PATH)
# Where kubectl and Helm cache what an API server offers. Their default is the user's home.
export KUBECACHEDIR := $(CURDIR)/build/kubectl-cache
# The same flags for every Go program and test, so that they share the build cache. Debuggers' data costs a tenth of the time.
export CGO_ENABLED := 0
export GOFLAGS := -trimpath -buildvcs=false -gcflags=all=-dwarf=false
# Compilers that collect less garbage need a quarter less time. Only for builds: programs and tests keep Go's default. -v shows what is compiled.
COMPILE := GOGC=400 GOFLAGS="$(GOFLAGS) -v" cluster/step.sh
# One Go for all modules. GOTOOLCHAIN=local uses the machine's.
ifndef GOTOOLCHAIN
GOTOOLCHAIN := $(shell sed -n 's/^toolchain //p' go.mod)
endif
export GOTOOLCHAIN
# Inputs of the Go compiler: sources and embedded files.
GO_SOURCES := $(shell find operators charts dashboards experiments images -type f -not -path '*/target/*' -not -path '*/testdata/*' -not -name '*.java' 2>/dev/null) go.mod go.sum
STEP := cluster/step.sh

# Each embedded cluster on a machine has its own folder.
CLUSTER_STATE := $(CURDIR)/build/cluster$(addprefix -,$(strip $(INSTANCE)))
CLUSTER_NAME := $(strip $(CLUSTER))
# Clusters that a tool of that name runs on this machine.
LOCAL_CLUSTERS := kind k3d minikube
ifeq ($(CLUSTER_NAME),embedded)
  export KUBECONFIG := $(CLUSTER_STATE)/kubeconfig
  ADAPTED := $(or $(strip $(PROFILE)),cluster/experiment-profile.yaml)
else ifeq ($(CLUSTER_NAME),current)
  ADAPTED := $(strip $(PROFILE))
else ifneq ($(filter $(LOCAL_CLUSTERS),$(CLUSTER_NAME)),)
  # ready writes a kubeconfig of that cluster alone, from the user's own.
  ifeq ($(origin USER_KUBECONFIG),undefined)
    export USER_KUBECONFIG := $(KUBECONFIG)
  endif
  export KUBECONFIG := $(CURDIR)/build/kubeconfig-$(CLUSTER_NAME)$(addprefix -,$(strip $(INSTANCE)))
  ADAPTED := $(or $(strip $(PROFILE)),$(CLUSTER_NAME))
else
  $(error CLUSTER=$(CLUSTER): unknown cluster; use embedded, kind, k3d, minikube or current)
endif

RINGSIDE := $(BIN)/ringside
# The command that ringside prints as the next step.
export RINGSIDE_MAKE := make$(if $(filter-out embedded,$(CLUSTER_NAME)), CLUSTER=$(CLUSTER_NAME))$(if $(strip $(INSTANCE)), INSTANCE=$(strip $(INSTANCE)))
IMAGES   := $(BIN)/ringside-images
export BASE PLATFORMS
KUBERNETES = $(BIN)/ringside-cluster --state $(CLUSTER_STATE) $(if $(strip $(INSTANCE)),--instance $(strip $(INSTANCE)))
IN_LOCAL_CLUSTER = --cluster $(CLUSTER_NAME) $(addprefix --instance ,$(strip $(INSTANCE)))
# Loads image archives into the nodes, and the images that nodes do not pull from a public registry.
LOAD   = $(if $(filter $(LOCAL_CLUSTERS),$(CLUSTER_NAME)),$(IMAGES) load $(IN_LOCAL_CLUSTER),$(KUBERNETES) load-image)
PUBLIC = $(if $(filter embedded,$(CLUSTER_NAME))$(filter bootstrap,$(BASE)),,--without-public )
RUN_FLAGS = --server "$(strip $(SERVER))" $(foreach varied,$(VARY),--vary $(call quoted,$(varied))) --ops "$(strip $(OPS))" --rounds "$(strip $(ROUNDS))" --precision "$(strip $(PRECISION))" --budget "$(strip $(BUDGET))" $(addprefix --profile ,$(ADAPTED)) $(AEROSPIKE) $(ARGS)
# Sets the image that was handed over. Without one, the profile sets an empty image.
AEROSPIKE = $(if $(strip $(AEROSPIKE_IMAGE_ARCHIVE)),--set "spec.store.values.aerospike.image=$$(cluster/image-reference.sh "$(strip $(AEROSPIKE_IMAGE_ARCHIVE))")")
DOCUMENT  = $(strip $(EXPERIMENT))
# Only the images of the experiment's servers are built. Without an experiment file, all images are.
DOCUMENT_FILE = $(wildcard experiments/$(DOCUMENT).yaml $(filter %.yaml,$(DOCUMENT)))
NEEDED = --experiment "$(DOCUMENT_FILE)" --server "$(or $(patsubst type=%,%,$(filter type=%,$(VARY))),$(strip $(SERVER)))"

.PHONY: help
help: ## list all targets and variables
	@echo "Ringside compares variants of a distributed store on Kubernetes: which is better, by how much, with what confidence."
	@echo
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@awk -F '# *' '/^[A-Z_]+ +[?]=/{split($$1, word, " +"); printf "  %-21s %s\n", word[1] (word[3] == "" ? "" : "=") word[3], $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "  make experiment SERVER=disruptor,hsha OPS=100000 EXPERIMENT=cassandra-quorum CLUSTER=embedded|kind|k3d|minikube|current REGISTRY=..."

# Variables that repeat a run: those set on the command line or in the environment, unexpanded, because make expands them again.
SAID   := SERVER VARY OPS ROUNDS PRECISION BUDGET CLUSTER INSTANCE API_PORT NODES REGISTRY_PORT REGISTRY PROFILE PULL_SECRET AEROSPIKE_IMAGE_ARCHIVE ARGS
quoted  = '$(subst ','\'',$(1))'
REPEAT  = $(foreach name,$(SAID),$(if $(filter command environment,$(firstword $(origin $(name)))),--variable $(call quoted,$(name)=$(value $(name)))))

# --- experiments --------------------------------------------------------------------------------------------------------
.PHONY: experiment
experiment: ## run an experiment: install the store, load each server, export CSV and report
	@SECONDS=0; $(MAKE) -j2 downloads checked; $(MAKE) ready; printf '[%2d:%02d] ready\n' $$((SECONDS / 60)) $$((SECONDS % 60))
	@exec $(RINGSIDE) run $(DOCUMENT) $(RUN_FLAGS) --command "make experiment" --variable EXPERIMENT=$(call quoted,$(DOCUMENT)) $(REPEAT)

# Takes some 25 minutes on two cores: rounds until op rates are within 3%, CPU times within 1.5% and p95 within 8%, or for 20 minutes, and 5 for
# the store, its data and the last round.
.PHONY: compare-servers
compare-servers: ## compare all Thrift servers but simple in one Cassandra, in some 25 minutes (PRECISION, BUDGET)
	@$(MAKE) experiment EXPERIMENT=cassandra-interleaved ROUNDS="$(or $(strip $(ROUNDS)),60)" PRECISION="$(or $(strip $(PRECISION)),3%)" BUDGET="$(or $(strip $(BUDGET)),20m)"

.PHONY: check checked
CHECK = $(RINGSIDE) check $(DOCUMENT) $(RUN_FLAGS)
check: toolchain $(RINGSIDE)
	@$(CHECK)

# Prints only errors: ringside run prints the same plan later.
QUIETLY = 2>build/log/check.log || { code=$$?; cat build/log/check.log >&2; exit $$code; }
checked: toolchain $(RINGSIDE)
	@$(CHECK) $(QUIETLY)

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
archive: toolchain $(RINGSIDE) ## copy the latest run, or A=<run>, to a folder or a bucket: TO=<folder> or TO=s3://bucket/prefix
	@exec $(RINGSIDE) archive "$(A)" --to "$(strip $(TO))" $(ARGS)

.PHONY: history
history: toolchain $(RINGSIDE) ## find the archived runs from which on a server is faster or slower: EXPERIMENT=<name> FROM=<folder> or FROM=s3://bucket/prefix
	@exec $(RINGSIDE) history --experiment "$(DOCUMENT)" --from "$(strip $(FROM))" $(ARGS)

.PHONY: list watch stop resume remove
list: toolchain $(RINGSIDE) ## list the runs in the cluster and in results/
	@$(RINGSIDE) list $(ARGS)

watch: toolchain $(RINGSIDE) ## follow the latest run, or RUN=<run>; Ctrl-C does not stop the run
	@exec $(RINGSIDE) watch "$(RUN)" $(ARGS)

stop: toolchain $(RINGSIDE) ## stop a run before its next phase and export what is finished; run and store stay
	@exec $(RINGSIDE) stop "$(RUN)" $(ARGS)

resume: toolchain $(RINGSIDE) ## resume a stopped run: after make stop, after Ctrl-C, after the cluster was down
	@exec $(RINGSIDE) resume "$(RUN)" $(ARGS)

remove: toolchain $(RINGSIDE) ## export what a run has finished, then remove the run and its store
	@exec $(RINGSIDE) remove "$(RUN)" $(ARGS)

# --- preparation ----------------------------------------------------------------------------------------------------------
.PHONY: ready ready-embedded ready-current $(LOCAL_CLUSTERS:%=ready-%)
ready: ready-$(CLUSTER_NAME) ## prepare everything that an experiment needs: cluster, images, operator, Prometheus

# Images are built while Kubernetes is built, with what that leaves of the processors, and while it starts. The other steps run in sequence,
# because each needs the one before.
ready-embedded: toolchain
	@cluster/together.sh --steps cluster-start images
	@$(MAKE) images-load-built
	@$(MAKE) install

# The cluster is checked before images are built for it, which takes minutes.
CHECK_CLUSTER = $(CHECK) --cluster $(QUIETLY)
ready-current: toolchain $(RINGSIDE)
	@$(CHECK_CLUSTER)
	@$(MAKE) images-push
	@$(MAKE) install

$(LOCAL_CLUSTERS:%=ready-%): toolchain $(RINGSIDE) $(IMAGES)
	@KUBECONFIG="$(USER_KUBECONFIG)" $(IMAGES) connect $(IN_LOCAL_CLUSTER) --kubeconfig "$(KUBECONFIG)"
	@$(CHECK_CLUSTER)
	@$(MAKE) images-load
	@$(MAKE) install

.PHONY: toolchain uninstall
toolchain:
	@$(STEP) "Go, Java, Maven" cluster/toolchain.sh

.PHONY: toolchain-bench
toolchain-bench: toolchain
	@$(STEP) "a C compiler" cluster/toolchain.sh bench

# Go downloads as many modules at a time as GOMAXPROCS. A step that lacks a module downloads it, and reports why it cannot.
.PHONY: downloads
downloads: $(if $(filter embedded,$(CLUSTER_NAME)),build/modules) # the cluster's are the most
build/modules: go.sum cluster/go.sum | toolchain
	-@$(STEP) "downloading Go modules" sh -c 'for module in . cluster; do (cd $$module && GOMAXPROCS=16 go mod download) || exit; done'
	@touch $@

uninstall: ## remove build/ and the Debian packages that Ringside installed on this machine, and list what stays
	@cluster/uninstall.sh

# --- the embedded cluster -------------------------------------------------------------------------------------------------
.PHONY: cluster-build cluster-up cluster-start cluster-down cluster-status
cluster-build: toolchain
	@$(COMPILE) --about "5 min" "building Kubernetes" cluster/build.sh $(if $(strip $(REGISTRY_PORT)),registry)

cluster-up: cluster-build ## start the embedded four-node Kubernetes, or resume an interrupted start
	@$(UP)

# Ends a target that would change the embedded cluster although another one is selected.
EMBEDDED_ONLY = $(if $(filter-out embedded,$(CLUSTER_NAME)),$(error make $@ is for the embedded cluster only, and CLUSTER is $(CLUSTER_NAME)))
UP = $(EMBEDDED_ONLY)$(KUBERNETES) up $(addprefix --nodes ,$(strip $(NODES))) $(addprefix --api-port ,$(strip $(API_PORT))) $(addprefix --registry ,$(strip $(REGISTRY_PORT)))
# As cluster-up, in one line next to other steps.
cluster-start: cluster-build
	@$(STEP) "starting the cluster" $(UP)

# Builds nothing if the program exists, so that a full disk or a missing network does not prevent it.
cluster-down: $(BIN)/ringside-cluster ## stop the embedded cluster and remove it, with its images, volumes and runs
	@$(EMBEDDED_ONLY)$(KUBERNETES) down

cluster-status: $(BIN)/ringside-cluster ## show the status of the embedded cluster
	@$(EMBEDDED_ONLY)$(KUBERNETES) status

# Only if the program does not exist. cluster-build keeps it up to date.
$(BIN)/ringside-cluster:
	@$(MAKE) toolchain
	@$(COMPILE) "building ringside-cluster" sh -c 'cd cluster && go build -o $@ ./cmd/ringside-cluster'

# --- images ---------------------------------------------------------------------------------------------------------------
.PHONY: images images-load images-push sbom
images: toolchain $(IMAGES) ## build the images of EXPERIMENT into archives in build/images (BASE, PLATFORMS)
	@nice env $(COMPILE) --about "6 min" "building images" $(IMAGES) build $(PUBLIC)$(NEEDED)

images-load: images images-load-built

.PHONY: images-load-built
images-load-built:
	@$(STEP) "loading images" $(LOAD) $$($(IMAGES) archives $(PUBLIC)$(NEEDED)) $(AEROSPIKE_IMAGE_ARCHIVE)

images-push: toolchain $(IMAGES)
	@[[ -n "$(strip $(REGISTRY))" ]] || { echo "ringside: push images: REGISTRY is empty; set REGISTRY=<registry> to one that you can push to and the nodes can pull from" >&2; exit 2; }
	@$(STEP) "building and pushing images" $(IMAGES) build --push --registry "$(strip $(REGISTRY))" $(NEEDED)

sbom: images $(BIN)/syft ## write CycloneDX SBOMs of the images of EXPERIMENT to build/sbom, with Syft
	@images/sbom/write.sh build/sbom $$($(IMAGES) archives $(NEEDED))

# --- Thrift servers without Kubernetes ----------------------------------------------------------------------------------
.PHONY: bench-servers
bench-servers: toolchain-bench ## compare the Thrift servers without Kubernetes and store: ARGS="--servers ... --cells at-once/64/1 --rounds 6"
	@exec images/bench-servers/run $(ARGS)

# --- monitoring and generated files -----------------------------------------------------------------------------------------
# How images reach the nodes of a cluster that pulls none.
LOAD_WITH = $(if $(filter-out current,$(CLUSTER_NAME)),--load-with "$(LOAD)")
.PHONY: prometheus grafana
prometheus: toolchain $(RINGSIDE) ## forward Prometheus to a port on 127.0.0.1 and print the address; Ctrl-C ends it
	@exec $(RINGSIDE) prometheus $(addprefix --port ,$(strip $(PORT)))

grafana: toolchain $(RINGSIDE) ## forward Grafana to a port on 127.0.0.1 and print the address; Ctrl-C ends it. On the embedded cluster, pull and start it first
	@exec $(RINGSIDE) grafana $(addprefix --port ,$(strip $(PORT))) $(LOAD_WITH) --mirror "$(strip $(MIRROR))" --archive "$(strip $(GRAFANA_IMAGE_ARCHIVE))"

.PHONY: dashboards generate
dashboards: toolchain ## generate the dashboards' JSON from their code
	@go generate ./dashboards/...

generate: toolchain ## generate deep copies and CRDs from the API types, and docs/reference from the code
	@go generate ./operators/...

# --- installation -------------------------------------------------------------------------------------------------------
# The images that were built, as values of the charts.
BUILT = for chart in operator monitoring; do $(IMAGES) values $$chart $(PUBLIC)>build/images/$$chart-values.json; done
INSTALL = $(RINGSIDE) install --built build/images/operator-values.json --monitoring-built build/images/monitoring-values.json $(LOAD_WITH)
.PHONY: install
install: toolchain $(RINGSIDE) $(IMAGES) ## install or upgrade the operator and its monitoring in the cluster of KUBECONFIG; what was set by Helm stays
	@$(BUILT)
	@$(INSTALL) $(addprefix --profile ,$(ADAPTED)) --values "$(strip $(VALUES))" --monitoring-values "$(strip $(MONITORING_VALUES))" \
	  --monitoring "$(strip $(MONITORING))" --pull-secret "$(strip $(PULL_SECRET))" --grafana-archive "$(strip $(GRAFANA_IMAGE_ARCHIVE))"

# --- releases -------------------------------------------------------------------------------------------------------------
RINGSIDE_RELEASE := $(BIN)/ringside-release
RELEASE_TOOLS := $(RINGSIDE_RELEASE) $(IMAGES) $(BIN)/syft $(BIN)/goreleaser
.PHONY: release-prepare release-check release-dry-run release-test release-publish release-maven
release-prepare: ## write VERSION into charts, Maven modules and changelog
	@release/prepare.sh "$(VERSION)"

release-check: ## verify that charts, Maven modules and changelog have VERSION
	@release/check.sh "$(VERSION)"

release-dry-run: toolchain $(RELEASE_TOOLS) ## build all artefacts of a release into build/dist, publish nothing (VERSION, REGISTRY)
	@REGISTRY="$(strip $(REGISTRY))" release/dry-run.sh "$(VERSION)"

release-test: toolchain $(RELEASE_TOOLS) ## build all artefacts of a release twice, compare and test them (VERSION)
	@REGISTRY="$(strip $(REGISTRY))" release/test.sh "$(or $(strip $(VERSION)),0.0.0-test)"

# Run by the workflow of releases only, which has the logins.
release-publish: toolchain $(RELEASE_TOOLS)
	@REGISTRY="$(strip $(REGISTRY))" release/publish.sh "$(VERSION)"

release-maven: toolchain
	@release/check.sh "$(VERSION)"
	@$(STEP) "publishing the Thrift server library" images/thrift-servers/publish build/release/maven
	@images/thrift-servers/bundle build/release/maven build/release/maven.zip
	@curl --silent --show-error --fail-with-body --header "Authorization: Bearer $$CENTRAL_TOKEN" --form bundle=@build/release/maven.zip "$$CENTRAL_UPLOAD"

# --- Go programs --------------------------------------------------------------------------------------------------------
$(RINGSIDE): $(GO_SOURCES) | toolchain
	@$(COMPILE) --about "3 min" "building the ringside command" go build -ldflags "-s -w" -o $@ ./operators/cmd/ringside

$(IMAGES): $(GO_SOURCES) | toolchain
	@nice env $(COMPILE) "building ringside-images" go build -ldflags "-s -w" -o $@ ./images/cmd/ringside-images

$(RINGSIDE_RELEASE): $(shell find release charts/internal -name '*.go') go.mod go.sum | toolchain
	@$(COMPILE) "building ringside-release" go build -o $@ ./release/cmd/ringside-release

# Tools by their versions. go.mod has those that share its libraries.
$(BIN)/syft:         TOOL := github.com/anchore/syft@v1.57.0 cmd/syft
$(BIN)/goreleaser:   TOOL := github.com/goreleaser/goreleaser/v2@v2.16.0
$(BIN)/revive:       TOOL := github.com/mgechev/revive@v1.16.0
$(BIN)/go-errorlint: TOOL := github.com/polyfloyd/go-errorlint@v1.8.0
$(BIN)/actionlint:   TOOL := github.com/rhysd/actionlint@v1.7.12 cmd/actionlint
LINTERS := $(addprefix $(BIN)/,revive go-errorlint actionlint)
$(BIN)/syft $(BIN)/goreleaser $(LINTERS): Makefile | toolchain
	@$(COMPILE) "building $(@F)" cluster/tool.sh $@ $(TOOL)

# promtool of the Prometheus library's version, with the only discovery of targets that the charts use.
$(BIN)/promtool: go.mod | toolchain
	@$(COMPILE) "building promtool" env GOFLAGS="$(GOFLAGS) -tags=remove_all_sd,enable_kubernetes_sd" cluster/tool.sh $@ github.com/prometheus/prometheus@$$(go list -m -f '{{.Version}}' github.com/prometheus/prometheus) cmd/promtool

# --- tests ----------------------------------------------------------------------------------------------------------------
# Runs around all tests: a test that leaves a file, mount, process or kernel module on the host fails.
UNCHANGED := $(BIN)/host-unchanged
.PHONY: test test-killed test-fresh test-tools lint test-go test-java test-jdks stress-server simulate test-e2e test-all fuzz test-long test-hosts test-vm
test: ## run lint, and the Go and Java tests; needs no root and no cluster
	@rm -f build/test-times.txt
	@cluster/timed.sh "toolchain" $(MAKE) test-tools
	@$(UNCHANGED) cluster/together.sh test-java test-lint-go
	@cluster/timed.sh --report
	@[[ $$(id -u) == 0 ]] || echo "ringside: left out without root: tests that make namespaces, mounts or control groups; run make test as root"
	@echo "ringside: make test-e2e runs the end-to-end tests and those in a browser (needs root)"

.PHONY: test-lint-go
# The Go half of make test. It compiles while Java tests wait, which have priority because some of them measure time.
test-lint-go:
	@cluster/timed.sh "lint" nice $(MAKE) lint
	@cluster/timed.sh "Kubernetes for Go tests" nice $(MAKE) cluster-build
	@cluster/timed.sh "Go tests" nice $(MAKE) test-go

# Its live cluster is an instance of its own, so it needs a machine with room for two.
test-killed: cluster-build test-tools ## kill make test and make test-e2e while a live cluster runs, and verify that its objects and processes stay (needs root)
	@cluster/test-killed.sh

test-fresh: ## run make experiment, make test and make test-e2e as on a new machine: clean clone, empty HOME, no caches (OPS)
	@cluster/test-fresh.sh $(addprefix OPS=,$(strip $(OPS)))

test-tools: toolchain-bench $(UNCHANGED)
	@$(STEP) "shellcheck" cluster/toolchain.sh lint

.PHONY: $(UNCHANGED)
$(UNCHANGED): toolchain
	@cd cluster && go build -o $@ ./e2e/host-unchanged

# The words that are ignored are names in code, and spellings of the APIs that Ringside uses.
SPELLING := go tool misspell -error -locale UK -i agains,artifact,artifacts,authorizes,center,customize,initialize,initialized,organization,randomized,recognized,serialization,summarize,synchronized,unrecognized
lint: toolchain $(LINTERS) ## verify format, Go, shell scripts, style of texts, spelling
	@$(STEP) "shellcheck" cluster/toolchain.sh lint
	@unformatted=$$(gofmt -l cluster operators dashboards charts images experiments release 2>/dev/null); \
	  [[ -z "$$unformatted" ]] || { echo "not formatted (gofmt -w them): $$unformatted" >&2; exit 1; }
	@go vet ./... && go vet -tags e2e ./operators/... && go tool staticcheck ./...
	@$(BIN)/revive -config .revive.toml -set_exit_status ./... && $(BIN)/go-errorlint ./...
	@cd cluster && go vet ./...
	@$(BIN)/actionlint .github/workflows/*.yml
	@git ls-files '*.sh' .ci | xargs shellcheck
	@.ci/words
	@go test -count=1 ./operators/internal/reference
	@git ls-files '*.md' '*.yaml' '*.sh' '*.tpl' Makefile | xargs $(SPELLING)
	@git ls-files '*.go' | xargs $(SPELLING) -source go
	@git ls-files '*.java' | xargs go tool misspell -error -i agains

# A file that does not exist, so that no test sees the user's cluster.
test-go test-e2e-browser: export KUBECONFIG := $(CURDIR)/build/no-cluster
# No test results from the cache: only a test that runs can leave something on the host. Vet is a part of lint.
test-go: cluster-build $(BIN)/promtool
	@KUBEBUILDER_ASSETS=$(BIN)/kube go test -count=1 -vet=off -timeout 20m ./...
	@cd cluster && go test -count=1 -vet=off ./...

test-java: toolchain-bench
	@cluster/timed.sh "Java tests" mvn -q -B -f images/pom.xml verify
	@cluster/timed.sh "Java servers and packages" $(MAKE) test-java-packages

.PHONY: test-java-packages
test-java-packages:
	@images/bench-servers/smoke
	@images/thrift-servers/publish-test

test-jdks: toolchain ## run the Thrift servers' tests on Java 8, 17 and the newest: ARGS="8 newest"
	@images/thrift-servers/jdks $(ARGS)

stress-server: toolchain ## test the Thrift server's concurrency with jcstress: ARGS="-m default"
	@images/thrift-servers/stress/run $(ARGS)

vulnerabilities: toolchain ## scan the Go code for known vulnerabilities; needs access to vuln.go.dev
	@for module in . cluster; do (cd $$module && go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./...) || exit; done

simulate: toolchain ## check verdicts and intervals on 2,000 simulated experiments for each kind of noise
	@go test -count=1 -v -timeout 60m ./operators/internal/compare/simulate -experiments 2000 | grep -v '^=== '

# In their own cluster, which is removed when the tests end. A user's cluster is another instance and is never touched.
E2E := $(MAKE) CLUSTER=embedded INSTANCE=e2e API_PORT=$(or $(strip $(API_PORT)),17202) REGISTRY_PORT=$(or $(strip $(REGISTRY_PORT)),17203)
test-e2e: ## run the end-to-end tests on their own embedded cluster, and those in a browser (needs root)
	@[[ $$(id -u) == 0 ]] || { echo "ringside: run the end-to-end tests: the embedded cluster needs root; run make test-e2e as root" >&2; exit 2; }
	@rm -f build/test-times.txt
	@cluster/timed.sh "toolchain, Kubernetes, browser" $(MAKE) test-tools cluster-build $(RINGSIDE) browser
	@# Removes the test cluster that a killed test run left. Other instances may hold results that were not exported, so no test touches them.
	@$(E2E) cluster-down
	@$(UNCHANGED) $(MAKE) test-e2e-parts
	@cluster/timed.sh --report

.PHONY: browser test-e2e-parts test-e2e-browser test-e2e-images test-e2e-run
browser: toolchain
	@$(STEP) "a browser for tests" cluster/toolchain.sh tests

test-e2e-parts:
	@cluster/together.sh test-e2e-images test-e2e-browser
	@cluster/timed.sh "embedded cluster" sh -c 'cd cluster && go test -tags e2e -count=1 -timeout 20m ./e2e'
	@cluster/timed.sh "network policies" sh -c 'cd cluster && go test -tags e2e -count=1 -timeout 5m -run "Packets|Began" ./internal/policy' # with nft, which the cluster installed
	@cluster/timed.sh "experiments on the cluster" $(E2E) test-e2e-run

test-e2e-images:
	@cluster/timed.sh "images" $(E2E) images EXPERIMENT=

test-e2e-browser:
	@cluster/timed.sh "reports in a browser" go test -tags e2e -count=1 -run InBrowser ./operators/internal/report

test-e2e-run:
	@trap '$(KUBERNETES) down' EXIT; \
	  $(MAKE) ready EXPERIMENT=; \
	  $(STEP) "building helm" go tool helm version; \
	  E2E_INSTANCE=$(INSTANCE) E2E_REGISTRY=$(REGISTRY_PORT) go test -tags e2e -count=1 -timeout 45m -v ./operators/e2e/...

# RINGSIDE_NIGHTLY adds the end-to-end tests that test-e2e leaves out for time.
test-all: ## run make test, make test-e2e and all slow tests, in hours (needs root)
	@$(MAKE) test
	@RINGSIDE_NIGHTLY=yes $(MAKE) test-e2e
	@for target in test-killed test-long test-jdks stress-server simulate soak; do $(MAKE) $$target; done

# In its own cluster, which is removed, so that anything it leaves behind is found on the host.
SOAK := $(MAKE) INSTANCE=soak API_PORT=$(or $(strip $(API_PORT)),17201)
.PHONY: soak soak-run
soak: cluster-build test-tools ## kill parts of Ringside at random while experiments run, then check the results (KILLS, GAP, SEED)
	@$(UNCHANGED) $(SOAK) soak-run

soak-run: $(RINGSIDE)
	@trap '$(KUBERNETES) down' EXIT; \
	  $(MAKE) cluster-up; \
	  for document in http-workers udp-idle; do $(MAKE) images-load EXPERIMENT=$$document; done; \
	  $(BUILT); \
	  $(INSTALL) $(addprefix --profile ,$(ADAPTED)) --monitoring none; \
	  $(STEP) "building the soak" go build -o $(BIN)/soak ./operators/soak; \
	  $(BIN)/soak --state $(CLUSTER_STATE) --instance $(INSTANCE) --results build/soak --kills $(KILLS) --gap $(GAP) $(addprefix --seed ,$(strip $(SEED)))

.PHONY: count
count: ## print how large the repository is: tracked lines and files by kind, packages
	@.ci/count $(ARGS)

fuzz: toolchain ## run each fuzz test for FUZZTIME, a minute by default
	@FUZZTIME=$(FUZZTIME) operators/fuzz.sh

test-hosts: ## run make experiment EXPERIMENT=smoke on Debian 12, Debian 13 and Ubuntu 24.04, in root file systems of their own (HOSTS)
	@cluster/hosts/test.sh $(HOSTS)

test-vm: ## run make experiment EXPERIMENT=smoke in a booted Debian 12 with control groups version 2; hours without KVM (needs root, qemu-system-x86)
	@cluster/hosts/vm.sh

test-long: toolchain $(RINGSIDE) $(IMAGES) $(BIN)/promtool ## run the slow tests: registry, quotas, policies, lost nodes, Prometheus Operator, fuzz tests, other systems
	@$(STEP) "building Kubernetes, a registry, the Prometheus Operator" cluster/build.sh registry prometheus-operator
	@operators/fuzz.sh
	@RINGSIDE_LONG=yes go test -tags e2e -count=1 -p 1 -timeout 60m -v ./operators/e2e/registry ./operators/e2e/guarded ./images/internal/imagebuild
	@$(MAKE) test-hosts
