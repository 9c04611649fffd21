//go:build e2e

// Package registry runs what the README says of a cluster of one's own: on an embedded cluster that is treated as one, with a
// registry that its nodes pull from. make test-long
package registry

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An embedded cluster of the test's own, beside any other.
const (
	instance     = "ringside-registry"
	apiPort      = "16453"
	registryPort = "16500"
	host         = "localhost:" + registryPort
	images       = host + "/ringside"
	charts       = "oci://" + host + "/charts"
	namespace    = "ringside"
)

// desk is where a user sits: the clone, and a kubeconfig.
type desk struct {
	t    *testing.T
	root string
	env  []string
}

func TestAClusterOfOnesOwn(t *testing.T) {
	if os.Getenv("RINGSIDE_LONG") == "" {
		t.Skip("minutes on a cluster of its own: make test-long runs it")
	}
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	state := filepath.Join(t.TempDir(), "state")
	d := desk{t: t, root: root, env: append(os.Environ(), "KUBECONFIG="+filepath.Join(state, "kubeconfig"), "BASE=bootstrap")}
	cluster := func(args ...string) string {
		return d.run("build/bin/ringside-cluster", append([]string{"--instance", instance, "--state", state}, args...)...)
	}
	t.Cleanup(func() { cluster("down") })
	cluster("up", "--api-port", apiPort, "--registry", registryPort)

	for _, step := range []struct {
		name string
		test func(desk)
	}{
		{"MakeExperimentNeedsNoMoreThanARegistryAndAKubeconfig", runsTheExperiment},
		{"NodesRanExactlyWhatWasPushed", ranWhatWasPushed},
		{"NodesPullByDigest", pullsByDigest},
		{"ResultsAndTheirKindsOutliveTheOperator", outlivesTheOperator},
		{"TheOperatorIsInstalledFromARegistryOfCharts", installsFromTheRegistry},
		{"AnotherImageReplacesTheOperatorsPod", rollsTheOperator},
		{"AnUpgradeIsTakenBack", rollsBack},
	} {
		if !t.Run(step.name, func(t *testing.T) {
			mine := d
			mine.t = t
			step.test(mine)
		}) {
			t.FailNow() // each step stands on the one before
		}
	}
}

