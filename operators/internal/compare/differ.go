package compare

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
)

// ErrDifferent reports that two runs did not measure the same, so that their ratio would not be that of the servers alone.
var ErrDifferent = errors.New("the differences would affect the ratios; use --allow-different to compare them anyway")

// Differences returns what two runs of the same servers measured differently: keys, load, store or nodes. The store's image is not
// included, because comparing two builds of a server is allowed. Facts known for only one of the runs are in unknown.
func Differences(a, b *archive.Run, servers []string) (different, unknown []string) {
	ofA, ofB := factsOf(a, servers), factsOf(b, servers)
	all := maps.Clone(ofA)
	maps.Copy(all, ofB)
	if (a.Experiment == nil) != (b.Experiment == nil) {
		unknown = append(unknown, "the spec")
		maps.DeleteFunc(all, func(name, _ string) bool { return strings.HasPrefix(name, "spec.") })
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		x, inA := ofA[name]
		y, inB := ofB[name]
		switch {
		case !inA && of(name, ofA) || !inB && of(name, ofB):
			// the enclosing list or table differs, and is reported
		case !inA || !inB:
			unknown = append(unknown, name)
		case x != y:
			different = append(different, fmt.Sprintf("%s: %s and %s", name, x, y))
		}
	}
	return different, unknown
}

// of reports whether the other run knows the element or table that encloses the fact.
func of(name string, other map[string]string) bool {
	for outer := range other {
		if strings.HasPrefix(name, outer+".") {
			return true
		}
	}
	return false
}

// facts holds the facts of a run by name, each with all its values.
type facts map[string][]string

func (f facts) add(name, value string) {
	if value != "" && !slices.Contains(f[name], value) {
		f[name] = append(f[name], value)
	}
}

func factsOf(run *archive.Run, servers []string) map[string]string {
	f := facts{}
	for i := range run.Rows {
		row := &run.Rows[i]
		if row.Warmup || !slices.Contains(servers, row.Server) {
			continue
		}
		f.ofRow(row)
		if m := run.Measurements[row.Measurement]; m != nil {
			f.ofMeasurement(m)
		}
	}
	if run.Experiment != nil {
		f.ofSpec(&run.Experiment.Spec, servers)
	}
	joined := map[string]string{}
	for name, values := range f {
		slices.Sort(values)
		joined[name] = strings.Join(values, " or ")
	}
	return joined
}

func (f facts) ofRow(row *results.Row) {
	f.add("keys", positiveCount(row.Keys))
	f.add("load pods", positiveCount(int64(row.Pods)))
	switch {
	case row.OpsPlanned.Known:
		f.add("operations of "+row.Phase, strconv.FormatInt(row.OpsPlanned.Value, 10))
	case row.Duration.Known:
		f.add("operations of "+row.Phase, "those of "+row.Duration.Value.String())
	}
}

// positiveCount formats a count; empty if it is unknown, as in older files.
func positiveCount(n int64) string {
	if n <= 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func (f facts) ofMeasurement(m *v1beta1.Measurement) {
	if image := m.Status.LoadImage; image != nil {
		f.add("load image", strings.Join(slices.Sorted(slices.Values(image.Digests)), "+"))
	}
	if environment := m.Status.Environment; environment != nil {
		f.add("nodes of the store", nodeKinds(environment.StoreNodes))
		f.add("nodes of the load", nodeKinds(environment.LoadNodes))
	}
}

// nodeKinds counts nodes by the properties that determine their speed. Names and kernel patch levels are left out.
func nodeKinds(nodes []v1beta1.NodeInfo) string {
	kinds := map[string]int{}
	for _, node := range nodes {
		kinds[strings.Join(strings.Fields(fmt.Sprintf("%s with %s CPUs, disk %s %s", node.Architecture, node.CPUs, node.Disk, node.InstanceType)), " ")]++
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		parts = append(parts, fmt.Sprintf("%d × %s", kinds[kind], kind))
	}
	return strings.Join(parts, ", ")
}

// checkSame rejects runs that differ, or notes the difference if options allow it.
func (r *Result) checkSame(a, b *archive.Run, servers []string, options Options) error {
	different, unknown := Differences(a, b, servers)
	if len(different) > 0 && !options.AllowDifferent {
		return fmt.Errorf("runs %s and %s did not measure the same (%s): %w", a.ID(), b.ID(), strings.Join(different, results.Separator), ErrDifferent)
	}
	if len(different) > 0 {
		r.Different = "the runs did not measure the same, so their ratios are not those of the servers alone: " + strings.Join(different, results.Separator)
		r.Notes = append(r.Notes, r.Different)
	}
	if len(unknown) > 0 {
		r.Notes = append(r.Notes, "not known for both runs, so possibly different: "+strings.Join(unknown, ", "))
	}
	r.Notes = append(r.Notes, "two runs share no rounds, so differences between runs affect the ratios. With one run on each side, "+
		"the variation from run to run is not in the intervals: a verdict applies to these two runs")
	return nil
}
