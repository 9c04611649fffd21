// Package cli is ringside's command line: it reads experiment files, starts and follows runs, and prints their results.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"

	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/runs"
)

// Exit codes, as documented in the help.
const (
	exitDone        = 0
	exitFailed      = 1
	exitBadInput    = 2
	exitInvalid     = 3
	exitUnavailable = 4
	exitVerdict     = 5
	exitInterrupted = 130
)

const exitCodes = `Exit codes:
  0    done, and every measurement is valid
  1    the run failed or ended early (finished measurements are exported), or an export failed (the run is then kept in the
       cluster, and the message names the command that tries again)
  2    bad input; nothing was started
  3    done, but some measurements are invalid (they are marked, and left out of comparisons), or history could not read some runs
  4    the cluster, Ringside's custom resources, the operator, the archive, the registry of a chart
       or the Prometheus of history --push is missing, unreachable or denies access
  5    compare --fail-on: a condition was met; each line names one server. Likewise history --fail-on
  130  interrupted; a run that this command started is stopped, not removed: the message names the command that resumes it`

// App is the command line with all its external dependencies.
type App struct {
	Out, Err io.Writer
	// Terminal reports whether Err is a terminal: progress is then a line that is rewritten. Width returns its columns.
	Terminal bool
	Width    func() int
	// Colour enables colour in tables on Out.
	Colour bool
	// Unicode reports whether Out can show more than ASCII.
	Unicode bool
	Now     func() time.Time
	// Connect returns a client of a cluster.
	Connect func(kubeconfig, context, namespace string) (*runs.Cluster, error)
	// Config reads a kubeconfig.
	Config func(kubeconfig, context string) (*rest.Config, error)
	// Signals delivers requests to stop: the first stops cleanly, the second at once.
	Signals <-chan os.Signal
	// Tick is the interval at which progress is polled while nothing changes.
	Tick time.Duration
	// Ask asks the user a question and reports whether the answer is yes. It is nil without a terminal.
	Ask func(question string) bool
	// Make is the make command that called this one, as in "make CLUSTER=current". Commands that messages suggest are then
	// make targets.
	Make string
	// Program is the name by which the user calls this program: ringside, or kubectl ringside.
	Program string
	// BuiltIn are the files that are part of the program.
	BuiltIn BuiltIn
}

// Program returns the name by which the user calls a program of that path: kubectl calls its plugin ringside as kubectl-ringside.
func Program(path string) string {
	if name := strings.TrimSuffix(filepath.Base(path), ".exe"); name == "kubectl-ringside" {
		return "kubectl ringside"
	}
	return "ringside"
}

// exitError is an error with its exit code.
type exitError struct {
	code int
	err  error
}

func (f *exitError) Error() string { return f.err.Error() }
func (f *exitError) Unwrap() error { return f.err }

func fail(code int, format string, args ...any) error {
	return &exitError{code, fmt.Errorf(format, args...)}
}

// misused returns the error of a command line that is wrong, whatever the cluster and the archives have.
func misused(format string, args ...any) error {
	return &exitError{exitBadInput, problem.New("", format, args...).Because(problem.InvalidUsage)}
}

// errTold ends a command whose error was already printed.
var errTold = errors.New("already printed")

// Main runs the command line and returns the exit code.
func (a *App) Main(ctx context.Context, args []string) int {
	log.SetOutput(io.Discard) // libraries log what they also return as errors (Helm: "Not a table.")
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if !errors.Is(err, errTold) {
		problems := problem.All(err)
		for line := range strings.SplitSeq(strings.TrimSpace(err.Error()), "\n") {
			fmt.Fprintf(a.Err, "ringside: %s%s\n", line, reasonIn(line, problems))
		}
	}
	return exitCode(err)
}

// reasonIn returns the reason of the problem that a line describes, in brackets; empty if it has none.
func reasonIn(line string, problems []problem.Problem) string {
	for _, p := range problems {
		if p.Reason != "" && strings.Contains(line, p.Error()) {
			return fmt.Sprintf(" [%s]", p.Reason)
		}
	}
	return ""
}

func exitCode(err error) int {
	var known *exitError
	var bad problem.Problem
	switch {
	case errors.As(err, &known):
		return known.code
	case problem.IsUnavailable(err):
		return exitUnavailable
	case errors.As(err, &bad):
		return exitBadInput
	}
	return exitFailed
}

