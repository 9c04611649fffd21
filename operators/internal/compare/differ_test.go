package compare

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
)

// whole is a run with all that is known of one.
func whole() *archive.Run {
	run := runOf(rates("hsha", "hsha", 1000, 1010, 990))
	run.Measurements = map[string]*v1alpha1.Measurement{}
	for i := range run.Rows {
		row := &run.Rows[i]
		row.Keys, row.Pods, row.OpsPlanned, row.Measurement = 1000, 1, results.Some[int64](5000), "m"
	}
	m := &v1alpha1.Measurement{}
	m.Status.LoadImage = &v1alpha1.LoadImage{Reference: "stress:1", Digests: []string{"sha256:a"}}
	node := v1alpha1.NodeInfo{Name: "n1", CPUs: "2", Architecture: "amd64", Disk: "ssd", Kernel: "6.1"}
	m.Status.Environment = &v1alpha1.Environment{StoreNodes: []v1alpha1.NodeInfo{node, node}, LoadNodes: []v1alpha1.NodeInfo{node}}
	run.Measurements["m"] = m
	run.Experiment = &v1alpha1.Experiment{}
	spec := &run.Experiment.Spec
	spec.Store = v1alpha1.StoreSpec{Chart: "cassandra", Hosting: v1alpha1.HostingShared, Values: &apiextensionsv1.JSON{Raw: []byte(`{"nodes": 4, "heap": {"max": "1G"}}`)}}
	spec.Servers = []v1alpha1.ServerSpec{{Name: "hsha"}}
	spec.Phases = []v1alpha1.PhaseSpec{{Name: "read"}}
	return run
}

func TestRunsThatDifferAreNotComparedUnlessAskedTo(t *testing.T) {
	for name, test := range map[string]struct {
		change func(run *archive.Run)
		want   string
	}{
		"nothing":                 {func(*archive.Run) {}, ""},
		"the order of the values": {func(r *archive.Run) { r.Experiment.Spec.Store.Values.Raw = []byte(`{"heap":{"max":"1G"},"nodes":4}`) }, ""},
		"names and kernels of nodes": {func(r *archive.Run) {
			r.Measurements["m"].Status.Environment.StoreNodes[0].Name, r.Measurements["m"].Status.Environment.StoreNodes[0].Kernel = "other", "6.2"
		}, ""},
		"the store's image": {func(r *archive.Run) { r.Rows[0].ImageDigest, r.Rows[0].PluginSHA256 = "sha256:x", "y" }, ""},
		"keys":              {func(r *archive.Run) { r.Rows[0].Keys = 2000 }, "keys: 1000 and 1000 or 2000"},
		"operations": {func(r *archive.Run) {
			for i := range r.Rows {
				r.Rows[i].OpsPlanned = results.Some[int64](6000)
			}
		}, "operations of read: 5000 and 6000"},
		"a duration in their place": {func(r *archive.Run) {
			for i := range r.Rows {
				r.Rows[i].OpsPlanned, r.Rows[i].Duration = results.Optional[int64]{}, results.Some(10*time.Second)
			}
		}, "operations of read: 5000 and those of 10s"},
		"pods": {func(r *archive.Run) {
			for i := range r.Rows {
				r.Rows[i].Pods = 2
			}
		}, "load pods: 1 and 2"},
		"nodes": {func(r *archive.Run) { r.Measurements["m"].Status.Environment.StoreNodes[1].CPUs = "4" },
			"nodes of the store: 2 × amd64 with 2 CPUs, disk ssd and 1 × amd64 with 2 CPUs, disk ssd, 1 × amd64 with 4 CPUs, disk ssd"},
		"store values":      {func(r *archive.Run) { r.Experiment.Spec.Store.Values.Raw = []byte(`{"nodes": 4}`) }, `store values: {"heap":{"max":"1G"},"nodes":4} and {"nodes":4}`},
		"server's values":   {func(r *archive.Run) { r.Experiment.Spec.Servers[0].Values = &apiextensionsv1.JSON{Raw: []byte(`{}`)} }, "values of hsha: none and {}"},
		"server's options":  {func(r *archive.Run) { r.Experiment.Spec.Servers[0].Options = v1alpha1.Parameters{"repeat": "0.05"} }, "options of hsha: none and repeat=0.05; server of hsha: hsha and hsha-hsha"},
		"server of its own": {func(r *archive.Run) { r.Experiment.Spec.Servers[0].OwnInstance = true }, "server of hsha: hsha and hsha-hsha"},
		"load image":        {func(r *archive.Run) { r.Measurements["m"].Status.LoadImage.Digests = []string{"sha256:b"} }, "load image: sha256:a and sha256:b"},
		"load parameters":   {func(r *archive.Run) { r.Experiment.Spec.Load.Parameters = v1alpha1.Parameters{"retries": "9"} }, "load parameters: none and retries=9"},
		"hosting":           {func(r *archive.Run) { r.Experiment.Spec.Store.Hosting = v1alpha1.HostingDedicated }, "hosting: Shared and Dedicated"},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := whole(), whole()
			test.change(b)
			result, err := Runs(a, b, Defaults())
			if test.want == "" {
				require.NoError(t, err)
				assert.NotContains(t, strings.Join(result.Notes, "\n"), "did not measure the same")
				return
			}
			require.ErrorIs(t, err, ErrDifferent)
			assert.ErrorContains(t, err, "("+test.want+")")
			result, err = Runs(a, b, Options{AllowDifferent: true})
			require.NoError(t, err)
			assert.Contains(t, strings.Join(result.Notes, "\n"), "not the servers' alone: "+test.want)
		})
	}
}

func TestSaysWhatIsNotKnownOfBothRuns(t *testing.T) {
	b := whole()
	b.Experiment, b.Measurements = nil, nil
	result, err := Runs(whole(), b, Defaults())
	require.NoError(t, err)
	notes := strings.Join(result.Notes, "\n")
	assert.Contains(t, notes, "not known of both runs, so perhaps not the same: hosting, load image, load parameters, nodes of the load, nodes of the store, "+
		"options of hsha, parameters of read, server of hsha, store, store values, values of hsha")
	assert.Contains(t, notes, "With one run on each side, what one run differs from the next by with nothing changed is in no interval")
	assert.Equal(t, "between these two runs", result.Comparisons[0].Scope)
}
