package report

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/answer"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

func servers(names ...string) []v1beta1.ServerSpec {
	var out []v1beta1.ServerSpec
	for _, name := range names {
		out = append(out, v1beta1.ServerSpec{Name: name, Type: strings.TrimSuffix(name, "-again")})
	}
	return out
}

func quorum() []v1beta1.PhaseSpec {
	operations := int64(1200)
	return []v1beta1.PhaseSpec{
		{Name: "write", Repeats: 1, Threads: 50, Operations: &operations, Consistency: "QUORUM"},
		{Name: "read", Repeats: 3, Threads: 50, Operations: &operations, Consistency: "QUORUM"},
	}
}

func windows() []v1beta1.PhaseSpec {
	window := metav1.Duration{Duration: 12 * time.Second}
	return []v1beta1.PhaseSpec{
		{Name: "write", Repeats: 1, Threads: 50, Duration: &window, Consistency: "QUORUM"},
		{Name: "read", Repeats: 1, Threads: 50, Duration: &window, Consistency: "QUORUM"},
	}
}

// dedicated is a run of three servers as make experiment makes it; paired one with an A/A arm and enough rounds.
func dedicated(t *testing.T, edit func(int, *v1beta1.Measurement)) archive.Folder {
	t.Helper()
	folder, err := simulated.Archive(t.TempDir(), simulated.Experiment("cassandra-quorum", "20261121-001500", servers("hsha", "disruptor", "xedin"), 1, 0, quorum()...), edit)
	require.NoError(t, err)
	return folder
}

func paired(t *testing.T) archive.Folder {
	t.Helper()
	folder, err := simulated.Archive(t.TempDir(), simulated.Experiment("cassandra-duet", "20261121-001500",
		servers("hsha", "hsha-again", "disruptor", "xedin", "threadedselector", "threadpool", "nonblocking"), 6, 1, windows()...), nil)
	require.NoError(t, err)
	return folder
}

// single is a run of one server, as make experiment SERVER=hsha makes it.
func single(t *testing.T) archive.Folder {
	t.Helper()
	folder, err := simulated.Archive(t.TempDir(), simulated.Experiment("cassandra-quorum", "20261121-001500", servers("hsha"), 1, 0, quorum()...), nil)
	require.NoError(t, err)
	return folder
}

// bySweep is a run of three servers over thread counts on a store without published figures.
func bySweep(t *testing.T) archive.Folder {
	t.Helper()
	window := metav1.Duration{Duration: 12 * time.Second}
	e := simulated.Experiment("stub-clients", "20261121-001500", servers("hsha", "disruptor", "threadpool"), 1, 0,
		v1beta1.PhaseSpec{Name: "read", Repeats: 1, Duration: &window, Sweep: v1beta1.Sweep{Threads: []int32{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}}})
	e.Spec.Store.Chart = "stub"
	folder, err := simulated.Archive(t.TempDir(), e, nil)
	require.NoError(t, err)
	return folder
}

func render(t *testing.T, folder archive.Folder) (string, *Page) {
	t.Helper()
	run, err := archive.Read(folder.Path)
	require.NoError(t, err)
	page := Build(run)
	var out bytes.Buffer
	require.NoError(t, Write(&out, page))
	return out.String(), page
}

func TestNumbersInTheReportAreThoseOfTheCSV(t *testing.T) {
	folder := dedicated(t, nil)
	text, page := render(t, folder)
	file, err := os.Open(filepath.Join(folder.Path, archive.MeasurementsFile))
	require.NoError(t, err)
	defer file.Close()
	rows, _, err := results.ReadCSV(file)
	require.NoError(t, err)
	require.Len(t, rows, 12)

	shown := tableOf(t, text, "measurements")
	require.Len(t, shown, 13)
	assert.Equal(t, results.Header(), shown[0])
	for i := range rows {
		assert.Equal(t, rows[i].Cells(), shown[i+1])
	}
	for _, row := range rows { // a single measurement's summary is its row
		if row.Operation != "write" {
			continue
		}
		var found []SummaryRow
		for _, s := range page.Summary {
			if s.Server == row.Server && s.Load == "write" {
				found = append(found, s)
			}
		}
		require.Len(t, found, 1)
		var want []string
		for _, name := range []string{"op_rate", "latency_median_ms", "latency_p95_ms", "latency_p999_ms"} {
			want = append(want, digitsOf(results.MustColumn(name).Encode(&row)))
		}
		assert.Equal(t, want, []string{found[0].OpRate, found[0].MedianMillis, found[0].P95Millis, found[0].P999Millis})
	}
}

