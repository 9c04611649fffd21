package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/archive/depot"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/history"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/report"
	"ringside.dev/ringside/operators/internal/textfmt"
)

type historyFlags struct {
	from, experiment, since, results string
	options                          history.Options
	failOn                           []string
	threshold, format, out, push     string
}

func (a *App) historyCommand() *cobra.Command {
	var flags historyFlags
	cmd := &cobra.Command{
		Use:   "history --experiment NAME",
		Short: "Show all runs of an experiment over time, and the runs from which on a server is faster or slower",
		Long: "Show all runs of an experiment in the order of time, and the runs from which on a server is faster or slower than before.\n" +
			"The figure of a run is the ratio to the baseline in the same run, which a slow machine does not change. Runs are compared only if they\n" +
			"measured the same, by the rules of ringside compare A B; other runs begin another series. Changes are looked for in the primary metric\n" +
			"of each phase (E-divisive with permutation tests: of 100 histories without a change, about one shows one). -o wide also has all other metrics.\n\n" +
			"-o csv has a row for each run, as Apache Otava reads it, and -o json has everything. The page with the drawings is written to\n" +
			"results/" + archive.ComparisonsDir + "/. A run that cannot be read is reported and left out.\n\n" +
			"--push sends runs, figures and changes to Prometheus, for the dashboard Experiment history in Grafana, and -o openmetrics prints them for\n" +
			"promtool tsdb create-blocks-from openmetrics. The variable " + history.PushAuthorization + " has the value of the header Authorization.\n\n" +
			"In a pipeline: ringside history --experiment NAME --fail-on slower,invalid --threshold 3% ends with exit code 5 if a server became slower by\n" +
			"more than 3% in the series of its latest run, else with 3 if that run has invalid measurements. Once a change is accepted, --since with the run after it keeps earlier runs out.\n\n" + exitCodes,
		Args: atMost(0),
		RunE: a.interruptible(func(ctx context.Context, _ []string) error { return a.history(ctx, &flags) }),
	}
	f := cmd.Flags()
	f.StringVar(&flags.from, "from", "", "`place` of the archived runs: a folder or s3://bucket/prefix (default: the results folder)")
	f.StringVar(&flags.experiment, "experiment", "", "`name` of the experiment (default: the only one of the place)")
	f.StringSliceVar(&flags.options.Servers, "server", nil, "only these `servers`, separated by commas")
	f.StringSliceVar(&flags.options.Metrics, "metric", nil, "look for changes in these `metrics` instead of the primary ones: "+strings.Join(compare.MetricNames(), ", "))
	f.BoolVar(&flags.options.Absolute, "absolute", false, "use the figures themselves instead of ratios to the baseline: the machine's changes are then in them")
	f.StringVar(&flags.since, "since", "", "leave out the runs that began before this `run`, or before a time, as in 20261101")
	f.StringSliceVar(&flags.failOn, "fail-on", nil, "end with exit code 5 on these `changes`: slower, faster; with invalid, end with 3 if the latest run has invalid measurements")
	f.StringVar(&flags.threshold, "threshold", "0%", "smallest `share`, as in 5%, that --fail-on acts on: changes up to it pass")
	f.StringVar(&flags.out, "out", "", "`file` to write the page to instead of the default one")
	f.StringVar(&flags.push, "push", "", "`address` for Prometheus remote write, such as http://prometheus:9090/api/v1/write, to which the history is sent")
	f.StringVar(&flags.results, "results", defaultResults, "results `folder`")
	f.StringVarP(&flags.format, "output", "o", textfmt.Text, "`format`: "+strings.Join(historyFormats(), ", ")+" (wide shows the changes of every metric)")
	return cmd
}

// historyFormats returns the formats of a history: those of tables, and that of Prometheus.
func historyFormats() []string { return append(textfmt.Formats(), history.OpenMetrics) }

