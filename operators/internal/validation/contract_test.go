package validation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/storechart"
)

func TestAChartMustLabelThePodsOfEachStoreSideBySide(t *testing.T) {
	chart, err := storechart.NewCatalogue("../storechart/testdata/charts").Open("shelf")
	require.NoError(t, err)
	values, err := storechart.Values(nil, nil, storechart.Servers{Types: []string{"old", "new"}}, storechart.Images{})
	require.NoError(t, err)
	manifest, err := storechart.Render(t.Context(), storechart.Order{Release: "r1", Chart: chart, Values: values}, "ns")
	require.NoError(t, err)
	servers := []string{"old", "new"}
	require.NoError(t, checkContract("shelf", manifest, servers, true))

	unlabelled := strings.ReplaceAll(manifest, "app.kubernetes.io/instance: r1\n        ringside.dev/server: new", "app.kubernetes.io/instance: r1")
	assert.EqualError(t, checkContract("shelf", unlabelled, servers, true),
		"store chart shelf violates the store contract: it has no StatefulSet with pods labelled ringside.dev/server=new: see docs/reference/store-contract.md")
	assert.NoError(t, checkContract("shelf", unlabelled, servers, false), "a shared store's pods run all servers")
	assert.NoError(t, checkContract("shelf", unlabelled, servers[1:], true), "the only server of a release runs on all pods")
}
