//go:build e2e

// Package registry runs what the README says of a cluster of one's own: on an embedded cluster that is treated as one, with a
// registry that nobody pushes to or pulls from without a login. make test-long
package registry

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/e2e/desk"
)

const (
	namespace  = "ringside"
	monitoring = "ringside-monitoring"
	// pull is the Secret by which nodes log in to the registry.
	pull = "pull"
)

func TestAClusterOfOnesOwn(t *testing.T) {
	d := desk.New(t, "ringside-registry", 16453, 16500, &desk.Login{User: "somebody", Password: "s3cret of a test"})
	for _, within := range []string{namespace, monitoring} {
		d.Kubectl("create", "namespace", within)
		d.PullSecret(within, pull)
	}
	for _, step := range []struct {
		name string
		test func(desk.Desk)
	}{
		{"MakeExperimentNeedsNoMoreThanARegistryALoginToItAndAKubeconfig", runsTheExperiment},
		{"NodesRanExactlyWhatWasPushed", ranWhatWasPushed},
		{"NodesPullByDigestAndOnlyWithTheSecret", pullsByDigest},
		{"ResultsAndTheirKindsOutliveTheOperator", outlivesTheOperator},
		{"TheOperatorIsInstalledFromARegistryOfCharts", installsFromTheRegistry},
		{"AnotherImageReplacesTheOperatorsPod", rollsTheOperator},
		{"MakeInstallKeepsWhatHelmUpgradeSet", keepsWhatHelmSet},
		{"AnUpgradeIsTakenBack", rollsBack},
	} {
		if !d.Step(step.name, step.test) {
			t.FailNow() // each step stands on the one before
		}
	}
}