// check rejects values of flags, before anything is read.
func (f *historyFlags) check() (threshold float64, err error) {
	for _, chosen := range []struct {
		flag         string
		names, known []string
	}{{"--fail-on", f.failOn, []string{string(ratio.Slower), string(ratio.Faster), failOnInvalid}}, {"--metric", f.options.Metrics, compare.MetricNames()}} {
		for _, name := range chosen.names {
			if !slices.Contains(chosen.known, name) {
				return 0, misused("%s is %q: choose from %s", chosen.flag, name, strings.Join(chosen.known, ", "))
			}
		}
	}
	if threshold, err = ratio.ParseShare(f.threshold); err != nil {
		return 0, misused("--threshold is %s", err)
	}
	if !slices.Contains(historyFormats(), f.format) {
		return 0, misused("unknown format %q: choose from %s", f.format, strings.Join(historyFormats(), ", "))
	}
	target, err := url.Parse(f.push)
	if f.push != "" && (err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https") {
		return 0, misused("--push is not the address of a server: use one such as http://prometheus:9090/api/v1/write")
	}
	return threshold, nil
}

func (a *App) history(ctx context.Context, flags *historyFlags) error {
	threshold, err := flags.check()
	if err != nil {
		return err
	}
	read, leftOut, err := a.readHistory(ctx, flags)
	if err != nil {
		return err
	}
	h, err := history.Of(read, flags.options)
	if err != nil {
		return &exitError{exitBadInput, err}
	}
	if judging := slices.ContainsFunc(flags.failOn, func(kind string) bool { return kind != failOnInvalid }); judging && !h.Judges() {
		return fail(exitBadInput, "--fail-on: no run of %s has a ratio to %s: choose a metric with --metric, or use --absolute", h.Experiment, h.Baseline)
	}
	samples, err := flags.samples(h, read)
	if err != nil {
		return err
	}
	if err := a.printHistory(h, samples, flags.format); err != nil {
		return err
	}
	out, err := flags.write(h)
	if err != nil {
		return err
	}
	a.printf("written to %s", out)
	// The exit code is that of the first error.
	return errors.Join(failsOn(h, flags.failOn, threshold), failsOnInvalid(h, flags.failOn), left(leftOut, h.Experiment), a.push(ctx, flags.push, samples))
}

// samples returns the history for Prometheus, with the figures themselves; none if nobody asks for it.
func (f *historyFlags) samples(h *history.History, read *history.Nights) ([]history.MetricSeries, error) {
	if !f.sampled() {
		return nil, nil
	}
	if f.options.Absolute {
		return h.Samples(nil), nil
	}
	figures, err := h.Absolute(read, f.options.Servers)
	if err != nil {
		return nil, err
	}
	return h.Samples(figures), nil
}

// sampled reports whether somebody asks for samples.
func (f *historyFlags) sampled() bool { return f.push != "" || f.format == history.OpenMetrics }

// push sends samples to an address; empty for none.
func (a *App) push(ctx context.Context, address string, samples []history.MetricSeries) error {
	if address == "" {
		return nil
	}
	if err := history.Push(ctx, address, os.Getenv(history.PushAuthorization), samples); err != nil {
		return err
	}
	sent := 0
	for i := range samples {
		sent += len(samples[i].Samples)
	}
	a.printf("sent %s to Prometheus", textfmt.Count(sent, "sample"))
	return nil
}

// readHistory reads the runs of the experiment, and returns how many could not be read, each of which is a line on Err.
func (a *App) readHistory(ctx context.Context, flags *historyFlags) (read *history.Nights, leftOut int, err error) {
	from := flags.from
	if from == "" {
		from = flags.results
	}
	at, err := openDepot(from)
	if err != nil {
		return nil, 0, err
	}
	all, err := at.List(ctx)
	if err != nil {
		return nil, 0, err
	}
	found, err := flags.choose(all, from)
	if err != nil {
		return nil, 0, err
	}
	since, err := a.sinceOf(ctx, flags, found)
	if err != nil {
		return nil, 0, err
	}
	count := newCount(a, "reading the runs of "+found[0].Experiment)
	defer count.screen.clear()
	read = history.NewNights(flags.options, flags.sampled())
	notes, latest, empty := repeated{}, archived{}, 0
	for i, one := range found {
		if at, is := archive.TimeOf(one.Run); is && idOf(at) < since {
			latest.see(one.Run, at)
			continue // without reading it: runs may be many, and far away
		}
		run, err := a.readArchived(ctx, one, flags.results)
		switch {
		case ctx.Err() != nil:
			return nil, 0, ctx.Err()
		case problem.IsUnavailable(err):
			return nil, 0, err
		case err != nil:
			count.screen.clear()
			a.printf("%s is left out: %s", one.Address, textfmt.OneLine(err.Error()))
			leftOut++
		case len(run.Rows) == 0: // it ended before its first measurement: nothing is damaged
			empty++
		case idOf(run.Began()) < since:
			latest.see(one.Run, run.Began())
		default:
			read.Add(run, func() (*archive.Run, error) { return a.readArchived(ctx, one, flags.results) })
			notes.add(one.Address, run.Notes)
		}
		count.show(i+1, len(found))
	}
	count.screen.clear()
	notes.print(a)
	switch {
	case read.Len() == 0 && leftOut == 0 && empty > 0:
		return nil, 0, fail(exitBadInput, "none of the %s of %s in %s has a finished measurement", textfmt.Count(empty, "run"), found[0].Experiment, from)
	case read.Len() == 0 && leftOut > 0:
		return nil, 0, fail(exitBadInput, "none of the %s of %s in %s can be read", textfmt.Count(leftOut, "run"), found[0].Experiment, from)
	case read.Len() == 0:
		return nil, 0, fail(exitBadInput, "--since is %q, but the latest run of %s is %s: use that or an earlier one", flags.since, found[0].Experiment, latest.run)
	}
	return read, leftOut, nil
}