func TestShowsOutcomesWithTheirSharesWhereALoadTellsThemApart(t *testing.T) {
	folder := dedicated(t, func(_ int, m *v1beta1.Measurement) {
		if m.Spec.Operation == "read" {
			n := m.Status.Result.Operations
			m.Status.Result.Outcomes = []v1beta1.Outcome{{Name: "hit", Count: n / 4}, {Name: "miss", Count: n - n/4}}
		}
	})
	text, page := render(t, folder)
	heading := tableOf(t, text, "summary")[0]
	assert.Equal(t, "outcomes", heading[len(heading)-1])
	for _, row := range page.Summary {
		switch {
		case row.Published:
		case row.Load == "read":
			assert.Equal(t, []string{"hit 900 (25.0%)", "miss 2700 (75.0%)"}, row.Outcomes)
		default:
			assert.Empty(t, row.Outcomes)
		}
	}
	text, _ = render(t, dedicated(t, nil))
	heading = tableOf(t, text, "summary")[0]
	assert.Equal(t, "errors", heading[len(heading)-1])
}

func TestTheCPUTimeOfAnOperationStandsInSummaryAndComparison(t *testing.T) {
	operations := int64(960)
	e := simulated.Experiment("interleaved", "20261121-001500", servers("hsha", "disruptor"), 3, 0,
		v1beta1.PhaseSpec{Name: "read", Repeats: 1, Threads: 50, TargetRate: 80, Operations: &operations})
	folder, err := simulated.Archive(t.TempDir(), e, func(number int, m *v1beta1.Measurement) {
		nanos := int64(600_000 + 1000*number)
		if m.Spec.Server == "disruptor" {
			nanos /= 2
		}
		m.Status.Result.StoreCPU = &v1beta1.StoreCPU{Windows: 4, Operations: 100, PerOpMicros: measure.Micros(float64(nanos)), Counters: map[string]int64{"cpu_ns": 100 * nanos}}
	})
	require.NoError(t, err)
	text, page := render(t, folder)
	assert.Contains(t, text, "CPU<br>µs/op")
	assert.Regexp(t, `^60[0-9]$`, page.Summary[0].CPU)
	assert.Regexp(t, `^30[0-9]$`, page.Summary[1].CPU)
	assert.Equal(t, "CPU per operation", page.Metrics[0])
	var verdicts []string
	for _, row := range page.Comparison {
		verdicts = append(verdicts, row.Cells[0].Verdict)
	}
	assert.Equal(t, []string{"faster"}, verdicts, "at a constant rate it is what verdicts are by")

	text, page = render(t, dedicated(t, nil))
	assert.NotContains(t, text, "CPU<br>", "of a store that does not tell")
	assert.NotContains(t, page.Metrics, "CPU per operation")
}

// tableOf gives the texts of the cells of the table with the given id.
func tableOf(t *testing.T, text, id string) [][]string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	require.NoError(t, err)
	var rows [][]string
	inside := false
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			switch n.Data {
			case "table":
				inside = false
				for _, attribute := range n.Attr {
					inside = inside || attribute.Key == "id" && attribute.Val == id
				}
			case "tr":
				if inside {
					rows = append(rows, nil)
				}
			case "td", "th":
				if inside {
					cell := ""
					if n.FirstChild != nil {
						cell = n.FirstChild.Data
					}
					rows[len(rows)-1] = append(rows[len(rows)-1], cell)
				}
			}
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child)
		}
	}
	walk(root)
	return rows
}

func TestTellsAStoresFiguresInItsOwnUnitsAndTheCSVInMilliseconds(t *testing.T) {
	e := simulated.Experiment("packets", "20261121-001500", servers("hsha", "disruptor"), 1, 0, quorum()...)
	e.Spec.Store.Chart = "other"
	e.Status.Units = &v1beta1.Units{Operations: "packets", Latency: v1beta1.LatencyMicros}
	folder, err := simulated.Archive(t.TempDir(), e, nil)
	require.NoError(t, err)
	text, page := render(t, folder)
	run, err := archive.Read(folder.Path)
	require.NoError(t, err)
	row := run.Rows[slices.IndexFunc(run.Rows, func(r results.Row) bool { return r.Operation == "write" })]
	at := slices.IndexFunc(page.Summary, func(s SummaryRow) bool { return s.Server == row.Server && s.Load == "write" })
	assert.Equal(t, digits(row.P95.Value.Seconds()*1e6), page.Summary[at].P95Millis)
	assert.Contains(t, text, "packets<br>1/s")
	assert.Contains(t, text, "95th<br>µs")
	assert.NotContains(t, text, "<br>ms")
	for _, load := range page.Loads {
		for _, figure := range load.Figures {
			assert.NotContains(t, figure.Unit, "ms", figure.Title)
		}
	}
	assert.Equal(t, results.Header(), tableOf(t, text, "measurements")[0])
}

