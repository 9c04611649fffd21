package report

import (
	"encoding/base64"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

func TestSeveralMeasurementsOfAServerAreABandInAChartOfItsOwn(t *testing.T) {
	_, page := render(t, dedicated(t, nil))
	read := page.Loads[1]
	require.Equal(t, "read", read.Name)
	require.Len(t, read.Figures, 3)
	for _, figure := range read.Figures[1:] {
		require.Len(t, figure.Charts, 3, figure.Title)
		for i, chart := range figure.Charts {
			assert.Equal(t, read.Servers[i].Name, chart.Caption)
			require.Len(t, chart.Bands, 1, figure.Title)
			assert.Equal(t, read.Servers[i].Series, chart.Bands[0].Series)
			var own, behind int
			for _, line := range chart.Lines {
				if line.Context {
					behind++
				} else {
					own++
				}
			}
			assert.Equal(t, []int{1, 2}, []int{own, behind}, "its median, and the others' behind it")
			assert.Equal(t, figure.Charts[0].YTicks, chart.YTicks, "the same axis for all")
		}
		assert.Contains(t, figure.Note, "from the lowest of them to the highest")
	}
	write := page.Loads[0]
	require.Len(t, write.Figures[1].Charts, 1, "a single line for each of few servers: one chart")
	assert.Len(t, write.Figures[1].Charts[0].Lines, 3)
}

func TestManyServersAreDrawnApart(t *testing.T) {
	_, page := render(t, paired(t))
	for _, load := range page.Loads {
		for _, figure := range load.Figures[1:] {
			assert.Len(t, figure.Charts, 7, figure.Title)
		}
	}
}

func TestEveryDrawingHasANameADescriptionAndItsFigures(t *testing.T) {
	for name, folder := range map[string]archive.Folder{"dedicated": dedicated(t, nil), "paired": paired(t), "sweep": bySweep(t), "faults": faulted(t, 3, "hsha", "xedin")} {
		text, page := render(t, folder)
		drawings := strings.Count(text, `role="img"`)
		require.Positive(t, drawings, name)
		assert.Equal(t, drawings, strings.Count(text, "<desc id="), name)
		ids := map[string]bool{}
		for _, part := range strings.Split(text, ` id="`)[1:] {
			id, _, _ := strings.Cut(part, `"`)
			assert.False(t, ids[id], "%s: two elements are called %s", name, id)
			ids[id] = true
		}
		for _, load := range page.Loads {
			for _, figure := range load.Figures {
				assert.NotEmpty(t, figure.Table.Rows, "%s: %s", name, figure.Title)
			}
		}
	}
}

func TestAServerWithoutAValidMeasurementIsThereWithTheReason(t *testing.T) {
	_, page := render(t, dedicated(t, func(_ int, m *v1beta1.Measurement) {
		if m.Spec.Server == "xedin" {
			simulated.Invalidate(m, "3 operations failed")
		} else if m.Spec.Server == "hsha" && m.Spec.Repeat == 2 {
			simulated.Invalidate(m, "a node restarted")
		}
	}))
	told := map[string]SummaryRow{}
	for _, row := range page.Summary {
		told[row.Server+" "+row.Load] = row
	}
	withheld := told["xedin read"]
	assert.Equal(t, "no valid measurement: 3 operations failed", withheld.Withheld)
	assert.Equal(t, "0 of 3", withheld.Measurements)
	assert.Empty(t, withheld.OpRate)
	assert.Equal(t, "2 of 3", told["hsha read"].Measurements)
	assert.Equal(t, "3", told["disruptor read"].Measurements)
}

func TestTheTablesAreSavedAsFilesFromThePageItself(t *testing.T) {
	folder := dedicated(t, nil)
	_, page := render(t, folder)
	written, err := os.ReadFile(filepath.Join(folder.Path, archive.MeasurementsFile))
	require.NoError(t, err)
	assert.Equal(t, string(written), linked(t, page.CSV))
	ratios := strings.Split(strings.TrimSpace(linked(t, page.CompareCSV)), "\n")
	assert.Equal(t, strings.Join(compareColumns, ","), ratios[0])
	assert.Len(t, ratios, 1+2*2*4, "two servers, two loads, five metrics but for the 99.9th of 1200 operations")
}

func linked(t *testing.T, address template.URL) string {
	t.Helper()
	encoded, found := strings.CutPrefix(string(address), "data:text/csv;charset=utf-8;base64,")
	require.True(t, found)
	content, err := base64.StdEncoding.DecodeString(encoded)
	require.NoError(t, err)
	return string(content)
}

func TestPublishedRatiosStandBesideOurs(t *testing.T) {
	_, page := render(t, dedicated(t, nil))
	require.True(t, page.PublishedRatios)
	for _, row := range page.Comparison {
		want := map[string]string{"write": "1.75", "read": "2.93"}[row.Load]
		at := slices.Index(page.Metrics, "op rate")
		assert.Equal(t, want, row.Cells[at].Published, "%s %s", row.Server, row.Load)
	}
	_, other := render(t, bySweep(t))
	assert.False(t, other.PublishedRatios, "of another store")
}

func TestTellsWhyVerdictsAreWithheld(t *testing.T) {
	folder, err := simulated.Archive(t.TempDir(), simulated.Experiment("cassandra-duet", "20261121-001500", servers("hsha", "hsha-again", "disruptor"), 6, 1, windows()...), nil)
	require.NoError(t, err)
	run, err := archive.Read(folder.Path)
	require.NoError(t, err)
	for i := range run.Rows {
		if run.Rows[i].Server == "hsha-again" {
			run.Rows[i].OpRate.Value *= 1.5
		}
	}
	say := strings.Join(Build(run).CompareSay, "\n")
	assert.Contains(t, say, "hsha-again, read, op rate: the A/A arm, the same server under two names, seems to differ")
	assert.Contains(t, say, "disruptor, read, op rate: the A/A arm hsha-again, the same server under a second name, seems to differ by")
}
