// Package report lays a run out as one HTML file that needs nothing else: no network, no script.
package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/document"
	"ringside.dev/ringside/operators/internal/progress"
	"ringside.dev/ringside/operators/internal/published"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/table"
)

// Page is all the report says.
type Page struct {
	Name, Run, Description string
	// Warning is told first: figures that mean nothing, a run that failed.
	Warnings []string
	Notes    []string
	Started  string
	State    string
	Command  string
	Servers  []Server
	Summary  []SummaryRow
	// Setup of the published figures; empty when none is shown.
	Setup      string
	Loads      []LoadSection
	Comparison []CompareRow
	Metrics    []string
	CompareTo  string
	CompareSay []string
	Validity   []ValidityLine
	Nodes      []NodeRow
	Store      []Pair
	Proofs     []ProofRow
	Plan       []Pair
	Columns    []string
	Rows       []DataRow
}

// Server and its place among the colours.
type Server struct {
	Series int
	Name   string
	Type   string
}

// Pair of a name and what it says.
type Pair struct{ Name, Value string }

// DataRow is a row of measurements.csv.
type DataRow struct {
	Measurement string
	Invalid     bool
	Warmup      bool
	Cells       []string
}

// ValidityLine counts the measurements that something is true of.
type ValidityLine struct {
	Bad  bool
	Text string
}

// NodeRow describes a node.
type NodeRow struct {
	Role string
	v1alpha1.NodeInfo
}

// ProofRow is what proved to have answered.
type ProofRow struct {
	Server, Class, Plugin, Image string
}

// Build works the page out.
func Build(run *archive.Run) *Page {
	b := &builder{run: run, page: &Page{Name: run.Name(), Run: run.ID(), Notes: slices.Clone(run.Notes)}, series: map[string]int{}}
	for i, name := range compare.Servers(run) {
		b.series[name] = i
		b.page.Servers = append(b.page.Servers, Server{i, name, b.typeOf(name)})
	}
	b.head()
	b.summary()
	b.comparison()
	b.loads()
	b.validity()
	b.environment()
	b.data()
	return b.page
}

type builder struct {
	run    *archive.Run
	page   *Page
	series map[string]int
	result *compare.Result
}

func (b *builder) typeOf(server string) string {
	for _, row := range b.run.Rows {
		if row.Server == server {
			return row.ServerType
		}
	}
	return ""
}

func (b *builder) head() {
	p, e := b.page, b.run.Experiment
	if len(b.run.Rows) > 0 {
		if at := b.run.Rows[0].StartedAt; !at.IsZero() {
			p.Started = at.UTC().Format("2006-01-02 15:04:05 UTC")
		}
	}
	if e == nil {
		p.State = "not known: the experiment's manifest is missing"
		return
	}
	p.Description = e.Spec.Description
	p.Command = e.Annotations[runs.AnnotationCommand]
	if e.Annotations[document.AnnotationNotForMeasurement] == "true" {
		p.Warnings = append(p.Warnings, "Not for measurement: this run shows that the parts work together. Its figures mean nothing.")
	}
	for line := range strings.SplitSeq(e.Annotations[runs.AnnotationNote], "\n") {
		if line != "" && !strings.HasPrefix(line, "not for measurement") {
			p.Notes = append(p.Notes, line)
		}
	}
	outcome, message := progress.End(e)
	switch outcome {
	case progress.Complete:
		p.State = fmt.Sprintf("complete: %d measurements", len(b.run.Rows))
	case progress.Failed:
		p.State = fmt.Sprintf("failed after %d of %d measurements: %s", len(b.run.Rows), e.Status.Planned, message)
		p.Warnings = append(p.Warnings, "The run "+p.State+". What was finished is below.")
	default:
		p.State = fmt.Sprintf("not finished: %d of %d measurements", len(b.run.Rows), e.Status.Planned)
		p.Warnings = append(p.Warnings, "The run was "+p.State+" when this was written.")
	}
	spec := &e.Spec
	p.Plan = append(p.Plan, Pair{"store", spec.Store.Chart + ", " + strings.ToLower(string(spec.Store.Hosting)) + " hosting"},
		Pair{"rounds", fmt.Sprintf("%d, of which %d to warm up", spec.Rounds, spec.WarmupRounds)},
		Pair{"load", fmt.Sprintf("%s, pods: %d", spec.Load.Image, spec.Load.Pods)}, Pair{"keys", strconv.FormatInt(spec.KeyCount(), 10)})
	if profile := e.Annotations[runs.AnnotationProfile]; profile != "" {
		p.Plan = append(p.Plan, Pair{"profile", profile})
	}
	if spec.Store.Values != nil {
		p.Plan = append(p.Plan, Pair{"store values", string(spec.Store.Values.Raw)})
	}
	if e.Status.Seed != nil {
		p.Plan = append(p.Plan, Pair{"seed of the order", strconv.FormatInt(*e.Status.Seed, 10)})
	}
}

