package scale

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Figures are the results for one size.
type Figures struct {
	Size Size
	// Calls has the operator's requests per measurement, by verb and resource.
	Calls map[string]float64
	// CPU is the operator's CPU time per measurement. Each is the time from the creation of a measurement to that of
	// the next.
	CPU, Each time.Duration
	Division  division
	// Median and P99 are latencies of reconciles.
	Median, P99 time.Duration
	// Resident is the operator's memory at the end, Peak its maximum; Heap is that of the Go heap.
	Resident, Peak, Heap int64
	// Idle is the operator's CPU use after the run has ended, as a share of a core.
	Idle float64
	// Scrape is the duration of a scrape of the operator's metrics.
	Scrape      time.Duration
	ScrapeBytes int64
	// Export is the time of the run's export by the command, Report that of its report alone.
	Export, Report         time.Duration
	ExportPeak, ReportPeak int64
	CSVBytes, ReportBytes  int64
	// MeasurementBytes and ExperimentBytes are the sizes of the largest objects as JSON.
	MeasurementBytes, ExperimentBytes int
}

// measure measures the costs of a size.
func (c *cluster) measure(ctx context.Context, size Size, history string, say func(format string, args ...any)) (*Figures, error) {
	if err := c.grow(ctx, size.Nodes); err != nil {
		return nil, err
	}
	e, err := size.experiment()
	if err != nil {
		return nil, err
	}
	if err := c.client.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: size.namespace()}}); err != nil {
		return nil, fmt.Errorf("make a namespace: %w", err)
	}
	say("%d nodes; filling in %d measurements of the past", size.Nodes, size.History)
	if err := c.fillHistory(ctx, size, history); err != nil {
		return nil, err
	}
	if err := c.client.Create(ctx, e); err != nil {
		return nil, fmt.Errorf("begin a run: %w", err)
	}
	say("and %d of the run's", size.Measurements()-repeats)
	if err := c.fillRun(ctx, size, e); err != nil {
		return nil, err
	}
	playing, stopPlaying := context.WithCancel(ctx)
	l := &loads{cluster: c, namespace: size.namespace(), pods: int32(size.Pods), failed: make(chan error, 1)}
	defer l.done.Wait()
	defer stopPlaying()
	if err := l.watch(playing); err != nil {
		return nil, err
	}
	o, err := c.startOperator(ctx, size)
	if err != nil {
		return nil, err
	}
	defer o.stop()
	out := &Figures{Size: size}
	say("the operator is up; %d measurements are being taken", repeats)
	if err := c.observe(ctx, o, l, e, out); err != nil {
		return nil, err
	}
	say("the operator takes %s, %s at most; %s of CPU and %s per measurement; exporting", mebibytes(out.Resident), mebibytes(out.Peak), rounded(out.CPU), rounded(out.Each))
	return out, c.export(ctx, size, out)
}

// operatorProcess is the operator's own binary, run as in its image.
type operatorProcess struct {
	*process
	metrics string
}

