package history

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// level is the probability of a false change point in a history: the smallest that lets twenty runs show a change within a few runs.
const level = 0.01

// Options choose the series.
type Options struct {
	// Servers are the servers to show; empty for all.
	Servers []string
	// Metrics are the judged metrics; empty for the primary metric of each load.
	Metrics []string
	// Absolute uses the figures themselves instead of their ratios to the baseline.
	Absolute bool
}

// ErrNoRuns reports that there is no run to show.
var ErrNoRuns = errors.New("there is no run")

// Of returns the history of runs of one experiment.
func Of(nights *Nights, o Options) (*History, error) {
	b, err := build(nights, o)
	if err != nil {
		return nil, err
	}
	b.find()
	return b.history, nil
}

// build returns the series of a history, without changes.
func build(from *Nights, o Options) (*builder, error) {
	if from.Len() == 0 {
		return nil, ErrNoRuns
	}
	nights := slices.Clone(from.all)
	slices.SortStableFunc(nights, func(a, b *night) int {
		return cmp.Or(a.run.Began().Compare(b.run.Began()), cmp.Compare(a.run.ID(), b.run.ID()))
	})
	b := &builder{from: from, nights: nights, options: o, history: &History{Experiment: nights[0].run.Name(), Level: level}}
	for _, one := range nights {
		b.runs = append(b.runs, one.run)
	}
	if !o.Absolute {
		b.chooseBaseline()
	}
	if err := b.chooseServers(); err != nil {
		return nil, err
	}
	b.figures()
	b.group()
	b.series()
	b.noteInvalid()
	if len(o.Metrics) > 0 && !slices.ContainsFunc(b.history.Series, func(s Series) bool { return s.Judged }) {
		return nil, fmt.Errorf("no run has figures of %s: choose from %s", strings.Join(o.Metrics, ", "), textOr(b.measured(), "none"))
	}
	return b, nil
}

// baselineOf returns the baseline of a run.
func baselineOf(run *archive.Run) string {
	if run.Experiment != nil && run.Experiment.Spec.BaselineName() != "" {
		return run.Experiment.Spec.BaselineName()
	}
	if servers := compare.Servers(run); len(servers) > 0 {
		return servers[0]
	}
	return ""
}

