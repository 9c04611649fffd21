package report

import (
	"encoding/base64"
	"encoding/xml"
	"errors"
	"html/template"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
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

func TestRatiosAreDrawnWhereTheyAreUnlessAnIntervalSaysNothing(t *testing.T) {
	none := math.NaN()
	for name, test := range map[string]struct {
		ratio, low, high float64
		reach            float64
	}{
		"a tenth is seen at least":              {1, 0.99, 1.01, 1.1},
		"the end of an interval":                {1.1, 0.5, 2.2, 2.2},
		"below one as above":                    {0.25, none, none, 4},
		"a ratio of hundreds, as at rest":       {259.5, none, none, 259.5},
		"an interval too wide to say anything":  {2, 0.0001, 40_000, 50},
		"a ratio that nothing else fits beside": {1e9, none, none, 1000},
		"a ratio to nothing":                    {math.Inf(1), none, none, 1.1},
	} {
		t.Run(name, func(t *testing.T) {
			comparison := compare.Comparison{Estimate: ratio.Estimate{Ratio: test.ratio, Low: test.low, High: test.high}}
			assert.InDelta(t, 1.08*math.Log(test.reach), forestReach([]compare.Comparison{comparison}), 1e-9)
		})
	}
}

func TestTicksOfRatiosAreWrittenOut(t *testing.T) {
	for at, want := range map[float64][]string{
		1.2:  {"0.909", "1", "1.1"},
		60:   {"0.02", "1", "50"},
		1500: {"0.001", "1", "1000"},
	} {
		comparison := compare.Comparison{Estimate: ratio.Estimate{Ratio: at, Low: math.NaN(), High: math.NaN()}}
		forest := newForest("", []effects{{of: []compare.Comparison{comparison}}})
		var ticks []string
		for _, tick := range forest.Layouts[0].Groups[0].Ticks {
			ticks = append(ticks, tick.Label)
		}
		assert.Equal(t, want, ticks)
	}
}

func estimate(server string, figure, low, high float64, verdict ratio.Verdict) compare.Comparison {
	return compare.Comparison{Server: server, Baseline: "hsha", Primary: true, Finding: ratio.Finding{Verdict: verdict},
		Estimate: ratio.Estimate{Ratio: figure, Low: low, High: high, Rounds: 12}}
}

func TestAForestPlacesGroupsOnOneAxisForAWidePageAndForAPhone(t *testing.T) {
	again := estimate("hsha-again", 1.01, 0.98, 1.04, ratio.Unresolved)
	again.AA = true
	read := []compare.Comparison{estimate("disruptor", 1.2, 1.1, 1.3, ratio.Faster), estimate("xedin", 0.9, 0.85, 0.95, ratio.Slower), again}
	write := []compare.Comparison{estimate("disruptor", 1.01, 0.99, 1.02, ratio.Equivalent), estimate("xedin", math.NaN(), math.NaN(), math.NaN(), ratio.Unresolved)}
	forest := newForest("", []effects{{title: "read", of: read}, {title: "none"}, {title: "write", of: write}})
	for _, layout := range forest.Layouts {
		require.Len(t, layout.Groups, 2, layout.Class)
		first, last := layout.Groups[0], layout.Groups[1]
		assert.Equal(t, first.One, last.One, "one axis")
		assert.False(t, first.Labelled)
		assert.True(t, last.Labelled)
		assert.Positive(t, first.NoiseWidth)
		assert.Zero(t, last.NoiseWidth)
		assert.Less(t, first.Bottom, last.Top)
		assert.Less(t, last.Bottom, layout.Height)
		for _, row := range first.Rows {
			assert.Less(t, row.Left, row.X, row.Server)
			assert.Less(t, row.X, row.Right, row.Server)
			assert.LessOrEqual(t, row.Right, layout.Width)
		}
		assert.Equal(t, []string{"better", "worse", ""}, []string{first.Rows[0].Class, first.Rows[1].Class, first.Rows[2].Class})
		assert.False(t, last.Rows[1].Drawn, "what is not known is named and not drawn")
	}
	wide, narrow := forest.Layouts[0].Groups[0].Rows, forest.Layouts[1].Groups[0].Rows
	assert.Equal(t, []string{"1.20 [1.10, 1.30]", "▲ faster"}, []string{wide[0].Text, wide[0].Verdict})
	assert.Equal(t, []string{"1.20 [1.10, 1.30] ▲", ""}, []string{narrow[0].Text, narrow[0].Verdict})
	assert.Equal(t, "A/A", wide[2].Verdict)
	assert.Equal(t, "hsha-again (A/A)", narrow[2].Server)
	assert.Nil(t, newForest("", []effects{{title: "none"}}))
}

func TestDifferencesHaveAnAxisOfTheirOwn(t *testing.T) {
	lost := estimate("disruptor", -3, -5, -1, ratio.Faster)
	lost.Difference = true
	forest := newForest("", []effects{{of: []compare.Comparison{estimate("disruptor", 1.2, 1.1, 1.3, ratio.Faster)}}, {of: []compare.Comparison{lost}}})
	groups := forest.Layouts[0].Groups
	assert.True(t, groups[0].Labelled)
	assert.True(t, groups[1].Labelled)
	assert.Equal(t, "-2.5", groups[1].Ticks[0].Label)
	assert.True(t, forest.Differences)
}

func TestWritesTheVerdictsAsAFileOfTheirOwn(t *testing.T) {
	_, page := render(t, paired(t))
	var out strings.Builder
	require.NoError(t, WriteForest(&out, page))
	text := out.String()
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err, "it is well formed")
	}
	for _, says := range []string{"prefers-color-scheme: dark", "cassandra-duet: servers compared with hsha", ">A/A<", ">threadedselector<", "measurements are valid", "Run 20261121-001500."} {
		assert.Contains(t, text, says)
	}
	for _, outside := range []string{"<script", "@import", "url(", "href", "ZgotmplZ", "NaN"} {
		assert.NotContains(t, text, outside)
	}
	_, alone := render(t, single(t))
	assert.ErrorIs(t, WriteForest(&out, alone), ErrNothingCompared)
}

