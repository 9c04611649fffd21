// Command evaluate sends every query of the dashboards for a run's store to a Prometheus. It fails if a query fails or
// returns nothing.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/spf13/cobra"

	"ringside.dev/ringside/dashboards/evaluate"
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/metrics"
)

type options struct {
	url, folder     string
	experiment, run string
	from, to        string
	back, timeout   time.Duration
	only            []string
	measurements    string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "evaluate:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:           "evaluate --url http://127.0.0.1:9090 --experiment NAME --run RUN",
		Short:         "Send every query of the dashboards of a run's store to a Prometheus; fail if any fails or returns no data",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(c *cobra.Command, _ []string) error {
			return o.evaluate(c.Context(), c.InOrStdin(), c.OutOrStdout())
		},
	}
	flags := c.Flags()
	flags.StringVar(&o.url, "url", "http://127.0.0.1:9090", "address of Prometheus")
	flags.StringVar(&o.folder, "dashboards", "charts/monitoring/dashboards", "folder of the dashboards' JSON")
	flags.StringVar(&o.experiment, "experiment", "", "name of the experiment (required)")
	flags.StringVar(&o.run, "run", "", "the run (required)")
	flags.StringVar(&o.from, "from", "", "begin of the time range, RFC 3339; empty: when the run's first load pod was up")
	flags.StringVar(&o.to, "to", "", "end of the time range, RFC 3339; empty: when its last one was")
	flags.DurationVar(&o.back, "back", 24*time.Hour, "how far back to look for the run")
	flags.DurationVar(&o.timeout, "timeout", 5*time.Minute, "for everything together")
	flags.StringSliceVar(&o.only, "only", nil, "files of dashboards; empty: those of the run's store")
	flags.StringVar(&o.measurements, "measurements", "",
		"file with kubectl get measurements -o json (- is standard input), to compare with what Prometheus has of them")
	for _, required := range []string{"experiment", "run"} {
		if err := c.MarkFlagRequired(required); err != nil {
			panic(err) // the flag was defined above
		}
	}
	return c
}

func (o options) evaluate(ctx context.Context, stdin io.Reader, w io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	dashboards, err := evaluate.Load(o.folder)
	if err != nil {
		return err
	}
	client, err := api.NewClient(api.Config{Address: o.url})
	if err != nil {
		return fmt.Errorf("--url %s: %w", o.url, err)
	}
	prometheus := v1.NewAPI(client)
	times, err := o.times(ctx, prometheus)
	if err != nil {
		return err
	}
	if dashboards, err = o.choose(ctx, prometheus, dashboards, times); err != nil {
		return err
	}
	given := evaluate.Values{metrics.LabelExperiment: o.experiment, metrics.LabelRun: o.run}
	answers, err := evaluate.All(ctx, prometheus, dashboards, given, times)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s %s, from %s to %s\n\n", o.experiment, o.run, times.From.UTC().Format(time.RFC3339), times.To.UTC().Format(time.RFC3339))
	err = evaluate.Print(w, answers)
	if o.measurements == "" {
		return err
	}
	return errors.Join(err, o.compare(ctx, prometheus, times, stdin, w))
}

// choose returns the requested dashboards.
func (o options) choose(ctx context.Context, prometheus evaluate.Prometheus, all []evaluate.Dashboard, times evaluate.Times) ([]evaluate.Dashboard, error) {
	if len(o.only) == 0 {
		store, err := evaluate.StoreOf(ctx, prometheus, o.loadOfRun(), times)
		if err != nil {
			return nil, err
		}
		return evaluate.OfStore(all, store), nil
	}
	wanted := slices.DeleteFunc(all, func(d evaluate.Dashboard) bool { return !slices.Contains(o.only, d.File) })
	if len(wanted) != len(o.only) {
		return nil, fmt.Errorf("--only %v: not all of these are in %s", o.only, o.folder)
	}
	return wanted, nil
}

// loadOfRun selects a series of each of the run's load pods.
func (o options) loadOfRun() string {
	return fmt.Sprintf(`%s{%s=%q, %s=%q}`, metrics.LoadPhaseInfo, metrics.LabelExperiment, o.experiment, metrics.LabelRun, o.run)
}

// compare compares the run's measurements with what Prometheus collected.
func (o options) compare(ctx context.Context, prometheus evaluate.Prometheus, times evaluate.Times, stdin io.Reader, w io.Writer) error {
	content, err := o.read(stdin)
	if err != nil {
		return fmt.Errorf("--measurements: %w", err)
	}
	var list v1alpha1.MeasurementList
	if err := json.Unmarshal(content, &list); err != nil {
		return fmt.Errorf("--measurements %s: %w", o.measurements, err)
	}
	of := slices.DeleteFunc(list.Items, func(m v1alpha1.Measurement) bool { return m.Spec.Experiment != o.experiment || m.Spec.Run != o.run })
	agreements, err := evaluate.Agree(ctx, prometheus, of, times)
	if err != nil {
		return err
	}
	fmt.Fprintln(w)
	return evaluate.PrintAgreements(w, agreements)
}

func (o options) read(stdin io.Reader) ([]byte, error) {
	if o.measurements == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(o.measurements)
}

func (o options) times(ctx context.Context, prometheus evaluate.Prometheus) (evaluate.Times, error) {
	if (o.from == "") != (o.to == "") {
		return evaluate.Times{}, errors.New("--from and --to go together")
	}
	if o.from == "" {
		return evaluate.TimesOf(ctx, prometheus, o.loadOfRun(), time.Now(), o.back)
	}
	from, err := time.Parse(time.RFC3339, o.from)
	if err != nil {
		return evaluate.Times{}, fmt.Errorf("--from: %w", err)
	}
	to, err := time.Parse(time.RFC3339, o.to)
	if err != nil {
		return evaluate.Times{}, fmt.Errorf("--to: %w", err)
	}
	if !to.After(from) {
		return evaluate.Times{}, fmt.Errorf("--to %s is not after --from %s", o.to, o.from)
	}
	return evaluate.Times{From: from, To: to}, nil
}