func (b *builder) validity() {
	p := b.page
	reasons := map[string]int{}
	var order []string
	invalid := 0
	for i := range b.run.Rows {
		row := &b.run.Rows[i]
		if row.Valid {
			continue
		}
		invalid++
		for reason := range strings.SplitSeq(cmp.Or(strings.Join(row.InvalidReasons, results.Separator), "no reason was recorded"), results.Separator) {
			if reasons[reason] == 0 {
				order = append(order, reason)
			}
			reasons[reason]++
		}
	}
	p.Validity = append(p.Validity, ValidityLine{invalid > 0, fmt.Sprintf("%d of %d measurements are valid", len(b.run.Rows)-invalid, len(b.run.Rows))})
	for _, reason := range order {
		p.Validity = append(p.Validity, ValidityLine{true, fmt.Sprintf("invalid, %d: %s", reasons[reason], reason)})
	}
	for _, warning := range table.Warnings(b.run.Rows) {
		p.Validity = append(p.Validity, ValidityLine{false, "warning, " + warning})
	}
}

func (b *builder) environment() {
	p := b.page
	seen := map[string]bool{}
	stores := map[Pair]bool{}
	for _, row := range b.run.Rows {
		m := b.run.Measurements[row.Measurement]
		if m == nil || m.Status.Environment == nil {
			continue
		}
		for _, group := range []struct {
			role  string
			nodes []v1alpha1.NodeInfo
		}{{"store", m.Status.Environment.StoreNodes}, {"load", m.Status.Environment.LoadNodes}} {
			for _, node := range group.nodes {
				if key := group.role + node.Name; !seen[key] {
					seen[key] = true
					p.Nodes = append(p.Nodes, NodeRow{group.role, node})
				}
			}
		}
		for name, value := range m.Status.Environment.Store {
			stores[Pair{name, value}] = true
		}
	}
	for pair := range stores {
		p.Store = append(p.Store, pair)
	}
	slices.SortFunc(p.Store, func(x, y Pair) int { return cmp.Or(strings.Compare(x.Name, y.Name), strings.Compare(x.Value, y.Value)) })
	slices.SortStableFunc(p.Nodes, func(x, y NodeRow) int {
		return cmp.Or(-strings.Compare(x.Role, y.Role), strings.Compare(x.Name, y.Name))
	})
	proofs := map[ProofRow]bool{}
	for _, row := range b.run.Rows {
		proof := ProofRow{row.Server, row.ServerClass, row.PluginSHA256, row.ImageDigest}
		if !proofs[proof] {
			proofs[proof] = true
			p.Proofs = append(p.Proofs, proof)
		}
	}
	slices.SortStableFunc(p.Proofs, func(x, y ProofRow) int { return cmp.Compare(b.series[x.Server], b.series[y.Server]) })
}

func (b *builder) data() {
	b.page.Columns = results.Header()
	for i := range b.run.Rows {
		row := &b.run.Rows[i]
		b.page.Rows = append(b.page.Rows, DataRow{row.Measurement, !row.Valid, row.Warmup, row.Cells()})
	}
}

// SummaryRow is a server under one load, or a published row beside it.
type SummaryRow struct {
	Series                                                int
	Server, Load                                          string
	Published                                             bool
	Measurements, Ops, Errors                             string
	OpRate, MedianMillis, P95Millis, P999Millis, Duration string
	Of                                                    string
}

// groups by load, then by server.
func (b *builder) groups() []compare.Group {
	out := compare.Groups(b.run)
	loads := b.cells()
	slices.SortStableFunc(out, func(x, y compare.Group) int {
		return cmp.Or(cmp.Compare(slices.Index(loads, x.Cell), slices.Index(loads, y.Cell)), cmp.Compare(b.series[x.Server], b.series[y.Server]))
	})
	return out
}

// cells are the loads of the run: writes before reads, then in the order of the rows.
func (b *builder) cells() []compare.Cell {
	var out []compare.Cell
	for i := range b.run.Rows {
		if row := &b.run.Rows[i]; !row.Warmup && !slices.Contains(out, compare.CellOf(row)) {
			out = append(out, compare.CellOf(row))
		}
	}
	slices.SortStableFunc(out, func(x, y compare.Cell) int {
		return cmp.Or(-strings.Compare(x.Operation, y.Operation), cmp.Compare(x.Threads, y.Threads), cmp.Compare(x.TargetRate, y.TargetRate))
	})
	return out
}

// loadName calls a load by what tells it from the run's others.
func (b *builder) loadName(cell compare.Cell) string {
	name := cell.Operation
	for _, other := range b.cells() {
		if other.Operation != cell.Operation || other == cell {
			continue
		}
		if other.Threads != cell.Threads && !strings.Contains(name, "threads") {
			name += fmt.Sprintf(", %d threads", cell.Threads)
		}
		if other.TargetRate != cell.TargetRate && !strings.Contains(name, "rate") {
			name += fmt.Sprintf(", rate %d", cell.TargetRate)
		}
		if other.Phase != cell.Phase && !strings.Contains(name, "phase") {
			name += ", phase " + cell.Phase
		}
	}
	return name
}

