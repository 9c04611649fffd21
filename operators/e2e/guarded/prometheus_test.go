//go:build e2e

package guarded

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/prometheus/client_golang/api"
	promv1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/metrics"
)

const (
	// operated is where the cluster's own Prometheus runs, and stack the label by which it selects, as kube-prometheus-stack has it.
	operated = "operated"
	stack    = "stack"
	asked    = "16554" // the port of 127.0.0.1 at which it answers
)

// scrapedByTheOperators: the real CRDs take what charts/monitoring makes, the real operator makes a configuration of it, and a real Prometheus
// has a load's figures under the labels that rules and dashboards ask for.
func scrapedByTheOperators(h house) {
	const project = "github.com/prometheus-operator/prometheus-operator"
	module := h.Run("go", "-C", "build/tools/prometheus-operator", "list", "-m", "-f", "{{.Dir}}", project)
	h.Kubectl("apply", "--server-side", "-f", filepath.Join(module, "example/prometheus-operator-crd"))
	h.Kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=1m")
	h.guard(operated)
	h.operate(h.pushProgram("prometheus-config-reloader"))

	h.Helm("install", "shown", "charts/monitoring", "-n", monitoring, "--set",
		fmt.Sprintf("prometheusOperator.enabled=true,prometheusOperator.labels.release=%s,namespaces={%s}", stack, runs))
	h.runPrometheus()
	h.checkConfiguration()

	name := h.start(runs, phases(echo("echo", 12*time.Second)))
	h.complete(runs, name, 4*time.Minute)
	h.Cluster("forward", operated, asked, "prometheus-operated."+operated+".svc.cluster.local:9090")
	client, err := api.NewClient(api.Config{Address: "http://127.0.0.1:" + asked})
	require.NoError(h.T, err)
	prometheus := promv1.NewAPI(client)
	run := h.experiment(runs, name).RunID()
	for _, test := range []struct{ metric, job, instance string }{
		{metrics.LoadOperations, "ringside-load", "load-0"},
		{"scrape_samples_scraped", "ringside-store", ""},
	} {
		query := fmt.Sprintf(`max_over_time(%s{job=%q, %s=%q}[10m])`, test.metric, test.job, metrics.LabelRun, run)
		answer, _, _, err := prometheus.Query(h.ctx, query, time.Now())
		require.NoError(h.T, err, query)
		series, _ := answer.(model.Vector)
		require.NotEmpty(h.T, series, query)
		for _, sample := range series {
			assert.Positive(h.T, float64(sample.Value), sample.Metric)
			if test.instance != "" {
				assert.Equal(h.T, test.instance, string(sample.Metric["instance"]))
				assert.Empty(h.T, sample.Metric["pod"], "the name of a load's pod, which no two phases share, is in no label")
			}
		}
	}
	rules, err := prometheus.Rules(h.ctx, nil)
	require.NoError(h.T, err)
	require.Len(h.T, rules.Groups, 3)
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			switch rule := rule.(type) {
			case promv1.RecordingRule:
				assert.Equal(h.T, promv1.RuleHealthGood, string(rule.Health), "%s: %s", rule.Name, rule.LastError)
			case promv1.AlertingRule:
				assert.Equal(h.T, promv1.RuleHealthGood, string(rule.Health), "%s: %s", rule.Name, rule.LastError)
			}
		}
	}
	h.Helm("uninstall", "shown", "-n", monitoring)
}

// pushProgram of build/bin as an image with nothing but that in /bin.
func (h house) pushProgram(program string) string {
	h.T.Helper()
	content, err := os.ReadFile(filepath.Join(h.Root, "build/bin", program))
	require.NoError(h.T, err)
	var archive bytes.Buffer
	writer := tar.NewWriter(&archive)
	require.NoError(h.T, writer.WriteHeader(&tar.Header{Name: "bin/" + program, Typeflag: tar.TypeReg, Mode: 0o755, Size: int64(len(content))}))
	_, err = writer.Write(content)
	require.NoError(h.T, err)
	require.NoError(h.T, writer.Close())
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(archive.Bytes())), nil })
	require.NoError(h.T, err)
	image, err := mutate.AppendLayers(empty.Image, layer)
	require.NoError(h.T, err)
	config, err := image.ConfigFile()
	require.NoError(h.T, err)
	config.OS, config.Architecture, config.Config.User = "linux", runtime.GOARCH, "65534:65534"
	image, err = mutate.ConfigFile(image, config)
	require.NoError(h.T, err)
	reference := h.Images() + "/" + program + ":tried"
	tag, err := name.NewTag(reference)
	require.NoError(h.T, err)
	require.NoError(h.T, remote.Write(tag, image))
	return reference
}

