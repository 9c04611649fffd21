package cli

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/cluster/internal/forward"
)

func TestRefusesMalformedForwards(t *testing.T) {
	for _, test := range []struct{ name, port, target, says string }{
		{"api", "9090", "a:1", "reserved for the cluster"},
		{"registry", "9090", "a:1", "reserved for the cluster"},
		{"../x", "9090", "a:1", "lowercase letters"},
		{"", "9090", "a:1", "lowercase letters"},
		{"prometheus", "0", "a:1", "from 1 to 65535"},
		{"prometheus", "http", "a:1", "from 1 to 65535"},
		{"prometheus", "9090", "prometheus", "host:port"},
		{"prometheus", "9090", ":9090", "host:port"},
	} {
		_, err := parseForward(test.name, test.port, test.target)
		assert.ErrorContains(t, err, test.says, "%+v", test)
	}
	got, err := parseForward("prometheus", "9090", "monitoring-prometheus.ringside-monitoring.svc.cluster.local:9090")
	require.NoError(t, err)
	assert.Equal(t, forward.Forward{
		Name: "prometheus", Listen: "127.0.0.1:9090", Target: "monitoring-prometheus.ringside-monitoring.svc.cluster.local:9090", Machine: "node1",
	}, got)
}

func TestPatienceIsAWholeNumberFrom1To100(t *testing.T) {
	for value, want := range map[string]int{"": 1, "1": 1, "20": 20, "0": 0, "-1": 0, "101": 0, "2.5": 0, "long": 0} {
		got, err := patienceOf(value)
		assert.Equal(t, want, got, value)
		assert.Equal(t, want == 0, err != nil, value)
	}
}

func TestRefusesBadArguments(t *testing.T) {
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"up", "--nodes=0"}, "--nodes is 0"},
		{[]string{"up", "--registry=0"}, "--registry is 0"},
		{[]string{"up", "--nodes=many"}, "invalid argument"},
		{[]string{"up", "four"}, "unknown command"},
		{[]string{"load-image"}, "at least 1 arg"},
		{[]string{"frobnicate"}, "unknown command"},
	} {
		root := New()
		root.SetArgs(append(test.args, "--state="+t.TempDir()))
		root.SetOut(&bytes.Buffer{})
		root.SetErr(&bytes.Buffer{})
		assert.ErrorContains(t, root.ExecuteContext(t.Context()), test.says, "%v", test.args)
	}
}
