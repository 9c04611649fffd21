// Package cli is ringside's command line: it reads documents, starts and follows runs, and lays out their results.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/depot"
	"ringside.dev/ringside/operators/internal/document"
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
  0    everything was done, and every measurement is valid
  1    the run failed or ended early (finished measurements are exported), or something could not be exported (it is then kept
       in the cluster, and the line says how to try again)
  2    bad input; nothing was started
  3    done, but some measurements are invalid (they are marked, and compared with nothing)
  4    the cluster, Ringside's kinds, the operator or the place of archives are not there, or refuse
  5    compare --fail-on: a server is what it must not be; each line names one
  130  interrupted; a run of one's own is then stopped, not removed: the line says how to go on`

// App is the command line with everything it touches outside itself.
type App struct {
	Out, Err io.Writer
	// Terminal says that Err is one: progress is then a line that is rewritten. Width gives its columns.
	Terminal bool
	Width    func() int
	// Colour in tables on Out.
	Colour bool
	// Unicode says that Out shows more than ASCII.
	Unicode bool
	Now     func() time.Time
	// Connect makes the client of a cluster.
	Connect func(kubeconfig, context, namespace string) (*runs.Cluster, error)
	// Signals that ask to stop: the first one cleanly, the second at once.
	Signals <-chan os.Signal
	// Tick is how often progress is looked at while nothing changes.
	Tick time.Duration
	// Ask puts a question to a person and says whether the answer is yes; nil where nobody can be asked.
	Ask func(question string) bool
	// Make is the make command that this one is called by, as in "make CLUSTER=current"; commands that a person is told to go on
	// with are then make's.
	Make string
}

// failure is an error with the exit code it deserves; an empty message was already told.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func fail(code int, format string, args ...any) error {
	return &failure{code, fmt.Errorf(format, args...)}
}

// errTold ends a command whose fault was already told.
var errTold = errors.New("told")

// Main runs the command line and returns the exit code.
func (a *App) Main(ctx context.Context, args []string) int {
	log.SetOutput(io.Discard) // libraries log in words of their own (Helm: "Not a table."); what matters of it they return
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if !errors.Is(err, errTold) {
		for line := range strings.SplitSeq(strings.TrimSpace(err.Error()), "\n") {
			fmt.Fprintf(a.Err, "ringside: %s\n", line)
		}
	}
	return exitCode(err)
}

func exitCode(err error) int {
	var known *failure
	var unavailable *runs.Unavailable
	var nowhere *depot.Unavailable
	var fault document.Fault
	switch {
	case errors.As(err, &known):
		return known.code
	case errors.As(err, &unavailable), errors.As(err, &nowhere):
		return exitUnavailable
	case errors.As(err, &fault):
		return exitBadInput
	}
	return exitFailed
}

func (a *App) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "ringside",
		Short: "Compare servers of distributed stores on Kubernetes",
		Long:  "Ringside compares servers of distributed stores on Kubernetes.\n\n" + exitCodes,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fail(exitBadInput, "unknown command %q: see ringside --help", args[0])
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
		return fail(exitBadInput, "%v: see %s --help", err, cmd.CommandPath())
	})
	root.AddCommand(completionCommand())
	root.AddCommand(a.runCommand(), a.checkCommand(), a.watchCommand(), a.listCommand(), a.stopCommand(),
		a.resumeCommand(), a.removeCommand(), a.tableCommand(), a.exportCommand(), a.archiveCommand(), a.reportCommand(), a.compareCommand(),
		a.windowsCommand())
	return root
}

// atMost refuses superfluous arguments in one line.
func atMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return fail(exitBadInput, "%q is one argument too many: see %s --help", args[n], cmd.CommandPath())
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

// place is where runs live: a cluster, a folder of results, and where finished ones are archived besides.
type place struct {
	kubeconfig, context, namespace, results, archive string
}

// bind is for commands that export a run.
func (p *place) bind(cmd *cobra.Command) {
	p.bindCluster(cmd)
	cmd.Flags().StringVar(&p.archive, "archive", "", "`place`, a folder or s3://bucket/prefix, where the run is archived as well once it is finished and exported")
}

func (p *place) bindCluster(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&p.kubeconfig, "kubeconfig", "", "kubeconfig `file` (default: $KUBECONFIG, then ~/.kube/config)")
	flags.StringVar(&p.context, "context", "", "`context` of the kubeconfig (default: the current one)")
	flags.StringVar(&p.namespace, "namespace", defaultNamespace, "`namespace` that runs live in")
	p.bindResults(cmd)
}

func (p *place) bindResults(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.results, "results", defaultResults, "`folder` of results")
}

// flags are those that lead to the place again.
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

// next is the command that a person is told to go on with.
func (a *App) next(command, run string, where *place) string {
	if a.Make == "" {
		return "ringside " + command + " " + run + where.flags()
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

	defaultExperiments = "experiments"
	defaultCharts      = "charts"
	defaultImages      = "images"
)

// connect makes a client and finds out whether the cluster is up to it.
func (a *App) connect(ctx context.Context, p *place) (*runs.Cluster, error) {
	cluster, err := a.cluster(p)
	if err != nil {
		return nil, err
	}
	return cluster, cluster.Check(ctx)
}

// reach connects to a cluster to read its runs, whether or not an operator takes new ones up.
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
