package validation

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/gates"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/storechart"
)

func TestAServerThatNeverRestsIsMeasuredAlone(t *testing.T) {
	const refused = "server spinner keeps cores busy while it is idle, which with Shared hosting distorts the figures of every other server: " +
		"leave it out of --server (SERVER=), or --set spec.store.hosting=Dedicated"
	for name, test := range map[string]struct {
		hosting v1beta1.Hosting
		servers []v1beta1.ServerSpec
		says    []string
	}{
		"beside another in one store":      {v1beta1.HostingShared, []v1beta1.ServerSpec{{Name: "calm"}, {Name: "spinner"}}, []string{refused}},
		"in a store of its own":            {v1beta1.HostingDedicated, []v1beta1.ServerSpec{{Name: "calm"}, {Name: "spinner"}}, nil},
		"two of its own in one store":      {v1beta1.HostingShared, []v1beta1.ServerSpec{{Name: "spinner"}, {Name: "again", Type: "spinner", OwnInstance: true}}, []string{refused, strings.Replace(refused, "server spinner", "server again", 1)}},
		"one of its own beside its type's": {v1beta1.HostingShared, []v1beta1.ServerSpec{{Name: "spinner-2", Type: "spinner", OwnInstance: true}}, []string{strings.Replace(refused, "server spinner", "server spinner-2", 1)}},
		"alone, under two names":           {v1beta1.HostingShared, []v1beta1.ServerSpec{{Name: "spinner"}, {Name: "again", Type: "spinner"}}, nil},
		"only others, in a shared one":     {v1beta1.HostingShared, []v1beta1.ServerSpec{{Name: "calm"}, {Name: "quiet"}}, nil},
		"beside another under its name":    {v1beta1.HostingShared, []v1beta1.ServerSpec{{Name: "spinner"}, {Name: "calm"}, {Name: "quiet"}}, []string{refused}},
	} {
		t.Run(name, func(t *testing.T) {
			spec := &v1beta1.ExperimentSpec{Store: v1beta1.StoreSpec{Hosting: test.hosting}, Servers: test.servers}
			assert.Equal(t, test.says, lines(checkExclusive(spec, chartOf(t, "ringside.dev/exclusive-servers: spinner"), hostedAtOnce(spec))))
		})
	}
}

