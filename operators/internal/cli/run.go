package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/textfmt"
)

type runFlags struct {
	choices
	place
	detach, dryRun  bool
	invalidOK       bool
	resume, command string
	variables       []string
	format          string
}

func (a *App) runCommand() *cobra.Command { return a.runCommandOf(&runFlags{}) }

func (a *App) runCommandOf(flags *runFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run EXPERIMENT",
		Short: "Start a run, follow it, export and print its results",
		Long: "Start a run of an experiment (a file, or a name that ringside experiments lists), follow it to its end, write\n" +
			"results/<experiment>/<run>/ and print the result. The first Ctrl-C exports finished measurements and stops the run before its\n" +
			"next phase: ringside resume resumes it, ringside remove removes it with its store. The second Ctrl-C exits at once.\n\n" + exitCodes,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), first(args), flags) },
	}
	flags.builtIn = a.BuiltIn
	cmd.ValidArgsFunction = completeFiles(flags.experimentSources)
	flags.choices.bind(cmd)
	flags.bindRest(cmd)
	return cmd
}

// bindRest adds the flags that say how a run is followed and where, but not what it measures.
func (flags *runFlags) bindRest(cmd *cobra.Command) {
	flags.place.bind(cmd)
	cmd.Flags().BoolVar(&flags.detach, "detach", false, "start the run and exit without following it")
	cmd.Flags().StringVar(&flags.resume, "resume", "", "resume `RUN` instead of starting one, as ringside resume does")
	cmd.Flags().BoolVar(&flags.dryRun, "dry-run", false, "check everything and print the Experiment, without a cluster")
	cmd.Flags().BoolVar(&flags.invalidOK, "invalid-ok", false, "end with exit code 0 although measurements are invalid, as for history --fail-on invalid after it")
	cmd.Flags().StringVar(&flags.command, "command", "", "the `command` that repeats the run, for the report")
	cmd.Flags().StringArrayVar(&flags.variables, "variable", nil, "a further argument `NAME=value` of the command that repeats the run; omitted if the value is empty (may be repeated)")
	bindFormat(cmd, &flags.format)
}

// checkCommand also accepts the flags that run alone needs, because make experiment gives ARGS to both.
func (a *App) checkCommand() *cobra.Command {
	var c choices
	var s site
	var cluster bool
	cmd := &cobra.Command{
		Use:   "check EXPERIMENT",
		Short: "Check an experiment file and the flags",
		Long: "Make the checks that ringside run makes before it starts anything, for each experiment of the file. A cluster is contacted only with\n" +
			"--cluster.\n\n" + exitCodes,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := c.prepareAll(cmd.Context(), first(args))
			for _, p := range all {
				a.printLines(p.origin(), p.summary())
				a.printLines(p.changeLines(len(p.changes))...)
			}
			if err != nil || !cluster {
				return err
			}
			return a.checkSite(cmd.Context(), &s, all)
		},
	}
	s.bindCluster(cmd)
	cmd.Flags().BoolVar(&cluster, "cluster", false, "also check the cluster: its version, nodes, storage classes, and your rights to install in it; nothing is changed")
	c.builtIn = a.BuiltIn
	cmd.ValidArgsFunction = completeFiles(c.experimentSources)
	c.bind(cmd)
	rest := &cobra.Command{}
	(&runFlags{}).bindRest(rest)
	rest.Flags().VisitAll(func(flag *pflag.Flag) {
		if cmd.Flags().Lookup(flag.Name) == nil {
			flag.Hidden = true
			cmd.Flags().AddFlag(flag)
		}
	})
	return cmd
}

func bindFormat(cmd *cobra.Command, format *string) {
	cmd.Flags().StringVarP(format, "output", "o", "table", "`format`: "+strings.Join(textfmt.Formats(), ", ")+" (wide shows every measurement and every metric)")
}

func checkFormat(format string) error {
	for _, known := range textfmt.Formats() {
		if format == known {
			return nil
		}
	}
	return misused("unknown format %q: choose from %s", format, strings.Join(textfmt.Formats(), ", "))
}

// printf prints a line to Err. Only results go to Out.
func (a *App) printf(format string, args ...any) { fmt.Fprintf(a.Err, format+"\n", args...) }

