package storechart

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestReadsInWhatUnitsAStoreIsTold(t *testing.T) {
	for name, test := range map[string]struct {
		annotations string
		want        *v1beta1.Units
	}{
		"nothing said": {"", nil},
		"a word":       {"ringside.dev/operations: packets", &v1beta1.Units{Operations: "packets"}},
		"microseconds": {"ringside.dev/latency-unit: us", &v1beta1.Units{Latency: v1beta1.LatencyMicros}},
		"both":         {"ringside.dev/operations: puts and gets, ringside.dev/latency-unit: ms", &v1beta1.Units{Operations: "puts and gets", Latency: v1beta1.LatencyMillis}},
	} {
		t.Run(name, func(t *testing.T) {
			chart, err := small(t, test.annotations)
			require.NoError(t, err)
			assert.Equal(t, test.want, chart.Units())
		})
	}
}

func TestReadsWhichServersAreMeasuredAlone(t *testing.T) {
	chart, err := small(t, `ringside.dev/exclusive-servers: "spinner, calm"`)
	require.NoError(t, err)
	assert.True(t, chart.Exclusive("spinner"))
	assert.True(t, chart.Exclusive("calm"))
	chart, err = small(t, "")
	require.NoError(t, err)
	assert.False(t, chart.Exclusive("spinner"))
}

func TestAChartThatBreaksTheContractIsRefusedInOneLine(t *testing.T) {
	for name, test := range map[string]struct{ annotations, says string }{
		"a unit of no latency": {"ringside.dev/latency-unit: minutes",
			`store chart small cannot be used: its annotation ringside.dev/latency-unit is "minutes": use ms or us`},
		"no word": {"ringside.dev/operations: Req/s",
			`store chart small cannot be used: its annotation ringside.dev/operations is "Req/s": use a plural in lowercase letters, such as requests`},
		"a server that there is not": {"ringside.dev/exclusive-servers: spiner",
			`store chart small cannot be used: its annotation ringside.dev/exclusive-servers names a server "spiner", but its values.schema.json does not`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := small(t, test.annotations)
			assert.EqualError(t, err, test.says)
		})
	}
}

func small(t *testing.T, annotations string) (*Chart, error) {
	t.Helper()
	return smallWith(t, annotations, "")
}

func smallWith(t *testing.T, annotations, values string) (*Chart, error) {
	t.Helper()
	charts := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(charts, "small"), 0o700))
	for name, text := range map[string]string{
		"values.yaml":        values,
		"Chart.yaml":         "{apiVersion: v2, name: small, version: 0.1.0, annotations: {ringside.dev/kind: store, " + annotations + "}}",
		"values.schema.json": `{"properties": {"server": {"properties": {"types": {"items": {"enum": ["calm", "spinner"]}}}}}}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(charts, "small", name), []byte(text), 0o600))
	}
	return NewCatalogue(charts).Open("small")
}
