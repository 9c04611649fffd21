package validation

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
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
			var said []string
			for _, fault := range checkExclusive(spec, chartOf(t, "ringside.dev/exclusive-servers: spinner")) {
				said = append(said, fault.What+": "+fault.Fix)
			}
			assert.Equal(t, test.says, said)
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