// printLines prints lines to Err.
func (a *App) printLines(lines ...string) {
	for _, line := range lines {
		a.printf("%s", line)
	}
}

// maxChanges is the number of changed fields that run prints; the first screen of a run is for its progress.
const maxChanges = 8

func (a *App) run(ctx context.Context, name string, flags *runFlags) error {
	if err := checkFormat(flags.format); err != nil {
		return err
	}
	if flags.resume != "" {
		return a.resume(ctx, &flags.place, flags.resume, flags.format)
	}
	p, err := flags.prepare(ctx, name)
	if err != nil {
		return err
	}
	run := a.Now().UTC().Format(v1beta1.RunIDLayout)
	changes := p.changes
	if p.varied != "" {
		changes = append([]string{p.varied}, changes...)
	}
	annotations := map[string]string{
		runs.AnnotationCommand: flags.commandLine(a.program(), name), runs.AnnotationNote: strings.Join(p.notes(), "\n"),
		runs.AnnotationOtherServer: p.other, runs.AnnotationChanges: strings.Join(changes, "\n"),
	}
	if p.profile != nil {
		annotations[runs.AnnotationProfile] = p.profile.Metadata.Name
	}
	object, err := runs.Object(p.document.JSON(), p.name, run, annotations)
	if err != nil {
		return err
	}
	if flags.dryRun {
		return writeYAML(a.Out, object.Object)
	}
	if err := flags.reach(ctx); err != nil {
		return err
	}
	cluster, err := a.connect(ctx, &flags.place)
	if err != nil {
		return err
	}
	if err := a.refuseBehindASuspendedRun(ctx, cluster, &flags.place); err != nil {
		return err
	}
	if _, err := cluster.Create(ctx, object, true); runs.Refused(err) {
		return problem.Problem{What: "the cluster rejects the experiment", Fix: err.Error()}
	} else if err != nil {
		return err
	}
	experiment, err := cluster.Create(ctx, object, false)
	if err != nil {
		return err
	}
	a.printLines(p.origin(), p.summary())
	a.printLines(p.changeLines(maxChanges)...)
	a.printLines(p.notes()...)
	if flags.detach {
		fmt.Fprintln(a.Out, experiment.Name)
		a.printf("started %s: %s follows it, %s stops it", experiment.Name, a.next("watch", run, &flags.place), a.next("stop", run, &flags.place))
		return nil
	}
	return a.follow(ctx, cluster, experiment, followOptions{where: flags.place, format: flags.format, own: true, invalidOK: flags.invalidOK})
}

// commandLine returns the command that repeats the run.
func (f *runFlags) commandLine(program, name string) string {
	if f.command != "" {
		return f.command + f.assignments()
	}
	words := []string{program, "run", quote(name)}
	for _, flag := range []struct{ name, value, usual string }{
		{"--server", f.servers, ""}, {"--baseline", f.baseline, ""}, {"--ops", f.operations, ""}, {"--keys", f.keys, ""}, {"--rounds", f.rounds, ""}, {"--precision", f.precision, ""}, {"--budget", f.budget, ""}, {"--profile", f.profile, ""},
		{"--experiments", f.experiments, defaultExperiments}, {"--charts", f.charts, defaultCharts}, {"--images", f.images, defaultImages},
	} {
		if flag.value != "" && flag.value != flag.usual {
			words = append(words, flag.name, quote(flag.value))
		}
	}
	for _, vary := range f.vary {
		words = append(words, "--vary", quote(vary))
	}
	for _, set := range f.sets {
		words = append(words, "--set", quote(set))
	}
	return strings.Join(words, " ")
}

// assignments returns the variables that have a value, each as one word of the shell.
func (f *runFlags) assignments() string {
	var words strings.Builder
	for _, variable := range f.variables {
		if name, value, _ := strings.Cut(variable, "="); strings.TrimSpace(value) != "" {
			words.WriteString(" " + name + "=" + quote(strings.TrimSpace(value)))
		}
	}
	return words.String()
}

// quote returns text as one word of the shell.
func quote(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=,:"
	if strings.Trim(word, plain) == "" && word != "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
