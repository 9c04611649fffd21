//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/e2e/desk"
)

// Two stores side by side in the operator's namespace, a load pod of the first, and a stranger in another namespace. The embedded
// cluster refuses what a policy forbids with "no route to host", which is never said of a port that is merely closed.
func TestPoliciesOfTheChartsLetInWhomTheyNameAndNobodyElse(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	h := house{ctx, t}
	image := h.image("stub")
	h.installStub("near", image)
	h.installStub("far", image)
	load := h.startPod(namespace, "policy-load", image, map[string]string{"ringside.dev/measurement": "policy", "ringside.dev/release-near": "true"})
	free := h.startPod(namespace, "policy-free", image, map[string]string{"ringside.dev/measurement": "policy", "ringside.dev/release-elsewhere": "true"})
	stranger := h.startPod("default", "policy-stranger", image, nil)
	// As a node of Cassandra, and one that is none: their policy is the chart's.
	h.apply(h.policies("cassandra", "ring"))
	ring := map[string]string{"app.kubernetes.io/name": "cassandra", "app.kubernetes.io/instance": "ring", "app.kubernetes.io/component": "store"}
	node := h.startPod(namespace, "policy-node", image, ring)

	const nearServer, farServer = "near-disruptor.ringside.svc.cluster.local:9090", "far-disruptor.ringside.svc.cluster.local:9090"
	const api = "kubernetes.default.svc.cluster.local:443"
	const prometheus = "monitoring-prometheus.ringside-monitoring.svc.cluster.local:9090"
	apiAddress := h.must("kube/kubectl", "--namespace", "default", "get", "service", "kubernetes", "-o", "jsonpath={.spec.clusterIP}") + ":443"
	dns := h.must("kube/kubectl", "--namespace", "kube-system", "get", "service", "kube-dns", "-o", "jsonpath={.spec.clusterIP}") + ":53"
	near, ringNode := h.address(namespace, "near-0"), h.address(namespace, "policy-node")
	operator := h.address(namespace, "-l", "app.kubernetes.io/name=ringside,app.kubernetes.io/component=operator")
	store := pod{namespace, "near-0"}
	for _, try := range []struct {
		name string
		from pod
		to   string
		want verdict
	}{
		{"a load pod finds its store by name", load, nearServer, allowed},
		{"a load pod asks no other store", load, farServer, denied},
		{"a load pod reports to the API server", load, api, allowed},
		{"a load pod reads no metrics of its store", load, near + ":9404", denied},
		{"a load pod asks for names", load, dns, allowed},
		{"a load pod speaks to nobody else's pods", load, h.address("default", "policy-stranger") + ":9999", denied},
		{"a load pod speaks to no other load pod", load, h.address(namespace, "policy-free") + ":9999", denied},
		{"a load pod that drives no store of ours may", free, h.address("default", "policy-stranger") + ":9999", allowed},
		{"a stranger asks no store", stranger, nearServer, denied},
		{"a stranger does not see a store's health", stranger, near + ":8080", denied},
		{"a stranger asks no Prometheus", stranger, prometheus, denied},
		{"a load pod asks no Prometheus", load, prometheus, denied},
		{"a stranger reads no metrics of the operator", stranger, operator + ":9401", denied},
		{"a stranger reads no metrics of a load pod", stranger, h.address(namespace, "policy-load") + ":9400", denied},
		{"a stranger may still find the API server", stranger, api, allowed},
		{"a store does not ask the API server", store, apiAddress, denied},
		{"a store asks no other store", store, h.address(namespace, "far-0") + ":9090", denied},
		{"a store does not even ask for names", store, dns, denied},
		{"a node of Cassandra asks for names", node, dns, allowed},
		{"a node of Cassandra does not ask the API server", node, apiAddress, denied},
		{"a node of Cassandra asks no other store", node, near + ":9090", denied},
		{"nobody but its nodes speaks to a node of Cassandra", load, ringNode + ":7000", denied},
	} {
		t.Run(try.name, func(t *testing.T) {
			h := house{ctx, t}
			h.awaitVerdict(try.want, try.from, try.to)
		})
	}
	t.Run("a node of Cassandra resolves names over UDP", func(t *testing.T) {
		address, _, _ := strings.Cut(apiAddress, ":")
		assert.Contains(t, h.inPod(node, "getent hosts kubernetes.default.svc.cluster.local"), address)
	})
	t.Run("Prometheus reads the metrics of a store", func(t *testing.T) {
		h.awaitUp(`up{pod="near-0",job="ringside-store"} == 1`)
	})
}

type verdict string

const (
	allowed verdict = "allowed" // connected, or refused by a host where nothing listens
	denied  verdict = "denied"
)

type pod struct{ namespace, name string }

func (p pod) String() string { return p.namespace + "/" + p.name }

// house is what a test does to the cluster as a user would: by kubectl and helm.
type house struct {
	ctx context.Context
	t   *testing.T
}

func (h house) run(input, name string, arguments ...string) (string, error) {
	process := exec.CommandContext(h.ctx, program(h.t, name), arguments...)
	process.Dir = root
	process.Stdin = strings.NewReader(input)
	var complaint bytes.Buffer
	process.Stderr = &complaint
	out, err := process.Output()
	if err != nil {
		err = fmt.Errorf("%s %v: %w: %s", name, arguments, err, complaint.String())
	}
	return string(out), err
}

func (h house) must(name string, arguments ...string) string {
	h.t.Helper()
	out, err := h.run("", name, arguments...)
	require.NoError(h.t, err)
	return out
}

// helm calls the helm command as the tests on a cluster of their own do.
func (h house) helm(arguments ...string) string {
	h.t.Helper()
	return desk.Desk{T: h.t, Root: root}.Helm(arguments...)
}