func (a *App) root() *cobra.Command {
	root := &cobra.Command{
		Use:         "ringside",
		Annotations: map[string]string{cobra.CommandDisplayNameAnnotation: a.program()},
		Short:       "Compare servers of distributed stores on Kubernetes",
		Long:        "Ringside compares servers of distributed stores on Kubernetes.\n\n" + exitCodes,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return misused("unknown command %q: see %s --help", args[0], cmd.CommandPath())
			}
			return nil
		},
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return misused("%v: see %s --help", err, cmd.CommandPath())
	})
	root.AddCommand(completionCommand(), a.versionCommand())
	root.AddCommand(a.runCommand(), a.checkCommand(), a.watchCommand(), a.listCommand(), a.stopCommand(),
		a.resumeCommand(), a.removeCommand(), a.tableCommand(), a.exportCommand(), a.archiveCommand(), a.reportCommand(), a.compareCommand(),
		a.historyCommand(), a.experimentsCommand(), a.profilesCommand(), a.installCommand(), a.prometheusCommand(), a.grafanaCommand())
	return root
}

func (a *App) program() string { return cmp.Or(a.Program, "ringside") }

// atMost rejects superfluous arguments with a one-line error.
func atMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return misused("unexpected argument %q: see %s --help", args[n], cmd.CommandPath())
		}
		return nil
	}
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// place is where runs are kept: a cluster, a results folder, and optionally an archive for finished runs.
type place struct {
	kubeconfig, context, namespace, results, archive string
}

// bind adds the flags of commands that export a run.
func (p *place) bind(cmd *cobra.Command) {
	p.bindCluster(cmd)
	cmd.Flags().StringVar(&p.archive, "archive", "", "archive the run as well, once it is finished and exported: `place` is a folder or s3://bucket/prefix")
}

func (p *place) bindCluster(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&p.kubeconfig, "kubeconfig", "", "kubeconfig `file` (default: $KUBECONFIG, then ~/.kube/config)")
	flags.StringVar(&p.context, "context", "", "`context` of the kubeconfig (default: the current one)")
	flags.StringVar(&p.namespace, "namespace", defaultNamespace, "`namespace` of the runs")
	p.bindResults(cmd)
}

func (p *place) bindResults(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.results, "results", defaultResults, "results `folder`")
}

// flags returns the flags that select the same place again.
func (p *place) flags() string {
	var words strings.Builder
	for _, flag := range []struct{ name, value, usual string }{
		{"--kubeconfig", p.kubeconfig, ""}, {"--context", p.context, ""}, {"--namespace", p.namespace, defaultNamespace}, {"--results", p.results, defaultResults}, {"--archive", p.archive, ""},
	} {
		if flag.value != "" && flag.value != flag.usual {
			words.WriteString(" " + flag.name + " " + quote(flag.value))
		}
	}
	return words.String()
}

// next returns the command that a message suggests next.
func (a *App) next(command, run string, where *place) string {
	if a.Make == "" {
		return a.program() + " " + command + " " + run + where.flags()
	}
	text := a.Make + " " + command + " RUN=" + run
	if flags := where.flags(); flags != "" {
		text += " ARGS=" + quote(strings.TrimSpace(flags))
	}
	return text
}

const (
	defaultNamespace = "ringside"
	defaultResults   = "results"
)

// connect returns a client after checking that the cluster can run experiments.
func (a *App) connect(ctx context.Context, p *place) (*runs.Cluster, error) {
	cluster, err := a.cluster(p)
	if err != nil {
		return nil, err
	}
	return cluster, cluster.Check(ctx)
}

// reach connects to a cluster to read its runs, whether or not an operator accepts new ones.
func (a *App) reach(ctx context.Context, p *place) (*runs.Cluster, error) {
	cluster, err := a.cluster(p)
	if err != nil {
		return nil, err
	}
	return cluster, cluster.Reach(ctx)
}

func (a *App) cluster(p *place) (*runs.Cluster, error) {
	namespace := p.namespace
	if namespace == "" {
		namespace = defaultNamespace
	}
	return a.Connect(p.kubeconfig, p.context, namespace)
}