func TestLaysOutWhatStoresUsedAtRestAndDrawsNoLoad(t *testing.T) {
	window := metav1.Duration{Duration: 10 * time.Second}
	e := simulated.Experiment("resting", "20261121-001500", servers("hsha", "disruptor"), 3, 0,
		v1beta1.PhaseSpec{Name: "idle", Repeats: 1, Type: v1beta1.PhaseIdle, Duration: &window})
	cores := map[string]v1beta1.Decimal{"hsha": "0.0100", "disruptor": "1.5000"}
	folder, err := simulated.Archive(t.TempDir(), e, func(_ int, m *v1beta1.Measurement) {
		m.Status.Result.StoreCPU = &v1beta1.StoreCPU{Windows: 10, IdleCores: cores[m.Spec.Server]}
	})
	require.NoError(t, err)
	text, page := render(t, folder)
	require.Len(t, page.Rest, 2)
	for _, row := range page.Rest {
		assert.Equal(t, string(cores[row.Server]), row.Cores)
		assert.Equal(t, "3", row.Measurements)
	}
	assert.Empty(t, page.Summary)
	assert.NotContains(t, text, "No valid measurement was finished")
	assert.Equal(t, []string{"CPU at rest"}, page.Metrics)
	require.Len(t, page.Comparison, 1)
	assert.Equal(t, "150.000", page.Comparison[0].Cells[0].Ratio)
	require.Len(t, page.Loads, 1)
	assert.Empty(t, page.Loads[0].Figures)
	assert.Empty(t, page.Loads[0].Missing)
	assert.Nil(t, page.Loads[0].Forest, "there is no metric but the one of the verdicts")
	require.NotNil(t, page.Answer.Forest)
	assert.Equal(t, "Unresolved: on idle disruptor (3 rounds without any difference between them: no spread is no certainty, one figure may have been counted several times).", page.Answer.Open, "rounds without a spread are no certainty")
}

func TestDrawsASweepOverItsThreadCounts(t *testing.T) {
	text, page := render(t, bySweep(t))
	require.Len(t, page.Loads, 1)
	assert.Equal(t, "read, by threads", page.Loads[0].Name)
	var titles []string
	for _, figure := range page.Loads[0].Figures {
		titles = append(titles, figure.Title)
		require.Len(t, figure.Charts, 1, figure.Title)
		assert.Len(t, figure.Table.Rows, 11, figure.Title)
		chart := figure.Charts[0]
		assert.Len(t, chart.Lines, 3, figure.Title)
		assert.Len(t, chart.Lines[0].Dots, 11, figure.Title)
		var labels []string
		for _, tick := range chart.XTicks {
			labels = append(labels, tick.Label)
		}
		assert.Equal(t, strings.Fields("1 2 4 8 16 32 64 128 256 512 1024"), labels)
	}
	assert.Equal(t, []string{"op rate by threads", "median by threads", "95th by threads", "99.9th by threads"}, titles)
	require.Len(t, page.Summary, 33)
	assert.Equal(t, "read, 1 thread", page.Summary[0].Load)
	assert.Equal(t, "read, 1024 threads", page.Summary[32].Load)
	assert.Empty(t, page.Setup, "the published figures are of another store")
	assert.NotContains(t, text, "Published:")
}

// byRate is a run of three servers over offered rates, in three rounds; what missed its rate is invalid, as the gate has it.
func byRate(t *testing.T) archive.Folder {
	t.Helper()
	window := metav1.Duration{Duration: 12 * time.Second}
	e := simulated.Experiment("stub-rates", "20261121-001500", servers("hsha", "disruptor", "threadpool"), 3, 0,
		v1beta1.PhaseSpec{Name: "read", Repeats: 1, Threads: 8, Duration: &window, Sweep: v1beta1.Sweep{Rates: []int64{20, 40, 60, 200}}})
	e.Spec.Store.Chart = "stub"
	folder, err := simulated.Archive(t.TempDir(), e, func(_ int, m *v1beta1.Measurement) {
		if m.Spec.TargetRate == 200 {
			simulated.Invalidate(m, "target rate: less was answered")
		}
	})
	require.NoError(t, err)
	return folder
}

