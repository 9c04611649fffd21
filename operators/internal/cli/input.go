package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/precision"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/document"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/source"
	"ringside.dev/ringside/operators/internal/storechart"
	"ringside.dev/ringside/operators/internal/textfmt"
	"ringside.dev/ringside/operators/internal/validation"
)

// choices are the values that flags change in an experiment file. All are text: empty means not given, so that a Makefile can pass
// empty variables, and a malformed value gets an error message of this package.
type choices struct {
	servers, operations, keys, rounds string
	precision, budget                 string
	profile, baseline                 string
	sets, vary                        []string
	folders
}

func (c *choices) bind(cmd *cobra.Command) {
	c.folders.bind(cmd)
	flags := cmd.Flags()
	flags.StringVar(&c.servers, "server", "", "`servers` to compare, separated by commas (default: all servers of the experiment file)")
	flags.StringVar(&c.operations, "ops", "", "`operations` per phase (default: as in the experiment file)")
	flags.StringVar(&c.keys, "keys", "", "`number` of keys in the store (default: as in the experiment file)")
	flags.StringVar(&c.rounds, "rounds", "", "`number` of rounds (default: as in the experiment file)")
	flags.StringVar(&c.precision, "precision", "", "half-width, as in 3%, that all primary intervals must reach: the run then ends before its last round; a `share`")
	flags.StringVar(&c.budget, "budget", "", "`time`, as in 20m, after which the rounds end even if --precision is not reached")
	flags.StringVar(&c.profile, "profile", "", "profile: patches that fit the experiment to a kind of cluster; a `file`, or a name that ringside profiles lists")
	flags.StringVar(&c.baseline, "baseline", "", "`server` to compare the others with (default: as in the experiment file; with --vary, the first value's)")
	flags.StringArrayVar(&c.vary, "vary", nil, "compare the values of one setting: `path=value,value` of the store's chart, as in heap.max=1G,2G, or of the servers' type or chart; one server for each value, or for each combination (may be repeated)")
	flags.StringArrayVar(&c.sets, "set", nil, "set a field of the experiment: `path=value`, as in spec.phases.read.threads=16 (may be repeated)")
}

// prepared is an experiment that passed all checks.
type prepared struct {
	name       string
	document   *document.Document
	experiment *v1beta1.Experiment
	profile    *document.Profile
	// changes are the fields that the profile and flags changed, and skipped what the profile changes and the document does not have.
	changes, skipped []string
	charts           validation.Charts
	// other is a server that is not measured, and could be; empty if there is none.
	other string
	// varied describes what --vary made of the servers; empty without it.
	varied string
}

// prepare reads the only experiment of a file, applies the choices and checks the result; every problem is one line.
func (c *choices) prepare(ctx context.Context, name string) (*prepared, error) {
	documents, err := c.read(name)
	if err != nil {
		return nil, err
	}
	if len(documents) > 1 {
		return nil, problem.Problem{What: fmt.Sprintf("%s contains %d experiments (%s), but a run accepts one", name, len(documents), namesOf(documents)),
			Fix: "put each in its own file"}
	}
	return c.complete(ctx, documents[0])
}

// prepareAll prepares all experiments of a file. A problem in one does not hide the problems of others.
func (c *choices) prepareAll(ctx context.Context, name string) ([]*prepared, error) {
	documents, err := c.read(name)
	if err != nil {
		return nil, err
	}
	all, errs := make([]*prepared, 0, len(documents)), []error(nil)
	for _, d := range documents {
		p, err := c.complete(ctx, d)
		if err != nil && len(documents) > 1 {
			err = inDocument(d, err)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, p)
	}
	return all, errors.Join(errs...)
}

// inDocument prefixes each problem that does not name its document with the document's path.
func inDocument(d *document.Document, err error) error {
	problems := problem.All(err)
	if len(problems) == 0 {
		return fmt.Errorf("%s: %w", d.Path, err)
	}
	for i := range problems {
		if !strings.Contains(problems[i].Error(), d.Path) {
			problems[i].What = d.Path + ": " + problems[i].What
		}
	}
	return problem.Join(problems)
}

