package published_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/storechart"
)

const house = "../../../.."

// A figure with a misspelled server, phase or column would never be shown.
func TestEveryPublishedFigureStandsBesideSomethingOfOurs(t *testing.T) {
	files, err := filepath.Glob("*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			var published struct {
				Store   string
				Servers map[string]string
				Figures []struct {
					Server, Operation string
					Phases            []string
					Columns           map[string]string
				}
				Said []struct {
					Server, To string
					Phases     []string
				}
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, yaml.Unmarshal(text, &published))
			arms, phases, operations := experimentsOf(t, published.Store)
			theirs := map[string]bool{"": true}
			for ours, name := range published.Servers {
				assert.Contains(t, arms, ours, "neither a type of the store nor an arm of a document")
				theirs[name] = true
			}
			for _, figure := range published.Figures {
				assert.Contains(t, theirs, figure.Server)
				for _, phase := range figure.Phases {
					assert.Contains(t, phases, phase)
				}
				if len(figure.Phases) == 0 {
					assert.Contains(t, operations, figure.Operation)
				}
				for column := range figure.Columns {
					assert.NotPanics(t, func() { results.MustColumn(column) }, column)
				}
			}
			for _, said := range published.Said {
				assert.Contains(t, theirs, said.Server)
				assert.Contains(t, theirs, said.To)
				for _, phase := range said.Phases {
					assert.Contains(t, phases, phase)
				}
			}
		})
	}
}

func experimentsOf(t *testing.T, store string) (arms, phases, operations map[string]bool) {
	t.Helper()
	arms, phases, operations = map[string]bool{}, map[string]bool{}, map[string]bool{}
	chart, err := storechart.NewCatalogue(filepath.Join(house, "charts")).Open(store)
	require.NoError(t, err)
	for _, name := range chart.ServerTypes() {
		arms[name] = true
	}
	files, err := filepath.Glob(filepath.Join(house, "experiments/*.yaml"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var e v1beta1.Experiment
		require.NoError(t, yaml.Unmarshal(text, &e))
		if e.Spec.Store.Chart != store {
			continue
		}
		for _, server := range e.Spec.Servers {
			arms[server.Name] = true
		}
		for _, phase := range e.Spec.Phases {
			phases[phase.Name], operations[phase.OperationName()] = true, true
		}
	}
	return arms, phases, operations
}