func (b *builder) summary() {
	groups := b.groups()
	for i, g := range groups {
		row := SummaryRow{Series: b.series[g.Server], Server: g.Server, Load: b.loadName(g.Cell), Measurements: strconv.Itoa(len(g.Rows))}
		values := []*string{&row.OpRate, &row.MedianMillis, &row.P95Millis, nil, &row.P999Millis}
		for m, metric := range compare.Metrics() {
			if values[m] != nil {
				*values[m] = metric.Text(b.run, g.Rows)
			}
		}
		var ops, errors int64
		var took time.Duration
		for _, measured := range g.Rows { // what is not known is zero
			ops += measured.Ops.Value
			errors += measured.Errors.Value
			took += measured.OperationTime.Value
		}
		row.Ops, row.Errors = strconv.FormatInt(ops, 10), strconv.FormatInt(errors, 10)
		row.Duration = table.MinutesSeconds(results.Some(took))
		figures := published.For(g.Rows[0].Store, b.typeOf(g.Server), g.Cell.Operation)
		row.Of = shareOfPublished(row.OpRate, figures)
		b.page.Summary = append(b.page.Summary, row)
		if i+1 == len(groups) || groups[i+1].Cell != g.Cell {
			b.publishedRows(groups, g.Cell)
		}
	}
}

// publishedRows lays the published figures below the servers of a load that have some.
func (b *builder) publishedRows(groups []compare.Group, cell compare.Cell) {
	var shown []string
	for _, g := range groups {
		server := published.ServerOf(b.typeOf(g.Server))
		if g.Cell != cell || server == "" || slices.Contains(shown, server) {
			continue
		}
		shown = append(shown, server)
		for _, figure := range published.For(g.Rows[0].Store, server, cell.Operation) {
			b.page.Setup = published.Setup
			b.page.Summary = append(b.page.Summary, SummaryRow{
				Series: -1, Server: "published " + server, Load: figure.Operation, Published: true, Measurements: fmt.Sprintf("no. %d", figure.Repeat),
				OpRate: figure.OpRate, MedianMillis: figure.MedianMillis, P95Millis: figure.P95Millis, P999Millis: figure.P999Millis, Duration: figure.Time,
			})
		}
	}
}

func shareOfPublished(rate string, figures []published.Figure) string {
	ours, err := strconv.ParseFloat(rate, 64)
	if err != nil || len(figures) == 0 {
		return ""
	}
	sum := 0.0
	for _, figure := range figures {
		value, err := strconv.ParseFloat(figure.OpRate, 64)
		if err != nil {
			return ""
		}
		sum += value
	}
	return fmt.Sprintf("%.2f", ours/(sum/float64(len(figures))))
}

// CompareRow is a server against the baseline under one load, a cell for each metric.
type CompareRow struct {
	Series       int
	Server, Load string
	AA           bool
	Rounds       int
	Cells        []CompareCell
}

// CompareCell is a ratio; empty where the metric could not be compared.
type CompareCell struct{ Ratio, Interval, Verdict, Reason string }

func (b *builder) comparison() {
	result, err := compare.Within(b.run, "")
	if err != nil {
		return // one server: there is nothing to compare
	}
	b.result = result
	metrics := compare.Metrics()
	for _, metric := range metrics {
		b.page.Metrics = append(b.page.Metrics, metric.Title)
	}
	for _, cell := range b.cells() {
		for _, server := range b.page.Servers {
			row := CompareRow{Series: server.Series, Server: server.Name, Load: b.loadName(cell), Cells: make([]CompareCell, len(metrics))}
			for _, c := range result.Comparisons {
				if c.Cell != cell || c.Server != server.Name {
					continue
				}
				b.page.CompareTo, row.AA, row.Rounds = c.Baseline, c.AA, c.Rounds
				at := slices.IndexFunc(metrics, func(m compare.Metric) bool { return m.Name == c.Metric.Name })
				row.Cells[at] = compareCell(&c)
			}
			if row.Rounds > 0 {
				b.page.Comparison = append(b.page.Comparison, row)
			}
		}
	}
	for _, c := range result.Comparisons {
		if c.Reason != "" && (!c.Known() || c.AA && c.Verdict != compare.Unresolved) {
			say := c.Reason
			if c.AA && c.Known() {
				say = fmt.Sprintf("%s, %s, %s: %s", c.Server, b.loadName(c.Cell), c.Metric.Title, c.Reason)
			}
			if !slices.Contains(b.page.CompareSay, say) {
				b.page.CompareSay = append(b.page.CompareSay, say)
			}
		}
	}
	b.page.CompareSay = append(b.page.CompareSay, result.Notes...)
}

func compareCell(c *compare.Comparison) CompareCell {
	cell := CompareCell{Ratio: compare.Decimals(c.Ratio, 3), Interval: "spread not known", Verdict: string(c.Verdict), Reason: c.Reason}
	if c.Known() {
		cell.Interval = fmt.Sprintf("%.3f to %.3f", c.Low, c.High)
	}
	return cell
}
