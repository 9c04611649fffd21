// Command soak kills parts of Ringside and of the embedded cluster while experiments run, and holds what they gave against its own log
// of what it hit: see `make soak`.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"github.com/spf13/pflag"
	ctrl "sigs.k8s.io/controller-runtime"

	"ringside.dev/ringside/operators/soak/driver"
)

// Exit codes.
const (
	exitFailed     = 1
	exitUnbalanced = 3
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	balanced, options, err := run(ctx)
	stop()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(exitFailed)
	case !balanced:
		fmt.Fprintf(os.Stderr, "soak: the books do not balance; this repeats the kills, though not what they meet: make soak %s\n", repeat(options))
		os.Exit(exitUnbalanced)
	}
	fmt.Println("soak: the books balance")
}

func run(ctx context.Context) (bool, driver.Options, error) {
	o := driver.Options{Root: ".", Out: os.Stdout}
	pflag.StringVar(&o.State, "state", "", "folder of the embedded cluster")
	pflag.StringVar(&o.Instance, "instance", "", "name of the embedded cluster")
	pflag.StringVar(&o.Namespace, "namespace", "ringside", "namespace of operator and runs")
	pflag.Int64Var(&o.Seed, "seed", time.Now().Unix(), "seed of the kills")
	pflag.IntVar(&o.Kills, "kills", 50, "how many things to kill")
	pflag.DurationVar(&o.Gap, "gap", 10*time.Second, "time between two kills, on average")
	pflag.StringVar(&o.Results, "results", "", "folder of the results and of the driver's log")
	pflag.Parse()
	ctrl.SetLogger(logr.Discard())
	for _, path := range []*string{&o.Root, &o.State, &o.Results} {
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return false, o, fmt.Errorf("find %s: %w", *path, err)
		}
		*path = absolute
	}
	o.Results = filepath.Join(o.Results, time.Now().UTC().Format("20060102-150405"))
	balanced, err := driver.Soak(ctx, o)
	return balanced, o, err
}

// repeat are the variables that make says again.
func repeat(o driver.Options) string {
	return fmt.Sprintf("SEED=%d KILLS=%d GAP=%s", o.Seed, o.Kills, o.Gap)
}
