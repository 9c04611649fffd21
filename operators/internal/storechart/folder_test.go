package storechart

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"

	"ringside.dev/ringside/charts"
	"ringside.dev/ringside/operators/internal/source"
)

func TestAChartOfAFolderAndABuiltInOneAreWhatHelmReads(t *testing.T) {
	for _, name := range []string{"ringside", "monitoring"} {
		folder := "../../../charts/" + name
		want, err := loader.LoadDir(folder)
		require.NoError(t, err)
		builtIn, err := fs.Sub(charts.Files, name)
		require.NoError(t, err)
		for _, files := range []fs.FS{os.DirFS(folder), builtIn} {
			got, err := ReadFolder(files)
			require.NoError(t, err)
			assert.Equal(t, want.Metadata, got.Metadata)
			assert.Equal(t, want.Values, got.Values)
			assert.Equal(t, want.Schema, got.Schema)
			names := func(chart *chartv2.Chart) (all []string) {
				for _, file := range append(chart.Templates, chart.Files...) {
					all = append(all, file.Name)
				}
				return all
			}
			if files == builtIn { // only what Helm needs is built in
				assert.Subset(t, names(want), names(got))
				assert.Len(t, got.Templates, len(want.Templates))
				continue
			}
			assert.ElementsMatch(t, names(want), names(got))
		}
	}
}

// A checkout has a link to the library in each chart. The program has no links.
func TestAStoresChartHasTheTemplatesOfItsLibrary(t *testing.T) {
	want, err := loader.LoadDir("../../../charts/stub")
	require.NoError(t, err)
	require.Len(t, want.Dependencies(), 1)
	for _, catalogue := range []Catalogue{NewCatalogue("../../../charts"), CatalogueOf(source.BuiltIn(charts.Files))} {
		chart, err := catalogue.Open("stub")
		require.NoError(t, err)
		require.Len(t, chart.Helm().Dependencies(), 1)
		library := chart.Helm().Dependencies()[0]
		assert.Equal(t, want.Dependencies()[0].Metadata, library.Metadata)
		assert.Len(t, library.Templates, len(want.Dependencies()[0].Templates))
	}
	lonely := t.TempDir() + "/shop"
	require.NoError(t, os.Mkdir(lonely, 0o755))
	require.NoError(t, os.WriteFile(lonely+"/Chart.yaml", []byte(`{apiVersion: v2, name: shop, version: 0.1.0, annotations: {ringside.dev/kind: store}, dependencies: [{name: shelf, repository: "file://../shelf"}]}`), 0o644))
	_, err = NewCatalogue(filepath.Dir(lonely)).Open("shop")
	assert.ErrorContains(t, err, "load chart shop: read its dependency shelf: ")
}
