package charts

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
)

// A file that Helm would package but the program lacks would be missed only by users without a checkout.
func TestEveryFileOfEveryChartIsBuiltIn(t *testing.T) {
	charts, err := filepath.Glob("*/Chart.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, charts)
	for _, file := range charts {
		name := filepath.Dir(file)
		chart, err := loader.LoadDir(name)
		require.NoError(t, err)
		for _, packaged := range chart.Raw {
			path := name + "/" + packaged.Name
			if library, linked := strings.CutPrefix(packaged.Name, "charts/"); linked { // built in once
				path = library
			}
			text, err := fs.ReadFile(Files, path)
			assert.NoError(t, err, "add it to embed.go")
			assert.Equal(t, string(packaged.Data), string(text), "%s/%s", name, packaged.Name)
		}
	}
}

func TestEveryProfileIsBuiltIn(t *testing.T) {
	onDisk, err := fs.Glob(os.DirFS("."), "profiles/*.yaml")
	require.NoError(t, err)
	builtIn, err := fs.Glob(Files, "profiles/*.yaml")
	require.NoError(t, err)
	assert.NotEmpty(t, builtIn)
	assert.Equal(t, onDisk, builtIn)
}
