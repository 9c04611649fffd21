// Package compare compares the servers of a run, or two runs: ratios with intervals, verdicts on primary metrics, and what limits them.
package compare

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/results"
)

// Result is the result of a comparison.
type Result struct {
	Comparisons []Comparison
	// Notes list, one line each, what was omitted and caveats of the figures.
	Notes []string
	// Gaps list, one line each, loads under which a server, or any verdict, is missing.
	Gaps []string
	// Different is the note of two runs that did not measure the same; else empty.
	Different string
	// declared holds the declared primary metric of each load, absent the servers that were not measured under a load.
	declared map[Cell]string
	absent   map[string][]string
}

// Options of a comparison.
type Options struct {
	// Baseline is the server that the others of a run are compared with. Default: the experiment's.
	Baseline string
	// Primary is the primary metric of all loads. Default: the experiment's.
	Primary string
	// Margin is the margin of equivalence of all metrics of its kind. 0 disables their equivalence. Default, also of the other kind: the
	// experiment's.
	Margin *ratio.Distance
	// AllowDifferent allows a comparison of runs that did not measure the same.
	AllowDifferent bool
}

// Defaults returns the options of a run's own comparison.
func Defaults() Options { return Options{} }

// Within compares the servers of one run with the baseline.
func Within(run *archive.Run, options Options) (*Result, error) {
	servers, baseline := Servers(run), options.Baseline
	if len(servers) == 0 {
		return nil, fmt.Errorf("run %s has no measurements: %w", run.ID(), ErrNothingToCompare)
	}
	if baseline == "" && run.Experiment != nil {
		baseline = run.Experiment.Spec.BaselineName()
	}
	baseline = cmp.Or(baseline, servers[0])
	if !slices.Contains(servers, baseline) {
		return nil, fmt.Errorf("run %s has no server %q to compare with: choose from %s", run.ID(), baseline, strings.Join(servers, ", "))
	}
	if len(servers) < 2 {
		return nil, fmt.Errorf("run %s has one server, %s: %w", run.ID(), baseline, ErrNothingToCompare)
	}
	var result Result
	base := Arm{run, baseline}
	for _, server := range servers {
		if server != baseline {
			result.add(base, Arm{run, server}, baseline, server)
		}
	}
	result.adjustForSpeed(run, baseline)
	result.conclude(run, options)
	return &result, nil
}

// ErrNothingToCompare reports that there is only one thing to compare.
var ErrNothingToCompare = errors.New("there is nothing to compare it with")

// Runs compares the servers that two runs have in common; a is the baseline.
func Runs(a, b *archive.Run, options Options) (*Result, error) {
	var result Result
	inB := Servers(b)
	var shared []string
	for _, server := range Servers(a) {
		if slices.Contains(inB, server) {
			shared = append(shared, server)
		}
	}
	for _, server := range shared {
		result.add(Arm{a, server}, Arm{b, server}, a.ID()+"/"+server, b.ID()+"/"+server)
	}
	duet := func(row results.Row) bool { return row.Peer != "" }
	switch {
	case len(result.Comparisons) > 0:
	case slices.ContainsFunc(slices.Concat(a.Rows, b.Rows), duet):
		return nil, fmt.Errorf("runs %s and %s cannot be compared: in a duet, the figures of a server depend on the other of its pair; compare the servers of each run alone",
			a.ID(), b.ID())
	case len(shared) == 0:
		return nil, fmt.Errorf("runs %s (%s) and %s (%s) have no server in common: %w", a.ID(), strings.Join(Servers(a), ", "),
			b.ID(), strings.Join(inB, ", "), ErrNothingToCompare)
	default:
		result.noteAbsent()
		return nil, fmt.Errorf("runs %s and %s have no load in common (%s): %w", a.ID(), b.ID(), strings.Join(result.Gaps, results.Separator), ErrNothingToCompare)
	}
	if err := result.checkSame(a, b, shared, options); err != nil {
		return nil, err
	}
	result.conclude(a, options)
	return &result, nil
}

