// Package lint runs Grafana's dashboard-linter on the dashboards. It is a separate module, so that the linter's
// dependencies do not affect Ringside's binaries. Two of them are replaced by stand-ins (standin/): Loki's parser,
// which our dashboards do not need, and Grafana's v2 schema, which is not served as a Go module.
package lint

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/grafana/dashboard-linter/lint"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheDashboardsPassGrafanasLinter(t *testing.T) {
	paths, err := filepath.Glob("../../charts/monitoring/dashboards/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var dashboards []lint.Dashboard
	for _, path := range paths {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		dashboard, err := lint.NewDashboard(content)
		require.NoError(t, err, path)
		require.NotEmpty(t, dashboard.GetPanels(), path)
		dashboards = append(dashboards, dashboard)
	}
	exclusions := lint.NewConfigurationFile()
	require.NoError(t, exclusions.Load(".lint"))
	rules := lint.NewRuleSet()
	results, err := rules.Lint(dashboards)
	require.NoError(t, err)
	results.Configure(exclusions)
	for rule, all := range results.ByRule() {
		for _, found := range all {
			for _, result := range found.Result.Results {
				assert.Less(t, result.Severity, lint.Warning, "%s: %s", rule, result.Message)
			}
		}
	}
}

func TestEveryExclusionHasAReason(t *testing.T) {
	exclusions := lint.NewConfigurationFile()
	require.NoError(t, exclusions.Load(".lint"))
	require.NotEmpty(t, exclusions.Exclusions)
	assert.Empty(t, exclusions.Warnings)
	for rule, entries := range exclusions.Exclusions {
		require.NotNil(t, entries, rule)
		assert.NotEmpty(t, entries.Reason, rule)
	}
}