func (c *choices) read(name string) ([]*document.Document, error) {
	sources, err := c.experimentSources()
	if err != nil {
		return nil, err
	}
	file, err := document.Find(name, sources...)
	if err != nil {
		return nil, err
	}
	return document.Read(file)
}

func namesOf(documents []*document.Document) string {
	names := make([]string, len(documents))
	for i, d := range documents {
		name, err := d.Name()
		if err != nil {
			name = "one without a name"
		}
		names[i] = name
	}
	return strings.Join(names, ", ")
}

// complete applies the choices to a document and checks the result.
func (c *choices) complete(ctx context.Context, d *document.Document) (*prepared, error) {
	var err error
	out := &prepared{document: d}
	if out.name, err = d.Name(); err != nil {
		return nil, err
	}
	if err := c.overlay(out); err != nil {
		return nil, err
	}
	experiment, err := d.Experiment()
	if err != nil {
		return nil, err
	}
	charts, err := c.chartSources()
	if err != nil {
		return nil, err
	}
	loads, err := c.loadSources()
	if err != nil {
		return nil, err
	}
	chart, err := openChart(experiment.Spec.Store.Chart, charts)
	if err != nil {
		return nil, err
	}
	listed := experiment.Spec.Servers
	if err := c.selectServers(d, chart); err != nil {
		return nil, err
	}
	if err := c.checkRounds(&experiment.Spec); err != nil {
		return nil, err
	}
	if out.varied, err = c.varyServers(d); err != nil {
		return nil, err
	}
	if experiment, err = d.Experiment(); err != nil { // with the selected servers
		return nil, err
	}
	if out.varied == "" {
		out.other = otherServer(listed, experiment.Spec.Servers, chart)
	}
	if problems := validation.CheckBaseline(&experiment.Spec); len(problems) > 0 {
		return nil, problem.Join(problems)
	}
	problems, err := completeDocument(ctx, d, charts)
	if err != nil {
		return nil, err
	}
	if out.experiment, err = d.Experiment(); err != nil {
		return nil, err
	}
	open := func(name string) (*storechart.Chart, error) { return openChart(name, charts) }
	if out.charts, err = validation.OpenCharts(out.experiment.Spec, open); err != nil {
		return nil, err
	}
	if len(problems) == 0 {
		problems = validation.Check(out.experiment, out.charts, loadgen.CatalogueOf(loads...), storechart.SomeImages())
	}
	if len(problems) > 0 {
		return nil, problem.Join(problems)
	}
	if err := validation.CheckStores(ctx, out.experiment, out.charts, storechart.SomeImages()); err != nil {
		return nil, err
	}
	return out, nil
}

// overlay applies the profile, the numbers and --set to the document, in that order: the last one wins.
func (c *choices) overlay(out *prepared) error {
	d := out.document
	written := d.JSON()
	if c.profile != "" {
		profiles, err := c.profileSources()
		if err != nil {
			return err
		}
		if out.profile, err = document.ReadProfile(c.profile, profiles...); err != nil {
			return err
		}
		if out.skipped, err = out.profile.Apply(d, c.builtInExperiments()...); err != nil {
			return err
		}
	}
	adapted := d.JSON()
	if err := c.overlayNumbers(d); err != nil {
		return err
	}
	for _, set := range c.sets {
		if err := d.Set(set); err != nil {
			return err
		}
	}
	return out.noteChanges(written, adapted)
}

// noteChanges notes which fields the profile and the flags changed, and who changed each last.
func (p *prepared) noteChanges(written, adapted []byte) error {
	all, err := document.Changes(written, p.document.JSON())
	if err != nil {
		return err
	}
	flags, err := document.Changes(adapted, p.document.JSON())
	if err != nil {
		return err
	}
	for _, change := range all {
		by := "flags"
		if !slices.ContainsFunc(flags, func(f document.Change) bool { return f.Field == change.Field }) {
			by = "profile " + p.profile.Metadata.Name
		}
		p.changes = append(p.changes, fmt.Sprintf("%s (%s)", change, by))
	}
	return nil
}

