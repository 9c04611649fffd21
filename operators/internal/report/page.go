// Package report renders a run as one HTML file that needs nothing else: no network, and no script but one to search profiles, where there
// are any.
package report

import (
	"html/template"
	"slices"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Page is the content of the report.
type Page struct {
	Name, Run, Description string
	// Warnings come first: figures that mean nothing, a run that failed.
	Warnings []string
	Notes    []string
	Started  string
	State    string
	Command  string
	Answer   Answer
	Servers  []Server
	Summary  []SummaryRow
	Rest     []RestRow
	// Recoveries of stores that were killed.
	Recoveries []RecoveryRow
	// Faults of nodes under a load.
	Faults []FaultRow
	// StoreIO is what the stores wrote and read, of stores that report it.
	StoreIO []IORow
	// Outcomes reports whether a load distinguishes outcomes.
	Outcomes bool
	// CPU reports whether the rows of the summary have the store's CPU time.
	CPU bool
	// Setup of the published figures; empty when none is shown. Middle reports whether some are of the middle 80% of the intervals, Said what
	// was published in words.
	Setup  string
	Middle bool
	Said   []string
	// Operations are what the store calls them, RateTitle how many of them a second, Latency the unit of latencies.
	Operations, RateTitle, Latency string
	Loads                          []LoadSection
	Profiles                       []ProfileSection
	Comparison                     []CompareRow
	Metrics                        []string
	// Verdicts reports, for each of Metrics, whether some load has its verdicts by it.
	Verdicts  []bool
	CompareTo string
	// PublishedRatios reports whether some rows of the comparison have one.
	PublishedRatios bool
	CompareSay      []string
	// Differences reports whether some of them are no ratios.
	Differences bool
	Validity    []ValidityLine
	Nodes       []NodeRow
	Store       []Pair
	Proofs      []ProofRow
	// Settings in which servers differ as they ran; nil where that is not known of two, or they do not.
	Settings *Table
	Plan     []Pair
	Columns  []string
	Rows     []DataRow
	// CSV and CompareCSV are the two tables as files that a link holds.
	CSV, CompareCSV template.URL
}

// Server and its place among the colours.
type Server struct {
	Series int
	Name   string
	Type   string
}

// Build works the page out.
func Build(run *archive.Run) *Page {
	b := &builder{run: run, page: &Page{Name: run.Name(), Run: run.ID(), Notes: slices.Clone(run.Notes)}, series: map[string]int{}, units: run.Units()}
	for i, name := range compare.Servers(run) {
		b.series[name] = i
		b.page.Servers = append(b.page.Servers, Server{i, name, b.typeOf(name)})
	}
	b.setUnits()
	b.head()
	b.summary()
	b.rest()
	b.recoveries()
	b.faults()
	b.storeIO()
	b.comparison()
	b.answer()
	b.loads()
	b.profiles()
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
	units  textfmt.Units
	// drawings of profiles so far, for their names.
	drawings int
}

// metrics for where there is no room for all, in the store's own units.
func (b *builder) metrics() []compare.Metric {
	metrics := compare.TableMetrics(b.run.Rows)
	for i := range metrics {
		metrics[i] = metrics[i].In(b.units)
	}
	return metrics
}

// setUnits sets the units of the store's figures.
func (b *builder) setUnits() {
	b.page.Operations, b.page.RateTitle, b.page.Latency = "ops", "op rate", b.units.Latency()
	if b.units.Named() {
		b.page.Operations, b.page.RateTitle = b.units.Operations(), b.units.Operations()
	}
}

func (b *builder) typeOf(server string) string {
	for _, row := range b.run.Rows {
		if row.Server == server {
			return row.ServerType
		}
	}
	return ""
}