func runsTheExperiment(d desk.Desk) {
	d.Run("make", "experiment", "CLUSTER=current", "REGISTRY="+d.Images(), "PULL_SECRET="+pull, "EXPERIMENT=smoke", "SERVER=disruptor", "OPS=200",
		"PROFILE=cluster/experiment-profile.yaml")
	file, err := os.Open(filepath.Join(d.Root, "results/latest/measurements.csv"))
	require.NoError(d.T, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(d.T, err)
	require.Len(d.T, rows, 1+2, "a write and a read")
	column := func(name string) int {
		for i, title := range rows[0] {
			if title == name {
				return i
			}
		}
		require.FailNow(d.T, "no column", name)
		return -1
	}
	for _, row := range rows[1:] {
		assert.Equal(d.T, "true", row[column("valid")], row[column("invalid_reasons")])
	}
}

func ranWhatWasPushed(d desk.Desk) {
	pushed := map[string]bool{}
	for _, image := range d.Built() {
		if image.Registry == d.Images() {
			pushed[image.Reference()] = true
		}
	}
	for _, within := range []string{namespace, monitoring} {
		ids := strings.Fields(d.Kubectl("-n", within, "get", "pods", "-o", "jsonpath={.items[*].status.containerStatuses[*].imageID}"))
		require.NotEmpty(d.T, ids, within)
		for _, id := range ids {
			assert.True(d.T, pushed[id], "%s runs %s, which is none of %v", within, id, pushed)
		}
	}
}

func pullsByDigest(d desk.Desk) {
	reference := d.Image("stress").Reference()
	run := func(name string, more ...string) {
		d.Kubectl(append([]string{"-n", namespace, "run", name, "--image=" + reference, "--image-pull-policy=Always", "--restart=Never", "--command"}, append(more, "--", "true")...)...)
	}
	told := func(name, path string) string {
		return d.Kubectl("-n", namespace, "get", "pod", name, "-o", "jsonpath={.status.containerStatuses[0]."+path+"}")
	}
	run("by-digest", `--overrides={"spec":{"imagePullSecrets":[{"name":"`+pull+`"}]}}`)
	run("without")
	d.Await(time.Minute, func() bool { return told("by-digest", "imageID") == reference })
	d.Await(time.Minute, func() bool {
		return strings.Contains(strings.ToLower(told("without", "state.waiting.message")), "authoriz")
	}) // containerd words it as its version has it
	d.Kubectl("-n", namespace, "delete", "pod", "by-digest", "without")
}

func outlivesTheOperator(d desk.Desk) {
	before := d.Kubectl("-n", namespace, "get", "experiments,measurements", "-o", "name")
	require.Contains(d.T, before, "measurement")
	d.Helm("uninstall", "ringside", "-n", namespace, "--wait")
	assert.Equal(d.T, before, d.Kubectl("-n", namespace, "get", "experiments,measurements", "-o", "name"))
	assert.Empty(d.T, d.Kubectl("-n", namespace, "get", "deployments,serviceaccounts,roles", "-l", "app.kubernetes.io/name=ringside", "-o", "name"))
}

func installsFromTheRegistry(d desk.Desk) {
	d.PushChart("ringside")
	d.Helm("install", "ringside", d.Charts()+"/ringside", "--plain-http", "-n", namespace, "-f", "build/images/operator-values.json",
		"--set", "imagePullSecrets[0].name="+pull, "--wait", "--timeout", "3m")
	assert.Contains(d.T, d.Kubectl("-n", namespace, "get", "measurements", "-o", "name"), "measurement", "those from before are its own now")
}

// operator is the image and the arguments of the operator's one pod.
func operator(d desk.Desk) string {
	return d.Kubectl("-n", namespace, "get", "pods", "-l", "app.kubernetes.io/component=operator", "--field-selector=status.phase=Running",
		"-o", "jsonpath={.items[*].spec.containers[0].image} {.items[*].spec.containers[0].args}")
}

func rollsTheOperator(d desk.Desk) {
	retag(d, "ringside/ringside-operator", d.Image("operator").Tag, "another")
	d.Helm("upgrade", "ringside", d.Charts()+"/ringside", "--plain-http", "-n", namespace, "--reset-then-reuse-values", "--set", "image.tag=another,verbose=true", "--wait", "--timeout", "3m")
	d.Await(time.Minute, func() bool {
		now := operator(d)
		return strings.HasPrefix(now, d.Images()+"/ringside-operator:another ") && strings.Contains(now, "--verbose=true")
	})
}

func keepsWhatHelmSet(d desk.Desk) {
	d.Run("make", "install", "CLUSTER=current", "PROFILE=cluster/experiment-profile.yaml", "PULL_SECRET="+pull)
	d.Await(time.Minute, func() bool {
		now := operator(d)
		return strings.HasPrefix(now, d.Images()+"/ringside-operator:"+d.Image("operator").Tag+" ") && strings.Contains(now, "--verbose=true")
	})
}

func rollsBack(d desk.Desk) {
	d.Helm("rollback", "ringside", "1", "-n", namespace, "--wait", "--timeout", "3m")
	d.Await(time.Minute, func() bool {
		now := operator(d)
		return strings.HasPrefix(now, d.Images()+"/ringside-operator:"+d.Image("operator").Tag+" ") && strings.Contains(now, "--verbose=false")
	})
}

// retag gives what the registry holds under a tag another one, as a build of another day would.
func retag(d desk.Desk, repository, tag, another string) {
	url := fmt.Sprintf("http://%s/v2/%s/manifests/", d.Registry, repository)
	question, err := http.NewRequest(http.MethodGet, url+tag, nil)
	require.NoError(d.T, err)
	question.Header.Set("Accept", "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json")
	answer := d.Ask(question)
	defer answer.Body.Close()
	require.Equal(d.T, http.StatusOK, answer.StatusCode)
	manifest, err := io.ReadAll(answer.Body)
	require.NoError(d.T, err)
	request, err := http.NewRequest(http.MethodPut, url+another, bytes.NewReader(manifest))
	require.NoError(d.T, err)
	request.Header.Set("Content-Type", answer.Header.Get("Content-Type"))
	put := d.Ask(request)
	defer put.Body.Close()
	require.Equal(d.T, http.StatusCreated, put.StatusCode)
}
