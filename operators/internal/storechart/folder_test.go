package storechart

import (
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"

	"ringside.dev/ringside/charts"
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