// operate runs the Prometheus Operator beside the cluster until the test ends.
func (h house) operate(reloader string) {
	h.T.Helper()
	var said bytes.Buffer
	operator := exec.Command(filepath.Join(h.Root, "build/bin/prometheus-operator"), "--prometheus-config-reloader="+reloader, "--web.listen-address=127.0.0.1:0")
	operator.Env = h.Environment()
	operator.Stdout, operator.Stderr = &said, &said
	require.NoError(h.T, operator.Start())
	h.T.Cleanup(func() {
		_ = operator.Process.Kill()
		_ = operator.Wait()
		if h.T.Failed() {
			h.T.Logf("the Prometheus Operator said:\n%s", &said)
		}
	})
}

// runPrometheus as kube-prometheus-stack has it run: one that selects monitors and rules of all namespaces by a label.
func (h house) runPrometheus() {
	h.T.Helper()
	image := h.Image("prometheus")
	h.ApplyYAML(fmt.Sprintf(`
apiVersion: v1
kind: ServiceAccount
metadata: {name: %[1]s, namespace: %[2]s}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: %[1]s, namespace: %[3]s}
rules: [{apiGroups: [""], resources: [pods], verbs: [get, list, watch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: %[1]s, namespace: %[3]s}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: %[1]s}
subjects: [{kind: ServiceAccount, name: %[1]s, namespace: %[2]s}]
---
# Its namespace lets nobody in, and who asks it here comes from a node.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: %[1]s, namespace: %[2]s}
spec:
  podSelector: {matchLabels: {app.kubernetes.io/name: prometheus}}
  ingress: [{ports: [{port: 9090}]}]
---
apiVersion: monitoring.coreos.com/v1
kind: Prometheus
metadata: {name: %[1]s, namespace: %[2]s}
spec:
  image: %[4]s/ringside-prometheus:%[5]s
  version: v%[6]s
  serviceAccountName: %[1]s
  podMonitorSelector: &ours {matchLabels: {release: %[1]s}}
  podMonitorNamespaceSelector: {}
  ruleSelector: *ours
  ruleNamespaceSelector: {}
  resources: {requests: {memory: 128Mi}}
  securityContext: {runAsNonRoot: true, runAsUser: 65534, runAsGroup: 65534, fsGroup: 65534, seccompProfile: {type: RuntimeDefault}}
`, stack, operated, runs, image.Registry, image.Tag, image.Version))
	ready := func() bool {
		return h.Kubectl("-n", operated, "get", "statefulsets", "-o", "jsonpath={.items[*].status.readyReplicas}") == "1"
	}
	if !assert.Eventually(h.T, ready, 3*time.Minute, time.Second) {
		h.T.Log(h.Kubectl("-n", operated, "get", "pods,events", "-o", "wide"))
		h.T.FailNow()
	}
}

// checkConfiguration that the operator made.
func (h house) checkConfiguration() {
	h.T.Helper()
	var config []byte
	h.Await(time.Minute, func() bool {
		config = h.configuration()
		missing := false
		for _, job := range []string{"ringside-load", "ringside-store", "ringside-operator"} {
			missing = missing || !bytes.Contains(config, []byte("job_name: podMonitor/"+monitoring+"/"+job+"/0"))
		}
		return !missing
	})
	path := filepath.Join(h.T.TempDir(), "prometheus.yaml")
	require.NoError(h.T, os.WriteFile(path, config, 0o600))
	h.Run("build/bin/promtool", "check", "config", "--syntax-only", path)
}

func (h house) configuration() []byte {
	h.T.Helper()
	encoded := h.Kubectl("-n", operated, "get", "secret", "prometheus-"+stack, "-o", `jsonpath={.data.prometheus\.yaml\.gz}`)
	packed, err := base64.StdEncoding.DecodeString(encoded)
	require.NoError(h.T, err)
	unpack, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(h.T, err)
	config, err := io.ReadAll(unpack)
	require.NoError(h.T, err)
	return config
}
