package validation

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/gates"
	"ringside.dev/ringside/operators/internal/plan"
)

// A node names its collector by the beans of its JVM, and its heap by the size that the JVM uses.
func TestAVariantWhoseCollectorOrHeapDidNotArriveIsInvalid(t *testing.T) {
	for server, collector := range map[string]string{"v50": "G1", "v50-zgc": "ZGC", "v50-shenandoah": "Shenandoah", "v41-cms": "CMS"} {
		spec := v1beta1.ExperimentSpec{Servers: []v1beta1.ServerSpec{{Name: server}}}
		spec.Store.Values = &apiextensionsv1.JSON{Raw: []byte(`{"heap":{"max":"4G"}}`)}
		asked, err := Asked(spec, plan.Store{Servers: []string{server}, Types: []string{server}}, server, storeOf(t, "cassandra-cql"))
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
