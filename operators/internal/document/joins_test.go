package document

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
	"ringside.dev/ringside/operators/internal/validation"
)

// joining is a store that consists of a chart, an image and a document; the end-to-end tests run it.
const joining = house + "/operators/e2e/testdata/crier"

func TestAStoreJoinsByAChartAnImageAndADocument(t *testing.T) {
	charts := filepath.Join(joining, "charts")
	d := only(t, filepath.Join(joining, "experiments/crier.yaml"))
	problems, err := theAPI(t).Complete(t.Context(), d)
	require.NoError(t, err)
	require.Empty(t, problems)
	e, err := d.Experiment()
	require.NoError(t, err)
	chart, err := storechart.NewCatalogue(charts).Open("crier")
	require.NoError(t, err)
	assert.Empty(t, validation.Check(e, chart, loadgen.NewCatalogue(house+"/images"), storechart.SomeImages()))
	assert.Equal(t, &v1beta1.Units{Operations: "shouts", Latency: v1beta1.LatencyMicros}, chart.Units())
	assert.Len(t, plan.Build(e, 1).Cells(), 2)

	// Its own errors are reported too.
	e.Spec.Servers[0].Type = "python"
	assert.Equal(t, []problem.Problem{{Reason: v1beta1.RefusedUnknownServer, What: `store crier has no server "python"`, Fix: "choose from perl"}}, validation.Check(e, chart, loadgen.NewCatalogue(house+"/images"), storechart.SomeImages()))
}

// If Go code contained a store's name, the store could not be removed; with a load's name, other loads could not have
// the same features.
func TestNoGoCodeKnowsAStoreOrALoadByName(t *testing.T) {
	names := namesOfStoresAndLoads(t)
	word := regexp.MustCompile(`(^|[^a-z0-9])(` + strings.Join(names, "|") + `)($|[^a-z0-9])`)
	// Pages of one store's own figures, and a simulated run for tests.
	own := map[string]bool{"dashboards/cassandra.go": true, "dashboards/all.go": true, "operators/metrics/store.go": true, "operators/internal/runs/simulated/archive.go": true}
	for _, folder := range []string{"operators", "dashboards", "cluster", "images/internal", "images/cmd", "charts/internal"} {
		err := filepath.WalkDir(filepath.Join(house, folder), func(path string, entry fs.DirEntry, err error) error {
			name, _ := filepath.Rel(house, path)
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || own[filepath.ToSlash(name)] {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(node ast.Node) bool {
				if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					text, _ := strconv.Unquote(literal.Value)
					assert.False(t, word.MatchString(strings.ToLower(text)) && !strings.HasPrefix(text, "ringside.dev/"), "%s has %s", name, literal.Value)
				}
				return true
			})
			return nil
		})
		require.NoError(t, err)
	}
}

func namesOfStoresAndLoads(t *testing.T) []string {
	t.Helper()
	names, err := storechart.NewCatalogue(filepath.Join(house, "charts")).Stores()
	require.NoError(t, err)
	paths, err := filepath.Glob(filepath.Join(house, "experiments/*.yaml"))
	require.NoError(t, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		var document struct {
			Spec struct{ Load struct{ Image string } }
		}
		require.NoError(t, yaml.Unmarshal(text, &document))
		names = append(names, document.Spec.Load.Image)
	}
	require.Contains(t, names, "udp-echo")
	return names
}