func TestDrawsLatencyOverTheOfferedLoadAndMissedRatesAsNoPoint(t *testing.T) {
	text, page := render(t, byRate(t))
	require.Len(t, page.Loads, 1)
	assert.Equal(t, "read, by offered rate", page.Loads[0].Name)
	var titles []string
	for _, figure := range page.Loads[0].Figures {
		titles = append(titles, figure.Title)
		require.Len(t, figure.Charts, 3, "a chart for each server, for each has a band")
		for i, server := range []string{"hsha", "disruptor", "threadpool"} {
			chart := figure.Charts[i]
			assert.Equal(t, server, chart.Caption)
			own := chart.Lines[len(chart.Lines)-1]
			assert.Len(t, own.Dots, 3, "the rate that was missed is no point")
			assert.Len(t, chart.Crosses, 1, "but it is drawn")
			assert.Greater(t, chart.Crosses[0].X, own.Dots[2].X)
			require.Len(t, chart.Bands, 1)
			assert.Equal(t, server == "hsha", chart.Crosses[0].Series == 0)
		}
		last := figure.Table.Rows[3]
		assert.Equal(t, []string{"200", "missed 3 of 3", "missed 3 of 3", "missed 3 of 3"}, last)
		assert.Contains(t, figure.Table.Rows[0][1], " to ", "the band in figures")
		assert.Contains(t, figure.Note, "less than 99% of the rate was answered")
	}
	// 12 s at these rates are too few operations for more.
	assert.Equal(t, []string{"median by offered rate", "95th by offered rate"}, titles)
	assert.Contains(t, text, `class="cross c0"`)
}

func TestDrawsWhatSearchesForACapacityFoundAndHow(t *testing.T) {
	minute := metav1.Duration{Duration: time.Minute}
	e := simulated.Experiment("stub-capacity", "20261121-001500", servers("hsha", "disruptor"), 3, 0, v1beta1.PhaseSpec{
		Name: "read", Type: v1beta1.PhaseCapacity, Repeats: 1, Threads: 8, Duration: &minute,
		Capacity: &v1beta1.CapacitySpec{Percentile: "99.9", Bound: metav1.Duration{Duration: 20 * time.Millisecond}, From: 500},
	})
	e.Spec.Store.Chart = "stub"
	folder, err := simulated.Archive(t.TempDir(), e, nil)
	require.NoError(t, err)
	text, page := render(t, folder)
	require.Len(t, page.Loads, 1)
	found, tried := page.Loads[0].Figures[0], page.Loads[0].Figures[1]
	assert.Equal(t, "Capacity: highest rate with p99.9 <= 20ms", found.Title)
	assert.Len(t, found.Charts[0].Lines[0].Dots, 3, "one for each round")
	require.Len(t, tried.Charts, 2)
	assert.Equal(t, "disruptor", tried.Charts[1].Caption)
	assert.NotEmpty(t, tried.Charts[0].Crosses)
	assert.Len(t, tried.Table.Rows, 6)
	assert.NotContains(t, text, "NaN")
	assert.NotContains(t, text, "over time", "rates that were chosen say nothing over time")
}

func TestDrawsEachKindOfOperationOfAMixedLoad(t *testing.T) {
	folder := dedicated(t, func(_ int, m *v1beta1.Measurement) {
		if m.Spec.Operation == "read" {
			latency := m.Status.Result.Latencies[0]
			m.Status.Result.ByOperation = []v1beta1.OperationFigures{{Operation: "READ", Operations: 1, OpRate: "1.0", Latency: latency}, {Operation: "UPDATE", Operations: 1, OpRate: "1.0", Latency: latency}}
		}
	})
	_, page := render(t, folder)
	titles := map[string][]string{}
	for _, load := range page.Loads {
		for _, figure := range load.Figures {
			titles[load.Name] = append(titles[load.Name], figure.Title)
		}
	}
	assert.Subset(t, titles["read"], []string{"Latency by percentile", "Latency by percentile, READ", "Latency by percentile, UPDATE"})
	assert.NotContains(t, titles["write"], "Latency by percentile, READ")
}

func TestNeedsNothingOutsideItself(t *testing.T) {
	text, _ := render(t, dedicated(t, nil))
	for _, outside := range []string{"http://", "https://", "<script", "<link rel=\"stylesheet\"", "@import", "url("} {
		assert.NotContains(t, text, outside)
	}
	assert.NotContains(t, text, "NaN")
	assert.NotContains(t, text, "ZgotmplZ", "what the template engine writes where it refuses")
}

