package cli

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/compare"
)

// testdata/archives has one archive of each kind of experiment, whose figures commit f598315 wrote with simulated.Archive, and the CSV that its compare and
// table printed of it. Since then columns were added at the end only, and the manifests were rewritten for this version of the API.
func TestArchivesOfAnEarlierCommitHaveTheSameFigures(t *testing.T) {
	bundles, err := filepath.Glob("testdata/archives/*.tar.gz")
	require.NoError(t, err)
	require.Len(t, bundles, 4)
	here, err := os.Getwd()
	require.NoError(t, err)
	for _, bundle := range bundles {
		bundle = filepath.Join(here, bundle)
		name := strings.TrimSuffix(bundle, ".tar.gz")
		t.Run(filepath.Base(name), func(t *testing.T) {
			d := &desk{t: t}
			d.app = &App{Out: &d.out, Err: &d.err, Width: func() int { return 80 }, Now: time.Now}
			t.Chdir(t.TempDir())
			for _, verb := range []string{"compare", "table"} {
				printed, _ := d.do(exitDone, verb, bundle, "-o", "csv")
				text, err := os.ReadFile(name + "-" + verb + ".csv")
				require.NoError(t, err)
				want, got := csvOf(t, string(text)), csvOf(t, printed)
				require.Len(t, got, len(want), verb)
				for i := range want {
					require.GreaterOrEqual(t, len(got[i]), len(want[i]))
					for j, column := range want[0] {
						if column == compare.StatementColumn {
							continue // words for people, which repeat figures of other columns
						}
						assert.Equal(t, want[i][j], got[i][j], "%s, row %d: %s", verb, i, column)
					}
				}
			}
			d.do(exitDone, "report", bundle, "--out", "report.html")
			assert.FileExists(t, "report.html")
		})
	}
}

func csvOf(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	return rows
}
