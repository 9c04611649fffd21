package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/images/internal/loadorders"
	"ringside.dev/ringside/images/internal/loadorders/orderstest"
)

func environment(changes map[string]string) func(string) string {
	return orderstest.Environment(map[string]string{"RINGSIDE_ENDPOINTS": "10.0.0.1:9042,10.0.0.2:9042", "RINGSIDE_SERVER_TYPE": "v50", "RINGSIDE_SEED": "7"}, changes)
}

func TestLatteGetsItsOrders(t *testing.T) {
	const common = " --threads 1 --concurrency 8 --connections 1 --consistency QUORUM --retries 0 --sampling 1s --quiet --output /scratch/report.json" +
		` -P keys="/scratch/keys" -P columns=5 -P size=34`
	const nodes = " -- 10.0.0.1:9042 10.0.0.2:9042"
	for name, test := range map[string]struct {
		changes map[string]string
		want    string
	}{
		"a write covers this pod's keys once, in order": {
			nil,
			"run /opt/latte/standard1.rn --functions write --duration 500 --warmup 0 --start-cycle 500 --end-cycle 1000" + common + " -P gaussian=true -P seed=7" + nodes,
		},
		"a read for some seconds draws from all keys": {
			map[string]string{"RINGSIDE_OPERATION": "read", "RINGSIDE_OPERATIONS": "", "RINGSIDE_DURATION_SECONDS": "30", "RINGSIDE_PARAM_DISTRIBUTION": "uniform"},
			"run /opt/latte/standard1.rn --functions read --duration 30s --warmup 0 --start-cycle 500 --end-cycle 9223372036854775807" + common + " -P gaussian=false -P seed=7" + nodes,
		},
	} {
		t.Run(name, func(t *testing.T) {
			o, err := readOrders(environment(test.changes))
			require.NoError(t, err)
			addresses, err := o.addresses(t.Context())
			require.NoError(t, err)
			assert.Equal(t, test.want, strings.Join(runArguments(o, addresses), " "))
		})
	}
}

func TestOrdersThatMakeNoSenseAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		changes map[string]string
		says    string
	}{
		"an unknown operation":            {map[string]string{"RINGSIDE_OPERATION": "scan"}, `RINGSIDE_OPERATION is "scan": it is one of write, read`},
		"a constant rate":                 {map[string]string{"RINGSIDE_TARGET_RATE": "100"}, "RINGSIDE_TARGET_RATE is 100: at a constant rate latte skips requests that are late"},
		"a search for a capacity":         {map[string]string{"RINGSIDE_CAPACITY_PERCENTILE": "99"}, "latte searches for no capacity"},
		"a server without CQL":            {map[string]string{"RINGSIDE_SERVER_TYPE": "hsha"}, `RINGSIDE_SERVER_TYPE is "hsha": latte speaks CQL`},
		"more connections than threads":   {map[string]string{"RINGSIDE_CONNECTIONS": "64"}, "RINGSIDE_CONNECTIONS is 64 for RINGSIDE_THREADS=8"},
		"neither operations nor duration": {map[string]string{"RINGSIDE_OPERATIONS": ""}, "set one of RINGSIDE_OPERATIONS and RINGSIDE_DURATION_SECONDS"},
		"keys beyond the population":      {map[string]string{"RINGSIDE_KEY_OFFSET": "600"}, "keys 600 to 1099 are not among RINGSIDE_KEYS=1000"},
		"different ports":                 {map[string]string{"RINGSIDE_ENDPOINTS": "a:1,b:2"}, "latte needs the same port on all hosts"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readOrders(environment(test.changes))
			var refused loadorders.Error
			require.ErrorAs(t, err, &refused)
			assert.Contains(t, err.Error(), test.says)
		})
	}
}

// A log of latte has a line for the requests of each interval, and one for the workload's cycles.
const latteLog = `#[Logged with Latte 0.29.0]
#[StartTime: 1700000000.000 (seconds since epoch)]
#[BaseTime: 1700000000.000 (seconds since epoch)]
Tag=cycles,0.000,1.000,2.5,HISTFAAA
Tag=requests,0.000,1.000,2.0,HISTFBBB
Tag=cycles,1.000,1.000,2.5,HISTFCCC
Tag=requests,1.000,1.000,2.0,HISTFDDD
`

func TestTimesOfRequestsBecomeServiceTimes(t *testing.T) {
	folder := t.TempDir()
	from, to := filepath.Join(folder, "latte.hlog"), filepath.Join(folder, "load.hlog")
	require.NoError(t, os.WriteFile(from, []byte(latteLog), 0o600))
	require.NoError(t, convertLog(from, to, "read"))
	text, err := os.ReadFile(to)
	require.NoError(t, err)
	assert.Equal(t, `#[Logged with Latte 0.29.0]
#[StartTime: 1700000000.000 (seconds since epoch)]
#[BaseTime: 1700000000.000 (seconds since epoch)]
Tag=read-st,0.000,1.000,2.0,HISTFBBB
Tag=read-st,1.000,1.000,2.0,HISTFDDD
`, string(text))
}

func TestALogWithoutRequestsFails(t *testing.T) {
	folder := t.TempDir()
	from := filepath.Join(folder, "latte.hlog")
	require.NoError(t, os.WriteFile(from, []byte("#[BaseTime: 1700000000.000 (seconds since epoch)]\n"), 0o600))
	assert.ErrorIs(t, convertLog(from, filepath.Join(folder, "load.hlog"), "read"), errNoRequests)
}

func TestRequestsThatFailedAreErrorsThoughTheirCyclesSucceeded(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "report.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"conf": {}, "result": {"error_count": 0, "log": [{"request_count": 60, "req_error_count": 2}, {"request_count": 40, "req_error_count": 1}]}}`), 0o600))
	found, err := readReport(path)
	require.NoError(t, err)
	summary := filepath.Join(folder, "summary")
	require.NoError(t, found.writeSummary(summary))
	text, err := os.ReadFile(summary)
	require.NoError(t, err)
	assert.Equal(t, "operations=97\nerrors=3\nkeys=97\nlogged_errors=3\n", string(text))
}

func TestAcceptsWhatItsSchemaAccepts(t *testing.T) {
	orderstest.Agrees(t, "../orders.csv", environment, func(getenv func(string) string) error {
		_, err := readOrders(getenv)
		return err
	})
}
