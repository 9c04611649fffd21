package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/history"
	"ringside.dev/ringside/operators/internal/history/planted"
)

// historyOf returns the history of planted runs.
func historyOf(t *testing.T, p planted.Plan) *history.History {
	t.Helper()
	runs, err := planted.Runs(t.TempDir(), p)
	require.NoError(t, err)
	nights := history.NewNights(history.Options{}, false)
	for _, run := range runs {
		nights.Add(run, func() (*archive.Run, error) { return run, nil })
	}
	h, err := history.Of(nights, history.Options{})
	require.NoError(t, err)
	return h
}

func historyText(t *testing.T, h *history.History) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, WriteHistory(&out, h))
	return out.String()
}

func TestTheHistoryDrawsEveryRunAndItsChange(t *testing.T) {
	h := historyOf(t, planted.Plan{Runs: 16, Seed: 1, Slow: 9, Share: 0.1})
	page := BuildHistory(h)
	require.Len(t, page.Changes, 1)
	assert.Equal(t, "worse", page.Changes[0].Class)
	assert.Equal(t, "20261108-010000 and 20261109-010000", page.Changes[0].Between)
	require.Len(t, page.Figures, 1)
	figure := page.Figures[0]
	assert.Equal(t, "op rate, read", figure.Title)
	assert.Equal(t, "ratio to hsha", figure.Unit)
	require.Len(t, figure.Charts, 2)
	disruptor, xedin := figure.Charts[0], figure.Charts[1]
	assert.Equal(t, "disruptor", disruptor.Caption)
	assert.Len(t, disruptor.Lines[0].Dots, 16)
	assert.Equal(t, 2, strings.Count(disruptor.Lines[1].Path, "M"), "a level before the change and one after it")
	require.Len(t, disruptor.Faults, 1)
	assert.InDelta(t, disruptor.Lines[0].Dots[7].X, disruptor.Faults[0].Left, 0.01)
	assert.InDelta(t, disruptor.Lines[0].Dots[8].X, disruptor.Faults[0].Right, 0.01)
	assert.Empty(t, xedin.Faults)
	assert.Len(t, figure.Table.Rows, 16)

	text := historyText(t, h)
	assert.Contains(t, text, "1 change found in 16 runs of nightly")
	assert.Contains(t, text, "disruptor: plugin from 5e689e2b0167 to 555555555555")
	assert.False(t, strings.Contains(text, "<script") || strings.Contains(text, "http://") || strings.Contains(text, "https://"), "the page needs nothing else")
}

func TestTheHistoryOfOneRunIsAPage(t *testing.T) {
	text := historyText(t, historyOf(t, planted.Plan{Runs: 1, Seed: 1}))
	assert.Contains(t, text, "No change found in 1 run of nightly.")
	assert.NotContains(t, text, "NaN")
}

func TestAnAxisOfRatiosDoesNotBeginAtZeroAndDoesNotMagnifyNoise(t *testing.T) {
	near := newStretched([]float64{0.999, 1.001})
	assert.InDelta(t, 0.98, near.low, 1e-9)
	assert.InDelta(t, 1.02, near.high, 1e-9)
	apart := newStretched([]float64{0.9, 1.1})
	assert.InDelta(t, 0.88, apart.low, 1e-9)
	var labels []string
	for _, tick := range apart.ticks() {
		labels = append(labels, tick.label)
		assert.True(t, apart.place(tick.value) >= 0 && apart.place(tick.value) <= 1)
	}
	assert.Equal(t, []string{"0.9", "1", "1.1"}, labels)
	assert.Equal(t, stretched{0, 1, 1}, newStretched(nil))
}

func TestAnAxisOfRunsHasFewLabels(t *testing.T) {
	labels := make([]string, 100)
	assert.Len(t, order{labels}.ticks(), 4)
	assert.Equal(t, 0.5, order{labels[:1]}.place(0))
}
