package report

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

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