func (c *choices) overlayNumbers(d *document.Document) error {
	spec := map[string]any{}
	for _, number := range []struct{ flag, text, field, fix string }{
		{"OPS (--ops)", c.operations, "operations", "use a whole number of operations, as in 100000"},
		{"KEYS (--keys)", c.keys, "keys", "use a whole number of keys, as in 100000"},
		{"ROUNDS (--rounds)", c.rounds, "rounds", "use a whole number of rounds, as in 3"},
	} {
		if number.text == "" {
			continue
		}
		value, err := strconv.ParseInt(strings.ReplaceAll(strings.TrimSpace(number.text), "_", ""), 10, 64)
		if err != nil || value < 1 {
			return problem.New(number.fix+", at least 1", "%s is %q", number.flag, number.text).Because(problem.InvalidUsage)
		}
		spec[number.field] = value
	}
	if err := c.overlayPrecision(spec); err != nil {
		return err
	}
	return d.Merge(map[string]any{"spec": spec})
}

// overlayPrecision parses --precision and --budget. Whether they fit the experiment is checked with all other fields.
func (c *choices) overlayPrecision(spec map[string]any) error {
	if text := strings.TrimSpace(c.precision); text != "" {
		if _, err := ratio.ParseShare(text); err != nil {
			return problem.New("", "PRECISION (--precision) is %s", err).Because(v1beta1.RefusedInvalidPrecision)
		}
		spec["precision"] = text
	}
	if text := strings.TrimSpace(c.budget); text != "" {
		budget, err := time.ParseDuration(text)
		if err != nil {
			return problem.New("use a time with its unit, as in 20m", "BUDGET (--budget) is %q", c.budget).Because(v1beta1.RefusedInvalidPrecision)
		}
		spec["budget"] = budget.String()
	}
	return nil
}

// checkRounds rejects a number of --rounds that leaves none after the warm-up rounds of the experiment.
func (c *choices) checkRounds(spec *v1beta1.ExperimentSpec) error {
	if c.rounds == "" || spec.WarmupRounds < spec.Rounds {
		return nil
	}
	return problem.Problem{
		What: fmt.Sprintf("ROUNDS (--rounds) is %d, but the first %d rounds are warm-up rounds", spec.Rounds, spec.WarmupRounds),
		Fix: fmt.Sprintf("use at least %d, or %d for intervals; or fewer warm-up rounds, as in --set spec.warmupRounds=0",
			spec.WarmupRounds+1, spec.WarmupRounds+ratio.MinRounds),
	}
}

// openChart opens the store's chart.
func openChart(store string, charts []source.Source) (*storechart.Chart, error) {
	chart, err := storechart.CatalogueOf(charts...).With(storechart.AllRegistries()).Open(store)
	if unknown := (problem.Problem{}); errors.As(err, &unknown) && !(v1beta1.StoreSpec{Chart: store}).InRegistry() {
		unknown.Fix += ", or name the folder of its chart with --charts"
		return nil, unknown
	}
	return chart, err
}

func (c *choices) selectServers(d *document.Document, chart *storechart.Chart) error {
	if strings.TrimSpace(c.servers) == "" {
		return nil
	}
	var names []string
	for name := range strings.SplitSeq(c.servers, ",") {
		names = append(names, strings.TrimSpace(name))
	}
	return d.SelectServers(names, chart.ServerTypes())
}

// varyServers applies --vary and --baseline.
func (c *choices) varyServers(d *document.Document) (string, error) {
	switch {
	case len(c.vary) > 0 && strings.Contains(c.servers, ","):
		return "", problem.New("name the server that the others are like", "--vary varies one server, but --server names several: %s", c.servers).Because(problem.InvalidUsage)
	case len(c.vary) > 0:
		return d.Vary(c.vary, c.baseline, c.rounds != "")
	case c.baseline != "":
		return "", d.Merge(map[string]any{"spec": map[string]any{"baseline": c.baseline}})
	}
	return "", nil
}

// otherServer returns a server of the experiment file, or else of the store, whose type is none of those that are measured; empty if there is none.
func otherServer(listed, measured []v1beta1.ServerSpec, chart *storechart.Chart) string {
	for _, kind := range chart.ServerTypes() {
		listed = append(slices.Clip(listed), v1beta1.ServerSpec{Name: kind})
	}
	at := slices.IndexFunc(listed, func(s v1beta1.ServerSpec) bool {
		return !slices.ContainsFunc(measured, func(m v1beta1.ServerSpec) bool { return m.ServerType() == s.ServerType() || m.Name == s.Name })
	})
	if at < 0 {
		return ""
	}
	return listed[at].Name
}