// archived is the latest of several runs.
type archived struct {
	run string
	at  time.Time
}

func (l *archived) see(run string, at time.Time) {
	if l.run == "" || at.After(l.at) {
		l.run, l.at = run, at
	}
}

// idOf writes a time as the identifiers of runs are, which sort as text: the beginning of one is before all that begin so.
func idOf(at time.Time) string { return at.UTC().Format(v1beta1.RunIDLayout) }

// beginningOfTime is the beginning of an identifier that is a time, from the year on.
var beginningOfTime = regexp.MustCompile(`^\d{4,8}$|^\d{8}-\d{0,6}$`)

// sinceOf returns --since as a time or its beginning: a run may have another identifier.
func (a *App) sinceOf(ctx context.Context, flags *historyFlags, found []depot.Found) (string, error) {
	at := slices.IndexFunc(found, func(one depot.Found) bool { return one.Run == flags.since })
	_, isTime := archive.TimeOf(flags.since)
	switch {
	case flags.since == "" || isTime || at < 0 && beginningOfTime.MatchString(flags.since):
		return flags.since, nil
	case at < 0:
		return "", fail(exitBadInput, "--since is %q: use the identifier of an archived run of %s, or a time, as in 20261101", flags.since, found[0].Experiment)
	}
	run, err := a.readArchived(ctx, found[at], flags.results)
	switch {
	case problem.IsUnavailable(err):
		return "", err
	case err != nil:
		return "", fail(exitBadInput, "--since is %q, which cannot be read: %w", flags.since, err)
	}
	return idOf(run.Began()), nil
}

// choose returns the runs of the experiment among those of a place.
func (f *historyFlags) choose(all []depot.Found, from string) ([]depot.Found, error) {
	var names []string
	for _, one := range all {
		if !slices.Contains(names, one.Experiment) {
			names = append(names, one.Experiment)
		}
	}
	slices.Sort(names)
	name := f.experiment
	switch {
	case len(names) == 0:
		return nil, fail(exitBadInput, "there is no run in %s: ringside archive copies one there", from)
	case name == "" && len(names) == 1:
		name = names[0]
	case name == "":
		return nil, misused("no experiment given: use --experiment with one of %s", strings.Join(names, ", "))
	case !slices.Contains(names, name):
		return nil, fail(exitBadInput, "there is no run of %s in %s: choose from %s", name, from, strings.Join(names, ", "))
	}
	return slices.DeleteFunc(slices.Clone(all), func(one depot.Found) bool { return one.Experiment != name }), nil
}

// readArchived reads a run for the history. Logs and profiles are not kept: the history of a year would not fit into memory.
func (a *App) readArchived(ctx context.Context, found depot.Found, results string) (*archive.Run, error) {
	if !found.Whole {
		return nil, fmt.Errorf("the archive is incomplete: there is no %s", archive.DigestsFile)
	}
	location, err := a.locate(ctx, found.Address, results)
	if err != nil {
		return nil, err
	}
	run, err := archive.Read(location)
	switch {
	case err != nil:
		return nil, err
	case run.Lacks != "":
		return nil, errors.New(run.Lacks)
	case len(run.Rows) == 0 && run.Experiment == nil:
		return nil, errors.New(strings.Join(run.Notes, "; "))
	case run.Name() != found.Experiment || run.ID() != found.Run:
		return nil, fmt.Errorf("the folder has run %s of experiment %s", run.ID(), run.Name())
	}
	run.Logs, run.Profiles = nil, nil
	return run, nil
}