func (h house) apply(manifest string) {
	h.t.Helper()
	_, err := h.run(manifest, "kube/kubectl", "--namespace", namespace, "apply", "-f", "-")
	require.NoError(h.t, err)
	h.t.Cleanup(func() {
		h.ctx = context.WithoutCancel(h.ctx)
		_, err := h.run(manifest, "kube/kubectl", "--namespace", namespace, "delete", "--grace-period=1", "--wait=false", "-f", "-")
		assert.NoError(h.t, err)
	})
}

// image is the reference under which the embedded cluster has one of ours.
func (h house) image(name string) string {
	h.t.Helper()
	var values struct {
		Image  struct{ Registry, Tag string }
		Images struct {
			Digests map[string]struct{ Tag string }
		}
	}
	require.NoError(h.t, json.Unmarshal([]byte(h.must("ringside-images", "values", "operator")), &values))
	tag := values.Images.Digests[name].Tag
	require.NotEmpty(h.t, tag, "the image %s is not built: run `make ready EXPERIMENT=`", name)
	if values.Image.Registry == "" {
		values.Image.Registry = "ringside.local"
	}
	return values.Image.Registry + "/ringside-" + name + ":" + tag
}

func (h house) installStub(release, image string) {
	h.t.Helper()
	_, tag, _ := strings.Cut(image, ":")
	h.t.Cleanup(func() { h.helm("uninstall", release, "--namespace", namespace) })
	h.helm("install", release, "charts/stub", "--namespace", namespace, "--wait", "--timeout", "2m",
		"--set", "image.tag="+tag+",metrics.enabled=true,heap.max=64M,resources.requests.memory=128Mi,terminationGracePeriodSeconds=1")
}

func (h house) render(chart, release, template string) string {
	h.t.Helper()
	return h.helm("template", release, "charts/"+chart, "--namespace", namespace, "--show-only", template)
}

// policies returns the network policies of a store's chart.
func (h house) policies(chart, release string) string {
	h.t.Helper()
	var policies []string
	for object := range strings.SplitSeq(h.render(chart, release, "templates/store.yaml"), "\n---\n") {
		if strings.Contains("\n"+object, "\nkind: NetworkPolicy\n") {
			policies = append(policies, object)
		}
	}
	require.NotEmpty(h.t, policies)
	return strings.Join(policies, "\n---\n")
}

func (h house) startPod(namespace, name, image string, labels map[string]string) pod {
	h.t.Helper()
	manifest, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"namespace": namespace, "name": name, "labels": labels},
		"spec": map[string]any{
			"automountServiceAccountToken": false, "terminationGracePeriodSeconds": 1,
			"securityContext": map[string]any{"runAsNonRoot": true, "seccompProfile": map[string]any{"type": "RuntimeDefault"}},
			"containers": []any{map[string]any{
				"name": "sleeper", "image": image, "imagePullPolicy": "Never", "command": []string{"sleep", "600"},
				"securityContext": map[string]any{
					"allowPrivilegeEscalation": false, "readOnlyRootFilesystem": true, "capabilities": map[string]any{"drop": []string{"ALL"}},
				},
			}},
		},
	})
	require.NoError(h.t, err)
	_, err = h.run(string(manifest), "kube/kubectl", "apply", "-f", "-")
	require.NoError(h.t, err)
	h.t.Cleanup(func() {
		h.ctx = context.WithoutCancel(h.ctx)
		_, err := h.run("", "kube/kubectl", "--namespace", namespace, "delete", "pod", name, "--grace-period=1", "--wait=false")
		assert.NoError(h.t, err)
	})
	h.must("kube/kubectl", "--namespace", namespace, "wait", "--for=condition=Ready", "pod/"+name, "--timeout=60s")
	return pod{namespace, name}
}

func (h house) address(namespace string, which ...string) string {
	h.t.Helper()
	arguments := append([]string{"--namespace", namespace, "get", "pod", "-o", `jsonpath={..podIP}`}, which...)
	return h.must("kube/kubectl", arguments...)
}

func (h house) inPod(p pod, script string) string {
	h.t.Helper()
	return h.must("kube/kubectl", "--namespace", p.namespace, "exec", p.name, "--", "bash", "-c", script)
}

// dial connects from the pod.
func (h house) dial(from pod, to string) verdict {
	h.t.Helper()
	host, port, _ := strings.Cut(to, ":")
	script := fmt.Sprintf("timeout 10 bash -c 'exec 3<>/dev/tcp/%s/%s' 2>&1 && echo connected; true", host, port)
	said := h.inPod(from, script)
	switch {
	case strings.Contains(said, "No route to host"):
		return denied
	case strings.Contains(said, "connected"), strings.Contains(said, "Connection refused"):
		return allowed
	}
	require.FailNow(h.t, "neither connected nor refused", "%s to %s: %s", from, to, said)
	return ""
}

// awaitVerdict gives the nodes the moment that they need to learn of a new pod: of what it may do, that is, not of what it may not.
func (h house) awaitVerdict(want verdict, from pod, to string) {
	h.t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		found := h.dial(from, to)
		if found == want {
			return
		}
		require.True(h.t, time.Now().Before(deadline), "%s to %s: %s", from, to, found)
		pause(h.ctx, h.t)
	}
}

// awaitUp waits for the next scrapes.
func (h house) awaitUp(query string) {
	h.t.Helper()
	address := forwardPrometheus(h.ctx, h.t)
	for {
		if answer := ask(h.ctx, h.t, address, query); len(answer) > 0 {
			return
		}
		pause(h.ctx, h.t)
	}
}