func TestABandHoldsTheLowestTheMedianAndTheHighestOfWhatIsThere(t *testing.T) {
	nan := math.NaN()
	b := bandOf([]series{
		{x: []float64{0, 59}, y: []float64{10, 10}},
		{x: []float64{0, 59}, y: []float64{20, 79}},
		{x: []float64{0, 10}, y: []float64{5, 5}}, // ended earlier
		{x: []float64{20, 30, 40}, y: []float64{1, nan, 1}},
	})
	assert.Len(t, b.x, bandPoints)
	at := func(second int) []float64 {
		return []float64{b.x[second], b.low[second], b.mid[second], b.high[second]}
	}
	assert.Equal(t, []float64{0, 5, 10, 20}, at(0))
	assert.InDeltaSlice(t, []float64{10, 5, 10, 30}, at(10), 1e-9)
	assert.InDeltaSlice(t, []float64{15, 10, 22.5, 35}, at(15), 1e-9)
	assert.InDeltaSlice(t, []float64{20, 1, 10, 40}, at(20), 1e-9)
	assert.InDeltaSlice(t, []float64{25, 10, 27.5, 45}, at(25), 1e-9, "a broken line says nothing")
	assert.InDeltaSlice(t, []float64{59, 10, 44.5, 79}, at(59), 1e-9)
}

func TestABandEndsWhereMostOfItsLinesHave(t *testing.T) {
	b := bandOf([]series{
		{x: []float64{0, 59}, y: []float64{10, 10}},
		{x: []float64{0, 30}, y: []float64{20, 20}},
		{x: []float64{0, 20}, y: []float64{30, 30}},
	})
	assert.InDelta(t, 30, b.x[len(b.x)-1], 1e-9)
}

func TestABandOfNothingIsEmpty(t *testing.T) {
	assert.Empty(t, bandOf(nil).x)
	assert.Empty(t, bandOf([]series{{x: []float64{1, 2}, y: []float64{math.NaN(), math.NaN()}}}).x)
}

func TestFiguresAreWrittenWithTheDigitsThatCanBeReliedOn(t *testing.T) {
	for value, want := range map[float64]string{
		19539.3: "19539", 123.4: "123", 83.31: "83.3", 2.134: "2.13", 0.0214: "0.021", 0: "0.00",
	} {
		assert.Equal(t, want, digits(value))
	}
	assert.Empty(t, digits(math.NaN()))
	assert.Equal(t, "", digitsOf(""))
}

func TestOneSlowMomentDoesNotFlattenTheRest(t *testing.T) {
	assert.False(t, spreads([]series{{y: []float64{1, 2, 3, 9}}}))
	assert.True(t, spreads([]series{{y: []float64{1, 2, 3, 90}}}))
	assert.False(t, spreads([]series{{y: []float64{0, 2, 3, 90}}}), "a logarithmic axis has no place for zero")
}

func TestShowsWhatAStoreWroteReadAndKept(t *testing.T) {
	taken := map[string]int{}
	folder := dedicated(t, func(_ int, m *v1beta1.Measurement) {
		if m.Spec.Operation != "read" || m.Spec.Server == "xedin" {
			return
		}
		taken[m.Spec.Server]++
		amplification := v1beta1.Decimal("4.000")
		if taken[m.Spec.Server] == 1 {
			amplification = "1.000"
		}
		m.Status.Result.StoreIO = &v1beta1.StoreIO{WriteAmplification: amplification, SpaceAmplification: "1.200", WrittenPerOp: "333.3"}
	})
	text, page := render(t, folder)
	require.Len(t, page.StoreIO, 2, "of xedin, and of writes, nothing is known")
	shown := tableOf(t, text, "storeio")
	require.Len(t, shown, 3)
	for i, row := range page.StoreIO {
		cells := shown[i+1]
		assert.Equal(t, []string{row.Server, "read", "333.3", "3.000", "", "1.200", "3"}, cells)
	}
	plain, page := render(t, dedicated(t, nil))
	assert.Empty(t, page.StoreIO)
	assert.NotContains(t, plain, "Written, read and kept")
}
