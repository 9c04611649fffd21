// Package orderstest has orders for tests of loads, and tests that a load accepts what its schema of orders accepts.
package orderstest

import (
	"bytes"
	"encoding/csv"
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Environment returns orders to write half of 1,000 keys, with changes in turn.
func Environment(changes ...map[string]string) func(string) string {
	values := map[string]string{
		"RINGSIDE_OPERATION":          "write",
		"RINGSIDE_OPERATIONS":         "500",
		"RINGSIDE_KEYS":               "1000",
		"RINGSIDE_KEY_OFFSET":         "500",
		"RINGSIDE_KEY_COUNT":          "500",
		"RINGSIDE_THREADS":            "8",
		"RINGSIDE_TARGET_RATE":        "0",
		"RINGSIDE_CONSISTENCY":        "QUORUM",
		"RINGSIDE_REPLICATION_FACTOR": "3",
		"RINGSIDE_HLOG":               "/scratch/load.hlog",
		"RINGSIDE_SUMMARY":            "/scratch/summary",
		"RINGSIDE_SCRATCH":            "/scratch",
	}
	for _, changed := range changes {
		maps.Copy(values, changed)
	}
	return func(name string) string { return values[name] }
}

// Agrees tries the lines of an orders.csv on a load. The schema is tried with the same lines by operators/internal/loadgen. environment returns
// valid orders with changes, and read reads orders.
func Agrees(t *testing.T, file string, environment func(changes map[string]string) func(string) string, read func(getenv func(string) string) error) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	cases, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	require.NoError(t, err)
	const parameter = "RINGSIDE_PARAM_"
	tried := map[string]bool{}
	for _, c := range cases[1:] {
		order, value, taken := c[0], c[1], c[2]
		variable := map[string]string{"operation": "RINGSIDE_OPERATION", "consistency": "RINGSIDE_CONSISTENCY"}[order]
		if variable == "" {
			variable = parameter + strings.ToUpper(strings.ReplaceAll(order, "-", "_"))
			tried[variable] = true
		}
		err := read(environment(map[string]string{variable: value}))
		assert.Equal(t, taken, strconv.FormatBool(err == nil), "%s=%s: %v", order, value, err)
	}
	asked := map[string]bool{}
	require.NoError(t, read(func(name string) string {
		if strings.HasPrefix(name, parameter) {
			asked[name] = true
		}
		return environment(nil)(name)
	}))
	assert.Equal(t, tried, asked, "every parameter that it reads, and no other")
}