// Arms compares two servers of one run.
func Arms(base, other Arm, options Options) (*Result, error) {
	var result Result
	result.add(base, other, base.Server, other.Server)
	for _, server := range Servers(base.Run) {
		if again := (Arm{base.Run, server}); server != other.Server && isAA(base, again) { // its noise also limits this comparison
			result.add(base, again, base.Server, server)
		}
	}
	if len(result.Comparisons) == 0 {
		return nil, fmt.Errorf("%s and %s were not measured under the same load: %w", base.Server, other.Server, ErrNothingToCompare)
	}
	result.conclude(base.Run, options)
	return &result, nil
}

// Servers returns the servers of a run, in the experiment's order if known, else in the order of the rows.
func Servers(run *archive.Run) []string {
	var there, ordered []string
	for _, row := range run.Rows {
		if !slices.Contains(there, row.Server) {
			there = append(there, row.Server)
		}
	}
	if run.Experiment != nil {
		for _, server := range run.Experiment.Spec.Servers {
			if slices.Contains(there, server.Name) {
				ordered = append(ordered, server.Name)
			}
		}
	}
	for _, server := range there {
		if !slices.Contains(ordered, server) {
			ordered = append(ordered, server)
		}
	}
	return ordered
}

func (r *Result) add(base, other Arm, baseName, otherName string) {
	kinds := kindsOf(base.Run, other.Run)
	a, b := draw(base, other.Server, kinds), draw(other, base.Server, kinds)
	aa, differ := isAA(base, other), settingsDiffer(base, other)
	if aa && askedToDiffer(base, other) {
		r.note(fmt.Sprintf("%s was configured to differ from %s, but both ran with the same settings: they are an A/A pair, and not compared as variants", otherName, baseName))
	}
	if r.declared == nil {
		r.declared, r.absent = map[Cell]string{}, map[string][]string{}
	}
	cells := slices.Clone(a.cells)
	for _, cell := range b.cells {
		if !slices.Contains(cells, cell) {
			cells = append(cells, cell)
		}
	}
	for _, cell := range cells {
		absent := ""
		switch {
		case a.rows[cell] == nil:
			absent = baseName
		case b.rows[cell] == nil:
			absent = otherName
		}
		if absent != "" {
			if names := r.absent[cell.String()]; !slices.Contains(names, absent) {
				r.absent[cell.String()] = append(names, absent)
			}
			continue
		}
		rows := append(a.all(cell), b.all(cell)...)
		for _, metric := range Metrics() {
			if metric.AtRest != atRest(rows) || !slices.ContainsFunc(rows, metric.has) {
				continue
			}
			c := Comparison{Baseline: baseName, Server: otherName, arms: [2]Arm{base, other}, Cell: cell, Metric: metric, AA: aa, Duet: b.duets[cell], SettingsDiffer: differ,
				Published: publishedRatio(base, other, cell, metric)}
			c.estimate(a.figures(cell, metric), b.figures(cell, metric), base.Run == other.Run)
			c.Scope = scopeOf(base, other, c.Estimate)
			r.Comparisons = append(r.Comparisons, c)
		}
		r.declared[cell] = declared(base.Run, cell.Phase)
	}
}

func (r *Result) note(text string) {
	if !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}

// noteAbsent notes the servers that were not measured under a load.
func (r *Result) noteAbsent() {
	for _, load := range slices.Sorted(maps.Keys(r.absent)) {
		r.Gaps = append(r.Gaps, fmt.Sprintf("%s was not measured with %s", load, strings.Join(r.absent[load], ", ")))
	}
}

// atRest reports whether rows are those of an idle phase.
func atRest(rows []results.Row) bool {
	return slices.ContainsFunc(rows, func(row results.Row) bool { return row.AtRest() })
}
