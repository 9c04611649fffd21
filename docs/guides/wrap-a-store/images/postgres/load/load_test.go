package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func environment(changes map[string]string) func(string) string {
	values := map[string]string{
		"RINGSIDE_OPERATION": "simple-update", "RINGSIDE_ENDPOINTS": "10.0.0.1:5432", "RINGSIDE_DURATION_SECONDS": "10", "RINGSIDE_KEYS": "150000",
		"RINGSIDE_THREADS": "8", "RINGSIDE_TARGET_RATE": "0", "RINGSIDE_SCRATCH": "/scratch",
	}
	for name, value := range changes {
		values[name] = value
	}
	return func(name string) string { return values[name] }
}

func TestTellsPgbenchItsOrders(t *testing.T) {
	const server = "--host=10.0.0.1 --port=5432 --username=postgres --no-vacuum --protocol=prepared --builtin=simple-update"
	for bound, changes := range map[string]map[string]string{
		server + " --client=8 --jobs=4 --time=10 --log --log-prefix=/scratch/pgbench":         nil,
		server + " --client=8 --jobs=4 --transactions=50 --log --log-prefix=/scratch/pgbench": {"RINGSIDE_DURATION_SECONDS": "", "RINGSIDE_OPERATIONS": "400"},
		server + " --client=1 --jobs=1 --time=10 --log --log-prefix=/scratch/pgbench":         {"RINGSIDE_THREADS": "1"},
	} {
		o, err := readOrders(environment(changes))
		require.NoError(t, err)
		assert.Equal(t, bound, strings.Join(o.arguments("/scratch/pgbench"), " "))
	}
}

func TestRejectsOrdersThatPgbenchCannotDo(t *testing.T) {
	for says, changes := range map[string]map[string]string{
		`RINGSIDE_OPERATION is "write": use one of tpcb-like, simple-update, select-only`:                               {"RINGSIDE_OPERATION": "write"},
		`RINGSIDE_ENDPOINTS is "a:1,b:1": use one host:port`:                                                            {"RINGSIDE_ENDPOINTS": "a:1,b:1"},
		`RINGSIDE_OPERATIONS is "": use either it or RINGSIDE_DURATION_SECONDS`:                                         {"RINGSIDE_DURATION_SECONDS": ""},
		`RINGSIDE_OPERATIONS is "401": use a multiple of RINGSIDE_THREADS, because each client of pgbench does as many`: {"RINGSIDE_OPERATIONS": "401", "RINGSIDE_DURATION_SECONDS": ""},
		`RINGSIDE_TARGET_RATE is "100": use 0`:                                                                          {"RINGSIDE_TARGET_RATE": "100"},
		`RINGSIDE_CONNECTIONS is "16": use as many as RINGSIDE_THREADS`:                                                 {"RINGSIDE_CONNECTIONS": "16"},
		"RINGSIDE_KEYS is \"many\": use a whole number from 1":                                                          {"RINGSIDE_KEYS": "many"},
	} {
		_, err := readOrders(environment(changes))
		assert.EqualError(t, err, says)
	}
}

func TestPgbenchsLogBecomesAnHdrHistogramLog(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "pgbench.7")
	require.NoError(t, os.WriteFile(path, []byte("0 0 2000 0 1000 2500\n1 0 1500 0 1000 2600\n0 1 250000 0 1000 253000\n"), 0o600))
	all, err := readLog(path)
	require.NoError(t, err)
	require.Equal(t, transaction{time.UnixMicro(1_000_002_500), 2 * time.Millisecond}, all[0])

	hlog := filepath.Join(folder, "hlog")
	require.NoError(t, writeHlog(hlog, "simple-update", all))
	text, err := os.ReadFile(hlog)
	require.NoError(t, err)
	reader := hdrhistogram.NewHistogramLogReader(bytes.NewReader(text))
	var counts []int64
	var first, last *hdrhistogram.Histogram
	for {
		histogram, err := reader.NextIntervalHistogram()
		require.NoError(t, err)
		if histogram == nil {
			break
		}
		if first == nil {
			first = histogram
		}
		last = histogram
		counts = append(counts, histogram.TotalCount())
		assert.Equal(t, "simple-update-st", histogram.Tag())
	}
	assert.Equal(t, []int64{2, 0, 1}, counts)
	assert.Equal(t, int64(1_000_000), first.StartTimeMs(), "the first transaction began half a millisecond later")
	assert.Equal(t, int64(1_000_254), last.EndTimeMs())
	assert.True(t, last.ValuesAreEquivalent(int64(250*time.Millisecond), last.Max()))
}
