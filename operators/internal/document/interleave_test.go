package document

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/storechart"
	"ringside.dev/ringside/operators/internal/validation"
)

func TestInterleavedPhaseIsHeldAgainstWhatItTakes(t *testing.T) {
	shared := []string{"spec.store.hosting=Shared", "spec.phases.read.duration=120s"}
	for name, test := range map[string]struct {
		set     []string
		servers []string
		want    []string
	}{
		"good":        {set: append(shared, "spec.phases.read.interleave={}")},
		"a good duet": {set: append(shared, "spec.phases.read.interleave={mode: Duet}")},
		"by CPU time": {set: append(shared, "spec.phases.read.interleave={}", "spec.phases.read.primaryMetric=cpu_per_op_us")},
		"by the CPU time of two at once": {
			set:  append(shared, "spec.phases.read.interleave={mode: Duet}", "spec.phases.read.primaryMetric=cpu_per_op_us"),
			want: []string{"phase read: primary metric cpu_per_op_us needs interleaved windows of one server at a time: interleave the phase in mode Windows, or choose another metric"},
		},
		"just so long": {set: append(shared, "spec.phases.read.interleave={window: 20s}")},
		"a store for each": {
			set:  []string{"spec.phases.read.duration=120s", "spec.phases.read.interleave={}"},
			want: []string{"phase read is interleaved, which needs all servers at once, but hosting is Dedicated: --set spec.store.hosting=Shared, or SideBySide if the chart supports it, or remove spec.phases.read.interleave"},
		},
		"two load pods": {
			set:  append(shared, "spec.phases.read.interleave={}", "spec.load.pods=2"),
			want: []string{"phase read is interleaved, which needs one load pod, but there are 2: --set spec.load.pods=1"},
		},
		"one server": {
			set:     append(shared, "spec.phases.read.interleave={}"),
			servers: []string{"slow"},
			want:    []string{"phase read is interleaved, which needs two or more servers: name two or more with --server (SERVER=), or remove spec.phases.read.interleave"},
		},
		"every server made warm": {set: append(shared, "spec.phases.read.interleave={}", "spec.phases.read.type=Prepare")},
		"one block": {
			set:  append(shared, "spec.phases.read.interleave={window: 21s}"),
			want: []string{"phase read has 2m0s for windows of 21s of 3 servers, less than two for each: use 2m6s or more, or shorter windows"},
		},
		"windows too short": {
			set:  append(shared, "spec.phases.read.interleave={window: 99ms}"),
			want: []string{"phase read is interleaved in windows of 99ms: use whole milliseconds from 100ms to 1m0s"},
		},
		"windows too long": {
			set:  append(shared, "spec.phases.read.interleave={window: 61s}"),
			want: []string{"phase read is interleaved in windows of 1m1s: use whole milliseconds from 100ms to 1m0s"},
		},
		"a lead-in": {set: append(shared, "spec.phases.read.interleave={leadIn: 250ms}")},
		"a broken lead-in": {
			set:  append(shared, "spec.phases.read.interleave={leadIn: 1500us}"),
			want: []string{"phase read is interleaved in windows after a lead-in of 1.5ms: use whole milliseconds up to 1m0s, or none"},
		},
		"windows too long with what leads into them": {
			set:  append(shared, "spec.phases.read.interleave={window: 20s, leadIn: 1s}"),
			want: []string{"phase read has 2m0s for windows of 21s of 3 servers, less than two for each: use 2m6s or more, or shorter windows"},
		},
		"a lead-in to a search": {
			set:  append(shared, "spec.phases.read.interleave={leadIn: 250ms}", "spec.phases.read.type=Capacity", "spec.phases.read.capacity={percentile: '99', bound: 100ms, from: 500, step: 1s}"),
			want: []string{"phase read searches for a capacity, which has no lead-in: remove spec.phases.read.interleave.leadIn"},
		},
		"a broken warm-up": {
			set:  append(shared, "spec.phases.read.interleave={warmup: 1500ms}"),
			want: []string{"phase read is interleaved after a warm-up of 1.5s: use whole seconds up to 1h0m0s"},
		},
		"connections opened again":            {set: append(shared, "spec.phases.read.interleave={reconnect: true}")},
		"opened again in just so many pieces": {set: append(shared, "spec.phases.read.interleave={window: 10s, reconnect: true}")},
		"opened again in a search": {
			set: append(shared, "spec.phases.read.interleave={reconnect: true}", "spec.phases.read.type=Capacity", "spec.phases.read.capacity={percentile: '99', bound: 100ms, from: 500, step: 1s}"),
			want: []string{"phase read searches for a capacity, which has no pieces to reconnect for: " +
				"remove spec.phases.read.interleave.reconnect"},
		},
		"a duet of odd threads": {
			set:  append(shared, "spec.phases.read.interleave={mode: Duet}", "spec.phases.read.threads=5"),
			want: []string{"phase read is a duet, which halves the threads, but has 5: use 6"},
		},
		"one connection, two arms": {
			set: append(shared, "spec.phases.read.interleave={}", "spec.phases.write.threads=1", "spec.phases.read.threads=1",
				"spec.servers=[{name: simple}, {name: again, type: simple}]", "spec.baseline=simple"),
			want: []string{"servers simple and again are the same simple, which serves one connection at a time, but interleaved phase read keeps connections to both: leave one of them out of --server, or give it an ownInstance"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			chart, err := storechart.NewCatalogue("testdata/charts").Open("toystore")
			require.NoError(t, err)
			d := toy(t)
			if test.servers != nil {
				require.NoError(t, d.SelectServers(test.servers, chart.ServerTypes()))
			}
			for _, set := range test.set {
				require.NoError(t, d.Set(set))
			}
			problems, err := theAPI(t).Complete(t.Context(), d)
			require.NoError(t, err)
			require.Empty(t, problems)
			experiment, err := d.Experiment()
			require.NoError(t, err)
			var got []string
			for _, fault := range validation.Check(experiment, chart, loadgen.Catalogue{}, storechart.SomeImages()) {
				got = append(got, fault.Error())
			}
			assert.Equal(t, test.want, got)
		})
	}
}