// chartOf is a store with the servers calm, quiet and spinner.
func chartOf(t *testing.T, annotation string) *storechart.Chart {
	t.Helper()
	charts := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(charts, "small"), 0o700))
	for name, text := range map[string]string{
		"Chart.yaml":         "{apiVersion: v2, name: small, version: 0.1.0, annotations: {ringside.dev/kind: store, " + annotation + "}}",
		"values.schema.json": `{"properties": {"server": {"properties": {"types": {"items": {"enum": ["calm", "quiet", "spinner"]}}}}}}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(charts, "small", name), []byte(text), 0o600))
	}
	chart, err := storechart.NewCatalogue(charts).Open("small")
	require.NoError(t, err)
	return chart
}

func TestRestHasADurationAndAStoreOfItsOwn(t *testing.T) {
	lasting := func(d time.Duration) *metav1.Duration { return &metav1.Duration{Duration: d} }
	for name, test := range map[string]struct {
		phase   v1beta1.PhaseSpec
		hosting v1beta1.Hosting
		says    []string
	}{
		"as it should be": {v1beta1.PhaseSpec{Duration: lasting(30 * time.Second)}, v1beta1.HostingDedicated, nil},
		"of a shared store": {v1beta1.PhaseSpec{Duration: lasting(time.Second)}, v1beta1.HostingShared,
			[]string{"phase rest is idle, but with Shared hosting the CPU time at rest is that of all 2 servers: --set spec.store.hosting=Dedicated, or name one server with --server (SERVER=)"}},
	} {
		t.Run(name, func(t *testing.T) {
			test.phase.Name, test.phase.Type = "rest", v1beta1.PhaseIdle
			spec := &v1beta1.ExperimentSpec{
				Store:   v1beta1.StoreSpec{Hosting: test.hosting},
				Servers: []v1beta1.ServerSpec{{Name: "calm"}, {Name: "calm-again", Type: "calm", OwnInstance: true}},
				Phases:  []v1beta1.PhaseSpec{{Name: "load", Sweep: v1beta1.Sweep{Threads: []int32{1}}}, test.phase},
			}
			assert.Equal(t, test.says, lines(checkIdle(spec)))
		})
	}
}

func TestWhatIsUsedAtRestIsPrimaryOfRestAndOfNothingElse(t *testing.T) {
	second := &metav1.Duration{Duration: time.Second}
	for name, test := range map[string]struct {
		phase v1beta1.PhaseSpec
		says  string
	}{
		"rest, by what it uses":     {v1beta1.PhaseSpec{Type: v1beta1.PhaseIdle, PrimaryMetric: "idle_cpu_cores"}, ""},
		"a load, by its rate":       {v1beta1.PhaseSpec{PrimaryMetric: "op_rate"}, ""},
		"rest, by a rate":           {v1beta1.PhaseSpec{Type: v1beta1.PhaseIdle, PrimaryMetric: "op_rate"}, "phase p: primary metric op_rate: only a phase of type Idle has idle_cpu_cores, and it has no other primary metric: remove primaryMetric"},
		"a load, by what it is not": {v1beta1.PhaseSpec{PrimaryMetric: "idle_cpu_cores"}, "phase p: primary metric idle_cpu_cores: only a phase of type Idle has idle_cpu_cores, and it has no other primary metric: remove primaryMetric"},
	} {
		t.Run(name, func(t *testing.T) {
			test.phase.Name, test.phase.Duration = "p", second
			said := ""
			for _, fault := range checkIdle(&v1beta1.ExperimentSpec{Phases: []v1beta1.PhaseSpec{test.phase}}) {
				said += fault.Error()
			}
			assert.Equal(t, test.says, said)
		})
	}
}

// A node names its collector by the beans of its JVM, and its heap by the size that the JVM uses.
func TestAVariantWhoseCollectorOrHeapDidNotArriveIsInvalid(t *testing.T) {
	for server, collector := range map[string]string{"v50": "G1", "v50-zgc": "ZGC", "v50-shenandoah": "Shenandoah", "v41-cms": "CMS"} {
		spec := v1beta1.ExperimentSpec{Servers: []v1beta1.ServerSpec{{Name: server}}}
		spec.Store.Values = &apiextensionsv1.JSON{Raw: []byte(`{"heap":{"max":"4G"}}`)}
		asked, err := Asked(spec, plan.Release{Servers: []string{server}, Types: []string{server}}, storeOf(t, "cassandra-cql"))
		require.NoError(t, err)
		runs := map[string]string{"version": asked["version"], "java": asked["java"], "collector": collector, "jvm.-Xmx": "4G"}
		for name, test := range map[string]struct {
			change map[string]string
			want   v1beta1.Reason
			says   string
		}{
			"as asked":          {},
			"another collector": {map[string]string{"collector": "Serial"}, v1beta1.GateSettingMismatch, "variant: setting collector: requested was " + collector + ", but store pod s-0 runs with Serial"},
			"another heap":      {map[string]string{"jvm.-Xmx": "2147483648"}, v1beta1.GateSettingMismatch, "variant: setting jvm.-Xmx: requested was 4G, but store pod s-0 runs with 2147483648"},
			"no collector":      {map[string]string{"collector": ""}, v1beta1.GateSettingsUnknown, "variant: setting collector: requested was " + collector + ", but store pod s-0 does not report it"},
		} {
			t.Run(server+" "+name, func(t *testing.T) {
				settings := maps.Clone(runs)
				for setting, value := range test.change {
					if settings[setting] = value; value == "" {
						delete(settings, setting)
					}
				}
				found := gates.Variant(gates.Evidence{
					Spec: v1beta1.MeasurementSpec{ServerType: server}, Asked: asked, ServerPods: []string{"s-0"},
					Proofs: []v1beta1.Proof{{Server: server, Pod: "s-0", SettingsSHA256: "1", Settings: settings}},
				})
				if test.says == "" {
					assert.Empty(t, found)
					return
				}
				assert.Contains(t, found, gates.Finding{Reason: test.want, Message: test.says})
			})
		}
	}
}
