package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/history"
	"ringside.dev/ringside/operators/internal/history/planted"
	"ringside.dev/ringside/operators/internal/profiles"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs/simulated"
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

var (
	policyElement = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)
	scriptElement = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

func TestABrowserMayRunOurScriptAndFetchNothing(t *testing.T) {
	text, _ := render(t, dedicated(t, nil))
	said := policyElement.FindStringSubmatch(text)
	require.NotNil(t, said)
	assert.Contains(t, said[1], "default-src 'none'")
	assert.Contains(t, said[1], "script-src 'none'")
	assert.Less(t, strings.Index(text, said[0]), strings.Index(text, "<style"), "before all that it rules")

	text, _ = render(t, profiled(t, nil))
	script := scriptElement.FindStringSubmatch(text)
	require.NotNil(t, script)
	sum := sha256.Sum256([]byte(script[1]))
	said = policyElement.FindStringSubmatch(text)
	require.NotNil(t, said)
	assert.Contains(t, said[1], "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
}

// A client that is sent a bundle opens what somebody else wrote.
func TestWhatARunSaysIsTextOnThePage(t *testing.T) {
	const hostile = `</script></style><img src=x onerror=alert(1)><script>alert("` + "`" + `")</script><a href="javascript:alert(1)">`
	folder := profiled(t, func(_ int, m *v1beta1.Measurement) {
		simulated.Invalidate(m, hostile)
		m.Status.Warnings = append(m.Status.Warnings, hostile)
	})
	run, err := archive.Read(folder.Path)
	require.NoError(t, err)
	run.Experiment.Spec.Description = hostile
	run.Notes = append(run.Notes, hostile)
	for i := range run.Rows {
		run.Rows[i].Server += hostile
	}
	for name := range run.Profiles {
		run.Profiles[name] = profiles.Stacks{hostile + ";" + hostile: 100}
	}
	var out strings.Builder
	require.NoError(t, Write(&out, Build(run)))
	require.Contains(t, out.String(), "alert(1)", "it is told")
	document, err := html.Parse(strings.NewReader(out.String()))
	require.NoError(t, err)
	scripts := 0
	for node := range document.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		assert.NotEqual(t, "img", node.Data)
		if node.Data == "script" {
			scripts++
		}
		for _, attribute := range node.Attr {
			assert.False(t, strings.HasPrefix(attribute.Key, "on"), "<%s %s=%q>", node.Data, attribute.Key, attribute.Val)
			assert.False(t, strings.HasPrefix(attribute.Val, "javascript:"), "<%s %s=%q>", node.Data, attribute.Key, attribute.Val)
		}
	}
	assert.LessOrEqual(t, scripts, 1, "none but ours")
}

func TestTheReportHasTheSettingsInWhichServersDifferAsTheyRan(t *testing.T) {
	proof := func(settings map[string]string, digest string) *v1beta1.Measurement {
		return &v1beta1.Measurement{Status: v1beta1.MeasurementStatus{Proof: &v1beta1.Proof{SettingsSHA256: digest, Settings: settings}}}
	}
	run := &archive.Run{
		Rows: []results.Row{{Server: "cms", Measurement: "a", Valid: true}, {Server: "g1", Measurement: "b", Valid: true}, {Server: "silent", Measurement: "c", Valid: true}},
		Measurements: map[string]*v1beta1.Measurement{
			"a": proof(map[string]string{"concurrent_reads": "32", "jvm.collectors": "ParNew, ConcurrentMarkSweep", "jvm.CMSWaitDuration": "10000"}, "1"),
			"b": proof(map[string]string{"concurrent_reads": "32", "jvm.collectors": "G1 Young Generation, G1 Old Generation"}, "2"),
			"c": proof(nil, ""),
		},
	}
	table := settingsTable(run)
	require.NotNil(t, table)
	assert.Equal(t, []string{"setting", "cms", "g1"}, table.Columns, "of a server that reports none nothing is known")
	assert.Equal(t, [][]string{
		{"jvm.CMSWaitDuration", "10000", "default"},
		{"jvm.collectors", "ParNew, ConcurrentMarkSweep", "G1 Young Generation, G1 Old Generation"},
	}, table.Rows)
	run.Measurements["b"] = run.Measurements["a"]
	assert.Nil(t, settingsTable(run), "they do not differ")
}