// chooseBaseline sets the baseline of most runs that compare servers; of several, that of the latest. A run of selected servers, without the
// experiment's baseline, has another one: compared with that, a change of it would look like a change of all others.
func (b *builder) chooseBaseline() {
	compared := slices.DeleteFunc(slices.Clone(b.runs), func(run *archive.Run) bool { return len(compare.Servers(run)) < 2 })
	if len(compared) == 0 {
		compared = b.runs
	}
	runs := map[string][]string{}
	for _, run := range compared {
		runs[baselineOf(run)] = append(runs[baselineOf(run)], run.ID())
	}
	most := 0
	for _, run := range compared {
		if name := baselineOf(run); len(runs[name]) >= most {
			b.history.Baseline, most = name, len(runs[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		if own := runs[name]; name != b.history.Baseline {
			b.note("runs are compared with %s, the baseline of most; that of %s, the latest of them %s, is %s", b.history.Baseline,
				textfmt.Count(len(own), "run"), own[len(own)-1], name)
		}
	}
}

type builder struct {
	from   *Nights
	nights []*night
	// runs are those of the nights.
	runs    []*archive.Run
	options Options
	servers []string
	history *History
	// found has the figures of each run.
	found []figures
	// groups are those of each server, with its baseline.
	groups map[string]grouping
}

// chooseServers sets the servers to show, in the order of the latest runs.
func (b *builder) chooseServers() error {
	var all []string
	for _, run := range slices.Backward(b.runs) {
		for _, server := range compare.Servers(run) {
			if !slices.Contains(all, server) && server != b.history.Baseline {
				all = append(all, server)
			}
		}
	}
	for _, server := range b.options.Servers {
		switch {
		case server == b.history.Baseline:
			return fmt.Errorf("%s is the baseline, and its ratio to itself is 1; choose another server, or absolute figures", server)
		case !slices.Contains(all, server):
			return fmt.Errorf("no server %q was measured: choose from %s", server, textOr(all, "none"))
		}
	}
	b.servers = all
	if len(b.options.Servers) > 0 {
		b.servers = slices.DeleteFunc(all, func(server string) bool { return !slices.Contains(b.options.Servers, server) })
	}
	return nil
}

// figures takes the figures of each run.
func (b *builder) figures() {
	var failed []string
	reasons := map[string]bool{}
	baseline := b.history.Baseline
	if b.options.Absolute {
		baseline = absoluteFigures
	}
	for _, one := range b.nights {
		found, err := b.from.figures(one, baseline)
		if err != nil {
			failed = append(failed, err.Error())
			reasons[strings.ReplaceAll(err.Error(), one.run.ID(), "")] = true
		}
		b.found = append(b.found, found)
	}
	if len(failed) == len(b.runs) && len(b.runs) > 1 && len(reasons) == 1 {
		failed = []string{failed[0] + ", and so it is with all other runs"}
	}
	for _, line := range failed {
		b.note("%s", line)
	}
}

// measured returns the names of all metrics that a run has.
func (b *builder) measured() []string {
	var names []string
	for i := range b.history.Series {
		if name := b.history.Series[i].Metric.Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (b *builder) note(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(b.history.Notes, line) {
		b.history.Notes = append(b.history.Notes, line)
	}
}

// series makes a series of the figures of each server, load, metric and group.
func (b *builder) series() {
	var cells []compare.Cell
	for _, found := range slices.Backward(b.found) {
		for _, cell := range found.cells {
			if !slices.Contains(cells, cell) {
				cells = append(cells, cell)
			}
		}
	}
	for _, cell := range cells {
		for _, metric := range compare.Metrics() {
			for _, server := range b.servers {
				b.history.Series = append(b.history.Series, b.ofServer(server, cell, cells, metric)...)
			}
		}
	}
}

// ofServer returns the series of a server's figures, one for each group of runs.
func (b *builder) ofServer(server string, cell compare.Cell, cells []compare.Cell, metric compare.Metric) []Series {
	var out []Series
	groups := b.groups[server]
	for group, last := range groups.last {
		s := Series{Server: server, Cell: cell, Load: loadName(cell, cells), Metric: metric, Group: group + 1, Ended: last < slices.Max(groups.last)}
		s.Unmeasured = !s.Ended && !b.measures(last, server, cell)
		s.Ended = s.Ended || s.Unmeasured
		primary, latest := 0, false
		for i, found := range b.found {
			if groups.of[i] != s.Group {
				continue
			}
			point, there := found.at(place{server, cell, metric.Name})
			if !there {
				if b.measures(i, server, cell) {
					s.Missing = append(s.Missing, i)
				}
				continue
			}
			point.Run = i
			s.Points = append(s.Points, point)
			if latest = found.primary[cell] == metric.Name; latest {
				primary++
			}
		}
		if len(s.Points) > 0 {
			s.Primary = latest || 2*primary >= len(s.Points)
			s.Judged = s.Primary
			if len(b.options.Metrics) > 0 {
				s.Judged = slices.Contains(b.options.Metrics, metric.Name)
			}
			out = append(out, s)
		}
	}
	return out
}

// measures reports whether a run measured a load with a server and its baseline, with or without a valid result.
func (b *builder) measures(run int, server string, cell compare.Cell) bool {
	return !slices.ContainsFunc(b.with(server), func(name string) bool { return !slices.Contains(loadsOf(b.runs[run], name), loadOf(cell)) })
}

// noteInvalid notes each server and load of which no run of a group has a valid figure: there is no series that could list them as missing.
func (b *builder) noteInvalid() {
	compared := ""
	if b.history.Baseline != "" {
		compared = " to compare with " + b.history.Baseline
	}
	for _, server := range b.servers {
		of := b.groups[server].of
		for group := range b.groups[server].last {
			var loads []compare.Cell
			runs := map[compare.Cell][]string{}
			for i, run := range b.runs {
				if of[i] != group+1 {
					continue
				}
				for _, load := range loadsOf(run, server) {
					if runs[load] == nil {
						loads = append(loads, load)
					}
					runs[load] = append(runs[load], run.ID())
				}
			}
			for _, load := range loads {
				if own := runs[load]; !slices.ContainsFunc(b.history.Series, func(s Series) bool {
					return s.Server == server && s.Group == group+1 && loadOf(s.Cell) == load
				}) {
					b.note("%s has no valid figure of %s%s in any of %s, the latest of them %s: a change there is not found",
						server, loadName(load, loads), compared, textfmt.Count(len(own), "comparable run"), own[len(own)-1])
				}
			}
		}
	}
}

// loadsOf returns the loads of a server in a run, whether or not its measurements are valid.
func loadsOf(run *archive.Run, server string) []compare.Cell {
	var loads []compare.Cell
	for i := range run.Rows {
		row := &run.Rows[i]
		if load := loadOf(compare.CellOf(row)); row.Server == server && !row.Warmup && !slices.Contains(loads, load) {
			loads = append(loads, load)
		}
	}
	return loads
}

// loadOf returns what is known of a load without a result.
func loadOf(cell compare.Cell) compare.Cell {
	cell.LatencyKind = ""
	return cell
}

// loadName returns a name of a load that is unique among all: that of its phase, unless another load has it, too.
func loadName(cell compare.Cell, cells []compare.Cell) string {
	alone := !slices.ContainsFunc(cells, func(other compare.Cell) bool { return other.Phase == cell.Phase && other != cell })
	switch {
	case !alone || cell.Phase == "":
		return cell.NameAmong(cells)
	case cell.TargetRate > 0:
		return fmt.Sprintf("%s, %d/s", cell.Phase, cell.TargetRate)
	}
	return cell.Phase
}

// find looks for changes in all series. The level is divided among the judged series that are long enough for a change.
func (b *builder) find() {
	judged := 0
	for i := range b.history.Series {
		if s := &b.history.Series[i]; s.Judged && len(s.Points) >= FewestRuns(level) {
			judged++
		}
	}
	b.history.SeriesLevel = level / float64(max(judged, 1))
	for i := range b.history.Series {
		s := &b.history.Series[i]
		s.find(b.history.SeriesLevel)
		for j := range s.Changes {
			c := &s.Changes[j]
			c.Differs = differ(b.runs[c.Before], b.runs[c.After], b.with(s.Server)...)
		}
	}
}