func TestShowsWhatIsThereOfAHalfFinishedRun(t *testing.T) {
	folder := dedicated(t, func(number int, m *v1beta1.Measurement) {
		if number == 2 {
			simulated.Invalidate(m, "3 operations failed")
		}
	})
	require.NoError(t, os.RemoveAll(filepath.Join(folder.Path, "hlog")))
	require.NoError(t, os.Remove(filepath.Join(folder.Path, "manifests", "experiment.yaml")))
	text, page := render(t, folder)
	assert.Contains(t, text, "plan and environment are not known: there is no manifests/experiment.yaml")
	assert.Contains(t, text, "11 of 12 measurements are valid")
	assert.Contains(t, text, "invalid, 1: 3 operations failed")
	assert.Contains(t, text, "measurements have no readable log")
	assert.NotEmpty(t, page.Summary)
	measured := 0
	for _, row := range page.Rows {
		if row.Invalid {
			measured++
		}
	}
	assert.Equal(t, 1, measured, "the invalid row is shown")
}

func TestShowsATableAloneWhenNothingElseIsThere(t *testing.T) {
	folder := dedicated(t, nil)
	require.NoError(t, os.RemoveAll(filepath.Join(folder.Path, "hlog")))
	require.NoError(t, os.RemoveAll(filepath.Join(folder.Path, "manifests")))
	text, page := render(t, folder)
	assert.Contains(t, text, "12 of 12 rows have no manifest")
	for _, row := range page.Summary {
		if row.Load == "read" && !row.Published {
			assert.NotEmpty(t, row.OpRate)
			assert.Empty(t, row.P95Millis, "percentiles of several measurements need their histograms")
		}
	}
}

func TestPlacesPercentilesByTheirDistanceTo100(t *testing.T) {
	var axis percentiles
	for percentile, place := range map[float64]float64{0: 0, 90: 0.2, 99: 0.4, 99.9: 0.6, 99.99: 0.8, 99.999: 1, 100: 1} {
		assert.InDelta(t, place, axis.place(percentile), 1e-6, "%v", percentile)
	}
}

func TestAxesEndAtRoundNumbers(t *testing.T) {
	assert.Equal(t, linear{500, 2000}, newLinear(1800))
	assert.Equal(t, linear{25, 100}, newLinear(99))
	assert.Equal(t, logarithmic{2, 100}, newLogarithmic(2.5, 83.3))
	assert.Equal(t, logarithmic{1, 10}, newLogarithmic(0, 5), "no value at all")
	var labels []string
	for _, tick := range newLogarithmic(2.5, 83.3).ticks() {
		labels = append(labels, tick.label)
	}
	assert.Equal(t, []string{"2", "5", "10", "20", "50", "100"}, labels)
}

func TestTheReportBeginsWithTheAnswerInTheWordsOfTheTerminal(t *testing.T) {
	folder := paired(t)
	text, page := render(t, folder)
	run, err := archive.Read(folder.Path)
	require.NoError(t, err)
	result, err := compare.Within(run, compare.Defaults())
	require.NoError(t, err)
	found := answer.Of(run, result)
	var says []string
	for _, sentence := range append(page.Answer.Sentences, page.Answer.More...) {
		says = append(says, sentence.Text)
	}
	require.Len(t, says, len(found.Sentences))
	for i, sentence := range found.Sentences {
		assert.Equal(t, sentence.Text, says[i])
	}
	assert.Equal(t, found.Open, page.Answer.Open)
	assert.Equal(t, found.Validity(), page.Answer.Limits[0])
	first := strings.Index(text, `<section id="answer">`)
	require.Positive(t, first)
	assert.Less(t, first, strings.Index(text, "<h2>Summary</h2>"))
	assert.Less(t, strings.Index(text, `class="forest desk"`), strings.Index(text, "What this does not say"))
	assert.Contains(t, text, "at most 5 installations of the store, one for each round")
}

func TestARunOfOneServerBeginsWithWhatItDid(t *testing.T) {
	text, page := render(t, single(t))
	require.NotEmpty(t, page.Answer.Sentences)
	assert.Regexp(t, `^write: hsha answers \d+`, page.Answer.Sentences[0].Text)
	assert.Contains(t, page.Answer.Sentences[0].Text, "published, on other machines")
	assert.Nil(t, page.Answer.Forest)
	assert.Contains(t, text, "nothing is compared")
}

func TestColumnsThatFewNeedAreMarkedInTheirHeadsAndTheirCells(t *testing.T) {
	text, page := render(t, dedicated(t, nil))
	require.Len(t, page.Verdicts, len(page.Metrics))
	assert.True(t, page.Verdicts[0], "what verdicts are by comes first")
	assert.False(t, page.Verdicts[len(page.Verdicts)-1])
	for _, class := range []string{`class="more"`, `class="roomy"`} {
		heads := strings.Count(text, "<th "+class)
		require.Positive(t, heads)
		assert.GreaterOrEqual(t, strings.Count(text, "<td "+class), heads)
	}
}