func completeDocument(ctx context.Context, d *document.Document, charts []source.Source) ([]problem.Problem, error) {
	api, err := document.ReadAPI(charts...)
	if err != nil || api == nil { // without the CRD file, the API server checks
		return nil, err
	}
	return api.Complete(ctx, d)
}

// origin names the files that the run is made from.
func (p *prepared) origin() string {
	var charts []string
	foreign := false
	for _, chart := range p.charts {
		charts = append(charts, chart.Where())
		foreign = foreign || chart.Digest() != ""
	}
	slices.Sort(charts)
	origin := fmt.Sprintf("experiment file: %s; chart: %s", p.document.Path, strings.Join(charts, ", "))
	if foreign {
		origin += ", which the operator must allow (storeCharts.allowed of charts/ringside)"
	}
	return origin
}

// changeLines describes what the profile and the flags changed: each field, or their number if they are more than most.
func (p *prepared) changeLines(most int) []string {
	lines := slices.Clone(p.changes)
	if len(lines) > most {
		lines = []string{fmt.Sprintf("%d fields of the experiment file are changed: ringside check with the same flags prints them", len(lines))}
	}
	for _, path := range p.skipped {
		lines = append(lines, fmt.Sprintf("profile %s: the experiment file has no %s, which the profile changes", p.profile.Metadata.Name, path))
	}
	return lines
}

// summary describes the run in a line or two.
func (p *prepared) summary() string {
	spec := &p.experiment.Spec
	var servers, phases []string
	for _, server := range spec.Servers {
		if len(spec.Servers) > 1 && server.Name == spec.BaselineName() {
			server.Name += " (baseline)"
		}
		servers = append(servers, server.Name)
	}
	for _, phase := range spec.Phases {
		text := phase.Name
		switch operations := spec.OperationCount(phase); {
		case operations > 0:
			text += fmt.Sprintf(" %d ops", operations)
		case phase.Duration != nil:
			text += " " + phase.Duration.Duration.String()
		}
		if capacity := phase.Capacity; capacity != nil {
			text += fmt.Sprintf(" at most, the highest rate with %s from %d/s on", capacity.Objective(), capacity.From)
		}
		if phase.Repeats > 1 {
			text += fmt.Sprintf(" ×%d", phase.Repeats)
		}
		text += span(phase.Sweep.Threads, "threads", "counts") + span(phase.Sweep.Connections, "connections", "counts") + span(phase.Sweep.Rates, "ops/s", "rates")
		phases = append(phases, text)
	}
	rounds := strconv.Itoa(int(spec.Rounds))
	if spec.WarmupRounds > 0 {
		rounds += fmt.Sprintf(" (%d for warm-up)", spec.WarmupRounds)
	}
	rounds += plan.OnEach(spec) + precision.Until(spec)
	measurements := strconv.Itoa(len(plan.Build(p.experiment, 0).Cells()))
	if spec.StopsByItself() {
		measurements = "at most " + measurements
	}
	summary := fmt.Sprintf("%s on %s: %s; %s; rounds %s; %s measurements", p.name, spec.Store.Name(),
		strings.Join(servers, ", "), strings.Join(phases, ", "), rounds, measurements)
	if p.varied != "" {
		summary += "\n" + p.varied
	}
	return summary
}

// span describes the values that a phase sweeps over; empty without a sweep.
func span[T int32 | int64](values []T, what, each string) string {
	if len(values) == 0 {
		return ""
	}
	return fmt.Sprintf(" at %d to %d %s (%d %s)", slices.Min(values), slices.Max(values), what, len(values), each)
}

// notes returns caveats of the figures, printed before the run.
func (p *prepared) notes() []string {
	var notes []string
	if p.experiment.Annotations[document.AnnotationNotForMeasurement] == "true" {
		notes = append(notes, "not for measurement: "+p.name+" only tests that the parts work together; its figures have no meaning")
	}
	if p.profile != nil && p.profile.Note != "" {
		notes = append(notes, "profile "+p.profile.Metadata.Name+": "+textfmt.OneLine(p.profile.Note))
	}
	return notes
}