func (c *cluster) startOperator(ctx context.Context, size Size) (*operatorProcess, error) {
	metricsPort, err := freePort()
	if err != nil {
		return nil, err
	}
	healthPort, err := freePort()
	if err != nil {
		return nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", metricsPort)
	const memoryLimit = "GOMEMLIMIT=536870912" // the chart's limit
	p, err := start(ctx, c.folder, "operator-"+size.namespace(), c.binaries.Operator, []string{"KUBECONFIG=" + c.operator, memoryLimit},
		"--namespace="+size.namespace(), "--charts-dir="+c.binaries.Charts, "--loads-dir="+c.binaries.Loads, "--image-registry=registry.example", "--image-tag=simulated",
		"--meter-image=registry.example/ringside-operator:simulated", "--leader-election=true", "--metrics-address="+address, fmt.Sprintf("--health-address=127.0.0.1:%d", healthPort))
	return &operatorProcess{process: p, metrics: address}, err
}

// observe measures the operator from the end of its first measurement to the end of the run.
func (c *cluster) observe(ctx context.Context, o *operatorProcess, l *loads, e *v1alpha1.Experiment, out *Figures) error {
	reach := func(what string, reached func(*v1alpha1.Experiment) bool) error {
		return c.until(ctx, what, func(ctx context.Context) (bool, error) {
			select {
			case err := <-l.failed:
				return false, err
			default:
			}
			if err := o.alive(); err != nil {
				return false, err
			}
			if err := c.client.Get(ctx, client.ObjectKeyFromObject(e), e); err != nil {
				return false, err
			}
			if failed := meta.FindStatusCondition(e.Status.Conditions, v1alpha1.ConditionFailed); failed != nil && failed.Status == metav1.ConditionTrue {
				return false, errors.New(failed.Message)
			}
			return reached(e), nil
		})
	}
	planned := int32(out.Size.Measurements())
	first := planned - repeats + 1
	if err := reach("the first measurement is taken", func(e *v1alpha1.Experiment) bool { return e.Status.Finished >= first }); err != nil {
		return err
	}
	began, from := time.Now(), e.Status.Finished
	before, err := o.usage()
	if err != nil {
		return err
	}
	told, err := scrapeOperator(ctx, o.metrics)
	if err != nil {
		return err
	}
	if err := reach("the last measurement is taken", func(e *v1alpha1.Experiment) bool { return e.Status.Finished >= planned }); err != nil {
		return err
	}
	ended := time.Now()
	after, err := o.usage()
	if err != nil {
		return err
	}
	latest, err := scrapeOperator(ctx, o.metrics)
	if err != nil {
		return err
	}
	text, err := sizeOf(e)
	if err != nil {
		return err
	}
	out.ExperimentBytes = text
	if e.Status.Invalid > 0 {
		return fmt.Errorf("%d of %d measurements are invalid", e.Status.Invalid, e.Status.Finished)
	}
	measured := int(planned - from)
	out.Each, out.CPU = ended.Sub(began)/time.Duration(measured), (after.cpu-before.cpu)/time.Duration(measured)
	out.Median, out.P99 = quantile(told, latest, 0.5), quantile(told, latest, 0.99)
	events, err := readAudit(c.auditLog, began, ended)
	if err != nil {
		return err
	}
	out.Division = divide(events)
	out.Calls = map[string]float64{}
	for what, n := range countCalls(events) {
		out.Calls[what] = float64(n) / float64(measured)
	}
	if err := reach("the run has ended", func(e *v1alpha1.Experiment) bool { return e.Status.FinishedAt != nil }); err != nil {
		return err
	}
	return c.rest(ctx, o, out)
}

// rest measures the idle operator after the run has ended.
func (c *cluster) rest(ctx context.Context, o *operatorProcess, out *Figures) error {
	const idle, scrapes = 10 * time.Second, 9
	before, err := o.usage()
	if err != nil {
		return err
	}
	select {
	case <-time.After(idle):
	case <-ctx.Done():
		return ctx.Err()
	}
	after, err := o.usage()
	if err != nil {
		return err
	}
	out.Idle = (after.cpu - before.cpu).Seconds() / idle.Seconds()
	var took []time.Duration
	for range scrapes {
		told, err := scrapeOperator(ctx, o.metrics)
		if err != nil {
			return err
		}
		took, out.ScrapeBytes, out.Heap = append(took, told.took), told.bytes, int64(told.heap)
	}
	slices.Sort(took)
	out.Scrape = took[len(took)/2]
	out.Resident, out.Peak = after.resident, after.peak
	return nil
}

// export exports the run as a user does, and writes its report again.
func (c *cluster) export(ctx context.Context, size Size, out *Figures) error {
	results := filepath.Join(c.folder, size.namespace())
	where := []string{"--results", results}
	exported, err := finish(ctx, c.binaries.Ringside, append([]string{"export", "scale", "--kubeconfig", c.admin, "--namespace", size.namespace()}, where...)...)
	if err != nil {
		return err
	}
	reported, err := finish(ctx, c.binaries.Ringside, append([]string{"report"}, where...)...)
	if err != nil {
		return err
	}
	out.Export, out.ExportPeak, out.Report, out.ReportPeak = exported.took, exported.peak, reported.took, reported.peak
	return filepath.WalkDir(results, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		into := map[string]*int64{"measurements.csv": &out.CSVBytes, "report.html": &out.ReportBytes}[entry.Name()]
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if into != nil {
			*into = info.Size()
		}
		if filepath.Base(filepath.Dir(path)) == "measurements" {
			out.MeasurementBytes = max(out.MeasurementBytes, int(info.Size()))
		}
		return nil
	})
}

// kinds returns the kinds of requests in order.
func kinds(all []*Figures) []string {
	every := map[string]bool{}
	for _, f := range all {
		for what := range f.Calls {
			every[what] = true
		}
	}
	return slices.Sorted(maps.Keys(every))
}

// keepLogs keeps the logs of a failed simulation.
func keepLogs(folder, into string) error {
	return os.CopyFS(into, os.DirFS(folder))
}
