package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/profiles"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// ProfileSection is what the store was seen to do under one load, by one event: a graph for each server.
type ProfileSection struct {
	Title, Explained string
	// Baseline that the other graphs are held against; empty where there is none.
	Baseline string
	Graphs   []ProfileGraph
	// Parts of the store, and what each takes of an operation on each server; nil where they are not known, or nothing adds up to a cost.
	Parts *Table
	// Groups of threads, and their shares on each server; only of CPU time.
	Groups *Table
	// Missing names the servers without a graph.
	Missing []string
}

// ProfileGraph is one server's.
type ProfileGraph struct {
	Series       int
	Server, Says string
	// Differs reports whether it can be coloured by its difference from the baseline.
	Differs bool
	// Notes on how it was taken, and on what is not in it.
	Notes []string
	SVG   template.HTML
}

// explained is what a profile of an event shows.
var explained = map[v1beta1.ProfileEvent]string{
	v1beta1.ProfileCPU:   "Where threads used the CPU",
	v1beta1.ProfileAlloc: "Where memory was allocated",
	v1beta1.ProfileLock:  "Where threads waited for locks",
	v1beta1.ProfileWall:  "Where threads were, whether they ran or not",
}

// profiles of the run, by load and event, in the order in which they were taken.
func (b *builder) profiles() {
	type subject struct {
		cell  compare.Cell
		event v1beta1.ProfileEvent
	}
	var subjects []subject
	for i := range b.run.Rows {
		if row := &b.run.Rows[i]; row.Profile != "" {
			if s := (subject{loadOf(row), row.Profile}); !slices.Contains(subjects, s) {
				subjects = append(subjects, s)
			}
		}
	}
	for _, s := range subjects {
		var all []seen
		for _, server := range b.page.Servers {
			if one, asked := b.seen(server, s.cell, s.event); asked {
				all = append(all, one)
			}
		}
		b.page.Profiles = append(b.page.Profiles, b.profileSection(s.event, b.loadName(b.measured(s.cell)), all))
	}
}

// loadOf a row whatever its latency is of: under a profile it may have none.
func loadOf(row *results.Row) compare.Cell {
	cell := compare.CellOf(row)
	cell.LatencyKind = ""
	return cell
}

// measured is the load as it was measured, for its name.
func (b *builder) measured(load compare.Cell) compare.Cell {
	for _, cell := range b.cells() {
		plain := cell
		plain.LatencyKind = ""
		if plain == load {
			return cell
		}
	}
	return load
}

// seen of a server: over several installations of the store its profiles are added up.
func (b *builder) seen(server Server, load compare.Cell, event v1beta1.ProfileEvent) (seen, bool) {
	s, asked := seen{server: server, stacks: profiles.Stacks{}}, false
	for i := range b.run.Rows {
		row := &b.run.Rows[i]
		if row.Server != server.Name || row.Profile != event || loadOf(row) != load {
			continue
		}
		asked = true
		s.add(b.run.Measurements[row.Measurement], b.run.Profiles[row.Measurement], row)
	}
	s.tree = newFlameTree(s.stacks, event)
	return s, asked
}

func (b *builder) profileSection(event v1beta1.ProfileEvent, load string, all []seen) ProfileSection {
	section := ProfileSection{Title: fmt.Sprintf("%s, %s", load, event), Explained: explained[event]}
	base := b.baselineOf(all)
	if base != nil && len(all) > 1 {
		section.Baseline = base.server.Name
	}
	for i := range all {
		s := &all[i]
		if s.tree.Total() == 0 {
			section.Missing = append(section.Missing, strings.Join(append([]string{"No profile of " + s.server.Name}, s.notes...), ": "))
			continue
		}
		var against *seen
		if base != nil && base != s {
			against = base
		}
		section.Graphs = append(section.Graphs, b.profileGraph(s, against, section.Title))
	}
	if event == v1beta1.ProfileCPU && len(section.Graphs) > 0 {
		section.Groups = groupTable(all)
	}
	if event == v1beta1.ProfileCPU || event == v1beta1.ProfileAlloc {
		section.Parts = partTable(all, profiles.PartsOf(b.run.Rows[0].Store))
	}
	return section
}

// baselineOf the profiles; nil where the baseline has none.
func (b *builder) baselineOf(all []seen) *seen {
	name := ""
	if b.run.Experiment != nil {
		name = b.run.Experiment.Spec.BaselineName()
	}
	for i := range all {
		if all[i].server.Name == name && all[i].tree.Total() > 0 {
			return &all[i]
		}
	}
	return nil
}

func (b *builder) profileGraph(s, base *seen, title string) ProfileGraph {
	b.drawings++
	graph := ProfileGraph{Series: s.server.Series, Server: s.server.Name, Differs: base != nil, Notes: append(engineNotes(s.engines), s.notes...)}
	words := flameWords{ID: fmt.Sprintf("flame%d", b.drawings), Title: s.server.Name + ", " + title, Unit: s.unit}
	var against *flameTree
	if base != nil {
		against, words.Base = base.tree, base.server.Name
	}
	drawing := layFlame(s.tree, against, defaultLimits())
	graph.Says = fmt.Sprintf("%s in %d s on %s", amount(float64(s.tree.Total()), s.unit), s.seconds, textfmt.Count(int(s.pods), "node"))
	if s.samples > 0 {
		graph.Says += ", " + textfmt.Count(int(s.samples), "sample")
	}
	if drawing.Narrow > 0 {
		graph.Notes = append(graph.Notes, fmt.Sprintf("%s below %.2g%% of the width not drawn", textfmt.Count(drawing.Narrow, "stack")+" of calls", 100*drawing.Least))
	}
	if drawing.Deep > 0 {
		graph.Notes = append(graph.Notes, fmt.Sprintf("%s cut off above a depth of %d", textfmt.Count(drawing.Deep, "stack")+" of calls", drawing.Deepest))
	}
	if against != nil {
		if missing := s.tree.Missing(against); missing >= leastGroup {
			graph.Notes = append(graph.Notes, fmt.Sprintf("%.1f%% of %s's lies in calls that are not made here: its own graph has them", 100*missing, words.Base))
		}
	}
	graph.SVG = template.HTML(drawing.SVG(words)) // our own drawing, which escapes the names in it
	return graph
}

// engineNotes report what a profile lacks because of how it was sampled.
func engineNotes(engines []string) []string {
	var notes []string
	for _, engine := range engines {
		switch engine {
		case "ctimer":
			notes = append(notes, "sampled by ctimer, a timer for each thread, for the kernel allowed no perf events: the time of a system call is its caller's, and there are no frames of the kernel")
		case "itimer":
			notes = append(notes, "sampled by itimer, one timer for the process, for the kernel allowed no perf events: it is coarse, and there are no frames of the kernel")
		}
	}
	return notes
}
