package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yannh/kubeconform/pkg/validator"
	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	releasev1 "helm.sh/helm/v4/pkg/release/v1"

	"ringside.dev/ringside/operators/internal/document"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/source"
	"ringside.dev/ringside/operators/internal/storechart"
	"ringside.dev/ringside/operators/internal/validation"
)

const house = "../../../.."

// releases are the newest patches, when they were added, of the oldest Kubernetes versions that the charts support, and of the newest. The module of Kubernetes contains its OpenAPI document; sum is
// the module's checksum, as in a go.sum.
var releases = []struct{ version, sum string }{
	{"v1.33.13", "h1:bmH31xUdSzeA5vk0wZAK9MZp11mdLuzUSeKk0qN3hPQ="},
	{"v1.34.4", "h1:Yy6R4QB8C9kJPp25GFqEvX5XQwY5qzKeqD0Xx6oAcmk="},
	{"v1.37.2", "h1:A2VDEiObzkYqFTKhSsn0ZEb0RlLEXpHWj93gi2HqEwE="},
}

func TestEverySupportedKubernetesAcceptsWhatTheChartsRender(t *testing.T) {
	for _, release := range releases {
		t.Run(release.version, func(t *testing.T) {
			schemas := t.TempDir()
			files, err := Schemas(openapiOf(t, release.version, release.sum))
			require.NoError(t, err)
			for name, text := range files {
				require.NoError(t, os.WriteFile(filepath.Join(schemas, name), text, 0o600))
			}
			// Without a schema: the Prometheus Operator's kinds, which are not Kubernetes'.
			skip := map[string]struct{}{}
			for _, kind := range []string{"ServiceMonitor", "PodMonitor", "PrometheusRule"} {
				skip["monitoring.coreos.com/v1/"+kind] = struct{}{}
			}
			validate, err := validator.New([]string{schemas + "/{{ .ResourceKind }}{{ .KindSuffix }}.json"}, validator.Opts{Strict: true, SkipKinds: skip})
			require.NoError(t, err)

			assertInvalid(t, validate)
			valid := 0
			for name, manifest := range manifests(t, release.version) {
				for _, result := range validate.Validate(name, io.NopCloser(strings.NewReader(manifest))) {
					switch result.Status {
					case validator.Valid:
						valid++
					case validator.Skipped, validator.Empty:
					default:
						t.Errorf("%s: %v\n%s", name, result.Err, result.Resource.Bytes)
					}
				}
			}
			assert.Greater(t, valid, 200)
		})
	}
}

// assertInvalid checks that the schemas are in use and strict.
func assertInvalid(t *testing.T, validate validator.Validator) {
	t.Helper()
	const service = "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 1, %s: tcp}]}}"
	for field, status := range map[string]validator.Status{"name": validator.Valid, "nmae": validator.Invalid} {
		results := validate.Validate(field, io.NopCloser(strings.NewReader(fmt.Sprintf(service, field))))
		require.Len(t, results, 1)
		assert.Equal(t, status, results[0].Status, "%s: %v", field, results[0].Err)
	}
}

// openapiOf returns Kubernetes' OpenAPI document of a version, from its Go module.
func openapiOf(t *testing.T, version, sum string) []byte {
	t.Helper()
	download := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", "k8s.io/kubernetes@"+version)
	download.Dir = t.TempDir() // outside of any module: the requirements of Kubernetes are not wanted
	var problems bytes.Buffer
	download.Stderr = &problems
	out, err := download.Output()
	require.NoError(t, err, "%s%s", out, &problems)
	var module struct{ Dir, Sum string }
	require.NoError(t, json.Unmarshal(out, &module))
	require.Equal(t, sum, module.Sum, "checksum of k8s.io/kubernetes %s", version)
	text, err := os.ReadFile(filepath.Join(module.Dir, "api/openapi-spec/swagger.json"))
	require.NoError(t, err)
	return text
}

// manifests returns all that the charts render: the stores with the values of all experiments, the others with values that render all of their objects.
func manifests(t *testing.T, version string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for chart, variants := range map[string][]string{
		"ringside":   {`{}`, `{"leaderElection": {"enabled": true}, "replicas": 2, "imagePullSecrets": [{"name": "ours"}], "runAs": 0}`},
		"monitoring": {`{"namespaces": ["ringside"]}`, `{"namespaces": ["ringside"], "prometheusOperator": {"enabled": true}}`},
	} {
		loaded, err := loader.Load(filepath.Join(house, "charts", chart))
		require.NoError(t, err)
		for i, text := range variants {
			var values map[string]any
			require.NoError(t, json.Unmarshal([]byte(text), &values))
			all[fmt.Sprintf("%s/%d", chart, i)] = render(t, loaded, values, version)
		}
	}
	experiments, err := filepath.Glob(filepath.Join(house, "experiments/*.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, experiments)
	for _, file := range experiments {
		for name, manifest := range stores(t, file, version) {
			all[name] = manifest
		}
	}
	return all
}

// stores returns the manifests of all installations of an experiment file.
func stores(t *testing.T, file, version string) map[string]string {
	t.Helper()
	charts := filepath.Join(house, "charts")
	documents, err := document.Read(source.OnDisk(file))
	require.NoError(t, err)
	api, err := document.ReadAPI(source.Dir(charts))
	require.NoError(t, err)
	all := map[string]string{}
	for _, d := range documents {
		faults, err := api.Complete(t.Context(), d)
		require.NoError(t, err)
		require.Empty(t, faults)
		experiment, err := d.Experiment()
		require.NoError(t, err)
		chart, err := storechart.NewCatalogue(charts).Open(experiment.Spec.Store.Chart)
		require.NoError(t, err)
		for i, installation := range plan.Build(experiment, 0).Stores {
			if installation.Round > 1 || installation.Installation > 1 {
				break // rounds and installations differ only in their order
			}
			for _, release := range installation.Releases {
				values, err := validation.StoreValues(experiment.Spec, release, chart.Images(storechart.SomeImages()))
				require.NoError(t, err)
				all[fmt.Sprintf("%s/%d/%s", filepath.Base(file), i, release.Servers[0])] = render(t, chart.Helm(), values, version)
			}
		}
	}
	return all
}

func render(t *testing.T, chart *chartv2.Chart, values map[string]any, version string) string {
	t.Helper()
	install := action.NewInstall(action.NewConfiguration())
	install.ReleaseName, install.Namespace = "trial", "ringside"
	install.DryRunStrategy, install.IncludeCRDs = action.DryRunClient, true
	var err error
	install.KubeVersion, err = common.ParseKubeVersion(version)
	require.NoError(t, err)
	rendered, err := install.RunWithContext(t.Context(), chart, values)
	require.NoError(t, err)
	release, ok := rendered.(*releasev1.Release)
	require.True(t, ok)
	manifest := release.Manifest
	for _, hook := range release.Hooks {
		manifest += "\n---\n" + hook.Manifest
	}
	return manifest
}
