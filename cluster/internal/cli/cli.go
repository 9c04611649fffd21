// Package cli implements the command line of ringside-cluster.
package cli

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/cluster/internal/cgroup"
	"ringside.dev/ringside/cluster/internal/layout"
	"ringside.dev/ringside/cluster/internal/lifecycle"
)

// Default values of the flags.
const (
	defaultState    = "build/cluster"
	defaultInstance = "ringside"
)

// PatienceVariable is the environment variable that multiplies the cluster's time-outs.
const PatienceVariable = "RINGSIDE_PATIENCE"

// patienceOf parses the value of PatienceVariable.
func patienceOf(value string) (int, error) {
	if value == "" {
		return 1, nil
	}
	factor, err := strconv.Atoi(value)
	if err != nil || factor < 1 || factor > 100 {
		return 0, fmt.Errorf("multiply the time-outs of the cluster: %s is %q; use a whole number from 1 to 100", PatienceVariable, value)
	}
	return factor, nil
}

// flags holds the flags that all commands share.
type flags struct {
	state    string
	instance string
	bin      string
}

// New returns the root command.
func New() *cobra.Command {
	var f flags
	root := &cobra.Command{
		Use:           "ringside-cluster",
		Short:         "Run a real multi-node Kubernetes cluster on one Linux host",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.PersistentFlags().StringVar(&f.state, "state", defaultState, "directory of the cluster's files, including its kubeconfig")
	root.PersistentFlags().StringVar(&f.instance, "instance", defaultInstance, "name of the cluster; use another name to run a second cluster")
	root.PersistentFlags().StringVar(&f.bin, "bin", "", "directory of the programs that cluster/build.sh builds (default: the directory of this program)")
	root.AddCommand(up(&f), down(&f), status(&f), showUsage(&f), loadImage(&f), preflightOnly(&f), forwards(&f))
	root.AddCommand(initMachine(), provision(), enforcePolicies(), serveForward(), mountImages())
	return root
}

// cluster resolves the flags. It writes progress to out, each line with the time since the start.
func (f *flags) cluster(out io.Writer) (lifecycle.Cluster, error) {
	l, err := layout.New(f.instance, f.state, f.bin)
	if err != nil {
		return lifecycle.Cluster{}, err
	}
	tree, err := cgroup.Open(l.Runtime)
	if err != nil {
		return lifecycle.Cluster{}, err
	}
	patience, err := patienceOf(os.Getenv(PatienceVariable))
	if err != nil {
		return lifecycle.Cluster{}, err
	}
	started := time.Now()
	return lifecycle.Cluster{
		Layout:   l,
		Tree:     tree,
		Now:      time.Now,
		Patience: patience,
		Say: func(format string, args ...any) {
			fmt.Fprintf(out, "[%5.1fs] %s\n", time.Since(started).Seconds(), fmt.Sprintf(format, args...))
		},
	}, nil
}