// repeated are notes of runs. A note that many runs have is printed once.
type repeated struct {
	notes []string
	runs  map[string][]string
}

func (r *repeated) add(run string, notes []string) {
	for _, note := range notes {
		if r.runs == nil {
			r.runs = map[string][]string{}
		}
		if !slices.Contains(r.notes, note) {
			r.notes = append(r.notes, note)
		}
		r.runs[note] = append(r.runs[note], run)
	}
}

func (r *repeated) print(a *App) {
	for _, note := range r.notes {
		runs := r.runs[note]
		if more := len(runs) - 1; more > 0 {
			note += fmt.Sprintf(" (and of %s)", textfmt.Count(more, "other run"))
		}
		a.printf("%s: %s", runs[0], note)
	}
}

// printHistory prints the answer and the changes, or every run in the formats for programs.
func (a *App) printHistory(h *history.History, samples []history.MetricSeries, format string) error {
	switch {
	case format == history.OpenMetrics:
		return history.WriteOpenMetrics(a.Out, samples)
	case format == "json":
		return h.WriteJSON(a.Out)
	case !textfmt.ForPeople(format):
		return h.RunsTable().Write(a.Out, format, false)
	}
	every := format == textfmt.Wide
	fmt.Fprintln(a.Out, h.Answer())
	if changes := h.Table(every); len(changes.Rows) > 0 {
		fmt.Fprintln(a.Out)
		if err := changes.Write(a.Out, format, a.Colour); err != nil {
			return err
		}
		fmt.Fprintln(a.Out)
		for _, line := range slices.Concat(h.Latest(), h.Causes(every)) {
			fmt.Fprintln(a.Out, line)
		}
	}
	for _, line := range slices.Concat(h.BreakLines(), h.Limits()) {
		fmt.Fprintln(a.Out, line)
	}
	for _, note := range h.Notes {
		a.printf("%s", note)
	}
	return nil
}

// write writes the page of the history, and returns its path.
func (f *historyFlags) write(h *history.History) (string, error) {
	var text strings.Builder
	if err := report.WriteHistory(&text, h); err != nil {
		return "", err
	}
	if f.out != "" {
		if err := os.WriteFile(f.out, []byte(text.String()), 0o644); err != nil {
			return "", fmt.Errorf("writing the history: %w", err)
		}
		return f.out, nil
	}
	folder, name := archive.Folder{Path: filepath.Join(f.results, archive.ComparisonsDir)}, h.Experiment+"-history.html"
	return filepath.Join(folder.Path, name), folder.Write(name, []byte(text.String()))
}

// failsOn returns an error that names every judged change of the kinds, beyond the threshold, that no later change undid. A series that ended
// cannot change any more: it would fail each night until somebody leaves its runs out, whatever the server does now.
func failsOn(h *history.History, kinds []string, threshold float64) error {
	var lines []string
	for i := range h.Series {
		s := &h.Series[i]
		for j := range s.Changes {
			if c := &s.Changes[j]; s.Judged && !s.Ended && slices.ContainsFunc(kinds, func(kind string) bool { return s.Stands(c, ratio.Verdict(kind), threshold) }) {
				lines = append(lines, h.Sentence(s, c))
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return fail(exitVerdict, "%s", strings.Join(lines, "\n"))
}

// failOnInvalid is the kind of --fail-on for measurements of the latest run that are not valid: they are in no series, and may be the slow ones.
const failOnInvalid = "invalid"

func failsOnInvalid(h *history.History, kinds []string) error {
	latest := &h.Runs[len(h.Runs)-1]
	if !slices.Contains(kinds, failOnInvalid) {
		return nil
	}
	return invalidOf(latest.ID, latest.Invalid, latest.Measurements)
}

// left returns the error of runs that were left out: one of them may be the one that changed.
func left(runs int, experiment string) error {
	if runs == 0 {
		return nil
	}
	return fail(exitInvalid, "%s of %s could not be read: remove what is damaged, archive it again, or leave it out with --since", textfmt.Count(runs, "run"), experiment)
}