func runsTheExperiment(d desk) {
	d.run("make", "experiment", "CLUSTER=current", "REGISTRY="+images, "EXPERIMENT=smoke", "SERVER=disruptor", "OPS=200",
		"ARGS=--profile cluster/experiment-profile.yaml")
	file, err := os.Open(filepath.Join(d.root, "results/latest/measurements.csv"))
	require.NoError(d.t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(d.t, err)
	require.Len(d.t, rows, 1+2, "a write and a read")
	column := func(name string) int {
		for i, title := range rows[0] {
			if title == name {
				return i
			}
		}
		require.FailNow(d.t, "no column", name)
		return -1
	}
	for _, row := range rows[1:] {
		assert.Equal(d.t, "true", row[column("valid")], row[column("invalid_reasons")])
	}
}

type built struct {
	Name, Registry, Tag string
	Digests             []string
}

func (d desk) built() []built {
	content, err := os.ReadFile(filepath.Join(d.root, "build/images/manifest.json"))
	require.NoError(d.t, err)
	var manifest struct{ Images []built }
	require.NoError(d.t, json.Unmarshal(content, &manifest))
	return manifest.Images
}

func (d desk) image(name string) built {
	for _, image := range d.built() {
		if image.Name == name && image.Registry == images {
			return image
		}
	}
	require.FailNow(d.t, "not pushed", name)
	return built{}
}

// reference of an image as a node reports it.
func (i built) reference() string {
	return fmt.Sprintf("%s/ringside-%s@%s", i.Registry, i.Name, i.Digests[0])
}

func ranWhatWasPushed(d desk) {
	pushed := map[string]bool{}
	for _, image := range d.built() {
		if image.Registry == images {
			pushed[image.reference()] = true
		}
	}
	for _, within := range []string{namespace, "ringside-monitoring"} {
		ids := strings.Fields(d.kubectl("-n", within, "get", "pods", "-o", "jsonpath={.items[*].status.containerStatuses[*].imageID}"))
		require.NotEmpty(d.t, ids, within)
		for _, id := range ids {
			assert.True(d.t, pushed[id], "%s runs %s, which is none of %v", within, id, pushed)
		}
	}
}

func pullsByDigest(d desk) {
	reference := d.image("stress").reference()
	d.kubectl("run", "by-digest", "--image="+reference, "--image-pull-policy=Always", "--restart=Never", "--command", "--", "true")
	d.await(time.Minute, func() bool {
		return d.kubectl("get", "pod", "by-digest", "-o", "jsonpath={.status.containerStatuses[0].imageID}") == reference
	})
}

func outlivesTheOperator(d desk) {
	before := d.kubectl("-n", namespace, "get", "experiments,measurements", "-o", "name")
	require.Contains(d.t, before, "measurement")
	d.helm("uninstall", "ringside", "-n", namespace, "--wait")
	assert.Equal(d.t, before, d.kubectl("-n", namespace, "get", "experiments,measurements", "-o", "name"))
	assert.Empty(d.t, d.kubectl("-n", namespace, "get", "deployments,serviceaccounts,roles", "-l", "app.kubernetes.io/name=ringside", "-o", "name"))
}

func installsFromTheRegistry(d desk) {
	packages := d.t.TempDir()
	d.helm("package", "charts/ringside", "-d", packages)
	files, err := filepath.Glob(filepath.Join(packages, "*.tgz"))
	require.NoError(d.t, err)
	require.Len(d.t, files, 1)
	d.helm("push", files[0], charts, "--plain-http")
	d.helm("install", "ringside", charts+"/ringside", "--plain-http", "-n", namespace, "-f", "build/images/operator-values.json", "--wait", "--timeout", "3m")
	assert.Contains(d.t, d.kubectl("-n", namespace, "get", "measurements", "-o", "name"), "measurement", "those from before are its own now")
}

// operator is the image and the arguments of the operator's one pod.
func (d desk) operator() string {
	return d.kubectl("-n", namespace, "get", "pods", "-l", "app.kubernetes.io/component=operator", "--field-selector=status.phase=Running",
		"-o", "jsonpath={.items[*].spec.containers[0].image} {.items[*].spec.containers[0].args}")
}

func rollsTheOperator(d desk) {
	operator := d.image("operator")
	d.retag("ringside/ringside-operator", operator.Tag, "another")
	d.helm("upgrade", "ringside", charts+"/ringside", "--plain-http", "-n", namespace, "--reset-then-reuse-values", "--set", "image.tag=another,verbose=true", "--wait", "--timeout", "3m")
	d.await(time.Minute, func() bool {
		now := d.operator()
		return strings.HasPrefix(now, images+"/ringside-operator:another ") && strings.Contains(now, "--verbose=true")
	})
}

func rollsBack(d desk) {
	d.helm("rollback", "ringside", "1", "-n", namespace, "--wait", "--timeout", "3m")
	d.await(time.Minute, func() bool {
		now := d.operator()
		return strings.HasPrefix(now, images+"/ringside-operator:"+d.image("operator").Tag+" ") && strings.Contains(now, "--verbose=false")
	})
}

// retag gives what the registry holds under a tag another one, as a build of another day would.
func (d desk) retag(repository, tag, another string) {
	url := fmt.Sprintf("http://%s/v2/%s/manifests/", host, repository)
	question, err := http.NewRequest(http.MethodGet, url+tag, nil)
	require.NoError(d.t, err)
	question.Header.Set("Accept", "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json")
	answer, err := http.DefaultClient.Do(question)
	require.NoError(d.t, err)
	defer answer.Body.Close()
	require.Equal(d.t, http.StatusOK, answer.StatusCode)
	manifest, err := io.ReadAll(answer.Body)
	require.NoError(d.t, err)
	request, err := http.NewRequest(http.MethodPut, url+another, bytes.NewReader(manifest))
	require.NoError(d.t, err)
	request.Header.Set("Content-Type", answer.Header.Get("Content-Type"))
	put, err := http.DefaultClient.Do(request)
	require.NoError(d.t, err)
	defer put.Body.Close()
	require.Equal(d.t, http.StatusCreated, put.StatusCode)
}

func (d desk) helm(args ...string) string { return d.run("build/bin/helm", args...) }

func (d desk) kubectl(args ...string) string { return d.run("build/bin/kube/kubectl", args...) }

// run calls a program from the clone's root, as a user does, and returns what it prints to its standard output.
func (d desk) run(program string, args ...string) string {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute) // not the test's: it also takes the cluster down
	defer cancel()
	if strings.Contains(program, "/") {
		program = filepath.Join(d.root, program)
	}
	command := exec.CommandContext(ctx, program, args...)
	command.Dir, command.Env = d.root, d.env
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr = &out, &problems
	started := time.Now()
	err := command.Run()
	d.t.Logf("%.1f s: %s %s", time.Since(started).Seconds(), filepath.Base(program), strings.Join(args, " "))
	require.NoError(d.t, err, "%s%s", &out, &problems)
	return strings.TrimSpace(out.String())
}

func (d desk) await(limit time.Duration, holds func() bool) {
	d.t.Helper()
	require.Eventually(d.t, holds, limit, time.Second)
}
