// Command ringside runs comparisons of servers, follows them and prints their results.
package main

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	_ "golang.org/x/crypto/x509roots/fallback" // for buckets: the image of this program has no certificates of authorities
	"golang.org/x/term"
	"helm.sh/helm/v4/pkg/kube"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"ringside.dev/ringside/charts"
	"ringside.dev/ringside/experiments"
	"ringside.dev/ringside/images"
	"ringside.dev/ringside/operators/internal/cli"
	"ringside.dev/ringside/operators/internal/runs"
)

func main() {
	klog.SetLogger(klog.Logger{}) // messages of libraries would break the progress line
	ctrl.SetLogger(klog.Logger{})
	kube.ManagedFieldsManager = "helm" // as in the helm command: otherwise fields that one of the two set would be conflicts for the other
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	isTerminal := func(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
	app := &cli.App{
		Out: os.Stdout, Err: os.Stderr,
		Terminal: isTerminal(os.Stderr) && os.Getenv("TERM") != "dumb",
		Width: func() int {
			width, _, err := term.GetSize(int(os.Stderr.Fd()))
			if err != nil {
				return 80
			}
			return width
		},
		Colour:  isTerminal(os.Stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
		Unicode: unicode(),
		Now:     time.Now,
		Connect: runs.Connect,
		Config:  runs.Config,
		Signals: signals,
		Tick:    time.Second,
		Make:    os.Getenv("RINGSIDE_MAKE"), // the make command that called this program
		Program: cli.Program(os.Args[0]),
		BuiltIn: builtIn(),
	}
	if isTerminal(os.Stdin) && isTerminal(os.Stderr) {
		app.Ask = func(question string) bool { return cli.Confirm(os.Stdin, os.Stderr, question) }
	}
	os.Exit(app.Main(context.Background(), os.Args[1:]))
}

// builtIn returns the files that make the program independent of a checkout.
func builtIn() cli.BuiltIn {
	return cli.BuiltIn{Experiments: experiments.Files, Charts: charts.Files, Loads: images.Loads}
}

// unicode reports whether the locale's character set is UTF-8, from the variables of POSIX in their order.
func unicode() bool {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG"))
	return strings.Contains(strings.ToUpper(strings.ReplaceAll(locale, "-", "")), "UTF8")
}
