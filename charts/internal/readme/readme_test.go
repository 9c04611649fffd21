package readme

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const charts = "../.."

func folders(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(charts, "*", "Chart.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var out []string
	for _, file := range files {
		out = append(out, filepath.Dir(file))
	}
	return out
}

func TestEveryChartsReadmeIsWhatItsValuesSay(t *testing.T) {
	for _, folder := range folders(t) {
		want, err := Of(folder)
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(folder, File))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want, got), "%s/%s is out of date: run `go generate ./charts/...`", folder, File)
	}
}

func TestReadsValuesWithTheirComments(t *testing.T) {
	read, err := valuesOf([]byte(`# What it is.
# In two lines.

# How much of the JVM.
heap:
  # At most.
  max: 1200M
  young: 300M # a quarter
# Any of
# a | <b>.
labels: {}
options:
  # Not of the list.
  - -a
classes: {a: 1}
long: [xxxxxxxxxxxxxxxxxxxx, xxxxxxxxxxxxxxxxxxxx, xxxxxxxxxxxxxxxxxxxx, xxxxxxxxxxxxxxxxxxxx]
empty: ""
`))
	require.NoError(t, err)
	assert.Equal(t, values{about: "What it is. In two lines.", rows: []row{
		{"heap", "", "How much of the JVM."},
		{"heap.max", "`\"1200M\"`", "At most."},
		{"heap.young", "`\"300M\"`", "a quarter"},
		{"labels", "`{}`", "Any of a | <b>."},
		{"options", "`[\"-a\"]`", ""},
		{"classes", "`{\"a\":1}`", ""},
		{"long", "see `values.yaml`", ""},
		{"empty", "`\"\"`", ""},
	}}, read)
	assert.Contains(t, page(chart{Name: "x"}, read), "| `labels` | `{}` | Any of a \\| &lt;b>. |\n")
}

func TestRefusesWhatIsNoMapOfValues(t *testing.T) {
	for _, text := range []string{"", "- a\n", "a: [\n"} {
		_, err := valuesOf([]byte(text))
		assert.Error(t, err, text)
	}
}
