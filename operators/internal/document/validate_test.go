package document

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/storechart"
	"ringside.dev/ringside/operators/internal/validation"
)

func TestFindsWhatDoesNotFitTheStore(t *testing.T) {
	for name, test := range map[string]struct {
		set, servers string
		want         []string // a part of each problem
	}{
		"nothing": {},
		"unknown server type": {"spec.servers.slow.type=sloow", "",
			[]string{`store toystore has no server "sloow": choose from quick, slow, simple; did you mean slow?`}},
		"misspelt baseline": {"spec.baseline=quik", "",
			[]string{`spec.baseline is "quik", but no server has that name: choose from quick, slow, slow-again;`}},
		"half seconds": {"spec.operations=null,spec.phases.write.duration=1.5s,spec.phases.read.duration=300ms,spec.load.timeout=90.5s", "",
			[]string{"spec.load.timeout is", "spec.phases.write.duration", "spec.phases.read.duration"}},
		"an idle half second": {"spec.operations=null,spec.phases=[{name: rest, type: Idle, duration: 59.5s, threads: 1, repeats: 1}]", "",
			[]string{"spec.phases.rest.duration is 59.5s: use whole seconds, as in 1m"}},
		"what the operator sets": {"spec.store.values={image: {tag: 5.0.9}, server: {types: [slow]}},spec.servers.quick.values={image: {registry: mine}}", "",
			[]string{"spec.servers.quick.values.im", "spec.store.values.image.tag", "spec.store.values.server.typ"}},
		"dots of a key": {"spec.store.values.nodeSelector.a.b=c", "",
			[]string{"store.values do not fit chart toystore: at '/nodeSelector/a': got object, want string: see"}},
		"more replicas than nodes": {"spec.store.values={nodes: 2}", "",
			[]string{"replicationFactor 3 is greater than nodes 2: use at most 2 replicas, or 3 nodes"}},
		"one connection at a time": {"", "simple",
			[]string{"server simple serves one connection at a time, but phase write has 10 threads, of which all"}},
		"one connection at a time, one thread": {"spec.phases.write.threads=1,spec.phases.read.threads=1", "simple", nil},
		"one connection at a time, a sweep": {"spec.phases.write.threads=1,spec.phases.read.sweep.threads=[1, 2]", "simple",
			[]string{"server simple serves one connection at a time, but phase read has 2 threads, of which all"}},
		"as good as equal whatever they do": {"spec.equivalent=100%", "",
			[]string{`equivalent is "100%": use a share of at least 0% and less than 100%, as in 3%`}},
		"an instance where each has a store": {"spec.servers.slow.ownInstance=true", "",
			[]string{"server slow has options or ownInstance, but with Dedicated hosting every server has its own"}},
		"an instance where the store has none": {"spec.store.hosting=Shared,spec.servers.slow.options={repeat: '0.05'}", "",
			[]string{"server slow has options or ownInstance, but store toystore hosts one server of each type:"}},
		"misspelt value": {"spec.store.values={storage: {sise: 1Gi}}", "",
			[]string{"store.values do not fit chart toystore: at '/storage': additional properties 'sise' not"}},
		"value of one server": {"spec.servers.quick.values={nodes: zero}", "",
			[]string{"store.values do not fit chart toystore: at '/nodes': got string, want integer: see"}},
		"fewer operations than threads": {"spec.operations=9", "",
			[]string{"phase write has 9 operations for 10", "phase read has 9 operations for 10 threads:"}},
		"a primary metric that needs windows": {"spec.phases.read.primaryMetric=cpu_per_op_us", "",
			[]string{"phase read: primary metric cpu_per_op_us needs interleaved windows of one server at a time:"}},
		"a primary metric that needs a phase of its own": {"spec.phases.read.primaryMetric=written_per_op_bytes,spec.phases.read.profile={CPU},spec.phases.read.duration=10s", "",
			[]string{"phase read: primary metric written_per_op_bytes is not measured in a phase of type Idle,"}},
		"a primary metric that there is not": {"spec.phases.read.primaryMetric=speed", "",
			[]string{`phase read: unknown primary metric "speed": choose from op_rate, latency_median_ms,`}},
		"a capacity where none is searched for": {"spec.phases.read.primaryMetric=capacity", "",
			[]string{"phase read: primary metric capacity: only a phase of type Capacity has capacity, and it has"}},
		"a search by the queue": {"spec.operations=null,spec.phases.write.duration=10s,spec.phases.read.duration=60s,spec.phases.read.type=Capacity,spec.phases.read.capacity={by: Queue, percentile: '99', from: 500, step: 2s}", "", nil},
		"a search by the queue in too short a time": {"spec.operations=null,spec.phases.write.duration=10s,spec.phases.read.duration=10s,spec.phases.read.type=Capacity,spec.phases.read.capacity={by: Queue, percentile: '99', from: 50, step: 2s}", "",
			[]string{"phase read has 10s for its search, and 8 steps at 50/s take 32s (a queue's trend takes 200"}},
		"a primary metric that is the input": {"spec.phases.read.primaryMetric=op_rate,spec.phases.read.targetRate=100", "",
			[]string{"phase read: primary metric op_rate is the input at a constant rate: choose another, as in"}},
		"installations of a shared store":      {"spec.installations=3,spec.store.hosting=Shared,spec.rounds=5", "", nil},
		"one installation of dedicated stores": {"spec.installations=1", "", nil},
		"installations of dedicated stores": {"spec.installations=3", "",
			[]string{"installations is 3, but Dedicated hosting installs a store for every server in every round"}},
		"more installations than fit": {"spec.installations=20,spec.store.hosting=Shared,spec.rounds=50,spec.phases.write.repeats=1,spec.phases.read.repeats=9", "",
			[]string{"30000 measurements are too many for one run, which can have 4000: use fewer, or split the"}},
		"a precision and a budget":       {"spec.precision=3%,spec.budget=20m,spec.rounds=60", "", nil},
		"a phase with its own precision": {"spec.precision=3%,spec.budget=20m,spec.rounds=60,spec.phases.read.precision=1.5%", "", nil},
		"a phase with a precision of nothing": {"spec.precision=3%,spec.budget=20m,spec.rounds=60,spec.phases.read.precision='0'", "",
			[]string{"the precision of phase read is 0%, and no phase gets there: use a share above 0% and below"}},
		"a prepare phase with a precision": {"spec.precision=3%,spec.budget=20m,spec.rounds=60,spec.phases.read.type=Prepare,spec.phases.read.precision=1.5%", "",
			[]string{"phase read has precision: 1.5%, but a phase of type Prepare is not compared: remove it"}},
		"a precision in seconds of a phase with ratios": {"spec.precision=3%,spec.budget=20m,spec.rounds=60,spec.phases.read.precision=0.1s", "",
			[]string{`precision of phase read is "0.1s", but op_rate is compared by ratios: use a share, as in 3%`}},
		"a margin of a phase": {"spec.phases.read.equivalent=5%", "", nil},
		"a margin in seconds of a phase with ratios": {"spec.phases.read.equivalent=100ms", "",
			[]string{`equivalent of phase read is "100ms", but op_rate is compared by ratios: use a share, as in`}},
		"a margin of a prepare phase": {"spec.phases.read.type=Prepare,spec.phases.read.equivalent=5%", "",
			[]string{"phase read has equivalent: 5%, but a phase of type Prepare is not compared: remove it"}},
		"a precision of nothing": {"spec.precision='0',spec.budget=20m,spec.rounds=60", "",
			[]string{"PRECISION is 0%, and no run gets there: use a share above 0% and below 100%, as in 3%"}},
		"a precision that is forgotten to be one in 100": {"spec.precision='3',spec.budget=20m,spec.rounds=60", "",
			[]string{`PRECISION is "3": use a share of at least 0% and less than 100%, as in 3%`}},
		"a budget that no twelve rounds fit into": {"spec.precision=3%,spec.budget=1s,spec.rounds=60", "",
			[]string{"BUDGET is 1s, and the 12 rounds that are the least take 2m24s: use that or more"}},
		"a budget alone": {"spec.budget=20m,spec.rounds=60", "",
			[]string{"there is a budget of 20m0s without a precision: add a precision, as in PRECISION=3%"}},
		"a precision alone": {"spec.precision=3%,spec.rounds=60", "",
			[]string{"there is a precision of 3% without a budget: add a budget for the rounds, as in BUDGET=20m"}},
		"a precision of one server": {"spec.precision=3%,spec.budget=20m,spec.rounds=60", "slow",
			[]string{"a precision of 3% applies to ratios, but there is one server: name two or more with"}},
		"a precision in too few rounds": {"spec.precision=3%,spec.budget=20m,spec.rounds=12,spec.warmupRounds=1", "",
			[]string{"rounds is 12, but a run with a precision needs at least 13, including 1 for warm-up: use"}},
		"a precision over installations": {"spec.precision=3%,spec.budget=20m,spec.rounds=60,spec.installations=2,spec.store.hosting=Shared", "",
			[]string{"precision needs one installation, but installations is 2: remove one of the two"}},
		"fewer threads than pods": {"spec.load.pods=20,spec.operations=1000", "",
			[]string{"phase write has 10 threads for 20 load", "phase read has 10 threads for 20 load pods:"}},
	} {
		t.Run(name, func(t *testing.T) {
			found := problemsOf(t, test.set, test.servers, false)
			require.Len(t, found, len(test.want), "%q", found)
			for i, part := range test.want {
				assert.Contains(t, found[i], part)
			}
		})
	}
}

// problemsOf returns what is wrong with the toy after --set and, if one is named, --server. The API completes it if asked to.
func problemsOf(t *testing.T, set, server string, complete bool) []string {
	t.Helper()
	chart, err := storechart.NewCatalogue("testdata/charts").Open("toystore")
	require.NoError(t, err)
	d := toy(t)
	if server != "" {
		require.NoError(t, d.SelectServers([]string{server}, chart.ServerTypes()))
	}
	if set != "" {
		require.NoError(t, d.Set(set))
	}
	if complete {
		problems, err := theAPI(t).Complete(t.Context(), d)
		require.NoError(t, err)
		require.Empty(t, problems)
	}
	experiment, err := d.Experiment()
	require.NoError(t, err)
	var texts []string
	for _, found := range validation.Check(experiment, validation.Charts{experiment.Spec.Store.Chart: chart}, loadgen.Catalogue{}, storechart.SomeImages()) {
		texts = append(texts, found.Error())
		assert.NotEmpty(t, found.Reason, "%s", found)
	}
	return texts
}

// many returns a list of items numbered from 1.
func many(n int, item string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(item, i+1)
	}
	return strings.Join(items, ", ")
}

func TestAppliesTheDefaultsAndRulesOfTheAPIBeforeThereIsACluster(t *testing.T) {
	for name, test := range map[string]struct {
		set  string
		want []string
	}{
		"good":                     {},
		"no rounds":                {"spec.rounds=0", []string{"spec.rounds is 0, and should be greater than or equal to 1: fix it in testdata/toy.yaml"}},
		"a precision in words":     {"spec.precision=three", []string{`spec.precision is "three": use text as in 3% or 0.03; fix it in testdata/toy.yaml`}},
		"no installations":         {"spec.installations=-1", []string{"spec.installations is -1, and should be greater than or equal to 1: fix it in testdata/toy.yaml"}},
		"no operations":            {"spec.operations=0", []string{"spec.operations is 0, and should be greater than or equal to 1: fix it in testdata/toy.yaml"}},
		"nothing to bound":         {"spec.operations=null", []string{"spec: every phase needs operations or a duration, or the experiment needs operations: fix it in testdata/toy.yaml"}},
		"nothing but warm-up":      {"spec.warmupRounds=1", []string{"spec: warmupRounds must be less than rounds, or no round is left to compare: fix it in testdata/toy.yaml"}},
		"unknown baseline":         {"spec.baseline=hsha", []string{"spec: baseline must be one of the servers: fix it in testdata/toy.yaml"}},
		"a server twice":           {"spec.servers=[{name: slow}, {name: slow}]", []string{`spec.servers[1] repeats another: {"name":"slow"}: use each value once; fix it in testdata/toy.yaml`}},
		"a search without an end":  {"spec.phases=[{name: read, threads: 1, type: Capacity, capacity: {bound: 20ms, from: 500}}]", []string{"spec.phases[0]: a phase of type Idle, Capacity, Recovery or Faults, and an interleaved phase, need a duration: fix it in testdata/toy.yaml"}},
		"rest at a rate":           {"spec.phases=[{name: rest, type: Idle, duration: 9s, targetRate: 1}]", []string{"spec.phases[0]: a phase of type Idle has no load: remove targetRate and sweep: fix it in testdata/toy.yaml"}},
		"rest without an end":      {"spec.phases=[{name: rest, type: Idle}]", []string{"spec.phases[0]: a phase of type Idle, Capacity, Recovery or Faults, and an interleaved phase, need a duration: fix it in testdata/toy.yaml"}},
		"windows without an end":   {"spec.phases.read.interleave={}", []string{"spec.phases[1]: a phase of type Idle, Capacity, Recovery or Faults, and an interleaved phase, need a duration: fix it in testdata/toy.yaml"}},
		"rest in windows":          {"spec.phases=[{name: rest, type: Idle, duration: 9s, interleave: {}}]", []string{"spec.phases[0]: only a phase of type Measure, Prepare or Capacity can have interleave: fix it in testdata/toy.yaml"}},
		"a profile of rest":        {"spec.phases=[{name: rest, type: Idle, duration: 9s, profile: [CPU]}]", []string{"spec.phases[0]: only a phase of type Measure that is no duet can have profile: fix it in testdata/toy.yaml"}},
		"a profile of a duet":      {"spec.phases=[{name: read, duration: 9s, interleave: {mode: Duet}, profile: [CPU]}]", []string{"spec.phases[0]: only a phase of type Measure that is no duet can have profile: fix it in testdata/toy.yaml"}},
		"faults without a rate":    {"spec.phases=[{name: read, type: Faults, duration: 60s, faults: [{kind: Kill, node: 1, at: 20s}]}]", []string{"spec.phases[0]: a phase of type Faults needs targetRate or sweep.rates: a closed-loop load sends nothing while it waits for answers: fix it in testdata/toy.yaml"}},
		"faults of another type":   {"spec.phases=[{name: read, duration: 60s, faults: [{kind: Kill, node: 1, at: 20s}]}]", []string{"spec.phases[0]: a phase of type Faults has faults, and no other phase has: fix it in testdata/toy.yaml"}},
		"recovery by its name":     {"spec.phases=[{name: read, type: Recovery, duration: 60s}]", []string{"spec.phases[0]: a phase of type Recovery has recovery, and no other phase has: fix it in testdata/toy.yaml"}},
		"a search at a rate":       {"spec.phases=[{name: read, type: Capacity, duration: 60s, targetRate: 9, capacity: {bound: 20ms, from: 500}}]", []string{"spec.phases[0]: a phase of type Capacity chooses its own rates: remove targetRate and sweep.rates: fix it in testdata/toy.yaml"}},
		"a queue with a bound":     {"spec.phases=[{name: read, type: Capacity, duration: 60s, capacity: {by: Queue, bound: 20ms, from: 500}}]", []string{"spec.phases[0].capacity: a search by Latency needs a bound of its percentile; a search by Queue has none: fix it in testdata/toy.yaml"}},
		"two kinds of rates":       {"spec.phases=[{name: read, targetRate: 9, sweep: {rates: [1]}}]", []string{"spec.phases[0]: a phase has targetRate or sweep.rates, not both: fix it in testdata/toy.yaml"}},
		"two kinds of connections": {"spec.phases=[{name: read, connections: 9, sweep: {connections: [1]}}]", []string{"spec.phases[0]: a phase has connections or sweep.connections, not both: fix it in testdata/toy.yaml"}},
		"a percentile of its own":  {"spec.phases.read.capacity={bound: 20ms, from: 500, percentile: '97'}", []string{`spec.phases[1].capacity.percentile is "97": choose from 50, 90, 95, 99, 99.9, 99.99`}},
		"a constant rate of 0":     {"spec.phases.read.targetRate=0", []string{"spec.phases[1].targetRate is 0, and should be greater than or equal to 1: fix it in testdata/toy.yaml"}},
		"a rate twice":             {"spec.phases.read.sweep.rates=[80, 80]", []string{"spec.phases[1].sweep.rates[1] repeats another: 80: use each value once; fix it in testdata/toy.yaml"}},
		"no rate":                  {"spec.phases.read.sweep.rates=[0]", []string{"spec.phases[1].sweep.rates[0] is 0, and should be greater than or equal to 1: fix it in testdata/toy.yaml"}},
		"a thread count twice":     {"spec.phases.read.sweep.threads=[8, 8]", []string{"spec.phases[1].sweep.threads[1] repeats another: 8: use each value once; fix it in testdata/toy.yaml"}},
		"no label":                 {"spec.phases.read.operation=read/write", []string{`spec.phases[1].operation is "read/write": use text as in write: letters, digits, dots and dashes; fix it in testdata/toy.yaml`}},
		"a name that ends badly":   {"spec.phases.read.name=read-", []string{`spec.phases[1].name is "read-": use text as in read-rate: lowercase letters, digits and dashes; fix it in testdata/toy.yaml`}},
		"no variable":              {"spec.load.parameters={a=b: c}", []string{"spec.load.parameters: use parameter names of at most 63 characters that begin with a letter and have letters, digits, '.', '_' and '-': fix it in testdata/toy.yaml"}},
		"more keys than can be":    {"spec.keys=1000000000001", []string{"spec.keys is 1000000000001, and should be less than or equal to 1000000000000: fix it in testdata/toy.yaml"}},
		"no time":                  {"spec.phases.read.duration=0s", []string{"spec.phases[1].duration is \"0s\": use a time above 0s and at most 168h, as in 90s or 1h30m; fix it in testdata/toy.yaml"}},
		"time that runs back":      {"spec.ttlAfterFinished=-1h", []string{"spec.ttlAfterFinished is \"-1h\": use a time from 0s to 8760h, as in 90s or 1h30m; fix it in testdata/toy.yaml"}},
		"a budget of years":        {"spec.budget=20000h", []string{"spec.budget is \"20000h\": use a time above 0s and at most 168h, as in 90s or 1h30m; fix it in testdata/toy.yaml"}},
		"a store that never is":    {"spec.store.readyTimeout=10000h", []string{"spec.store.readyTimeout is \"10000h\": use a time from 1s to 24h, as in 90s or 1h30m; fix it in testdata/toy.yaml"}},
		"a book of a parameter":    {"spec.load.parameters={a: '" + strings.Repeat("b", 4097) + "'}", []string{"spec.load.parameters: use parameter values of at most 4096 characters: fix it in testdata/toy.yaml"}},
		"a fault of no kind":       {"spec.phases.read.faults=[{kind: flood, node: 1, at: 20s}]", []string{`spec.phases[1].faults[0].kind is "flood": choose from Kill, Pause, Cut, Lose, Slow, Busy, Fill, Maintain`}},
		"a pause without an end":   {"spec.phases=[{name: read, operation: read, threads: 1, duration: 60s, targetRate: 9, type: Faults, faults: [{kind: Pause, node: 1, at: 20s}]}]", []string{"spec.phases[0].faults[0]: every fault except Kill needs a time (for); Kill has none: fix it in testdata/toy.yaml"}},
		"a kill for a time":        {"spec.phases=[{name: read, operation: read, threads: 1, duration: 60s, targetRate: 9, type: Faults, faults: [{kind: Kill, node: 1, at: 20s, for: 5s}]}]", []string{"spec.phases[0].faults[0]: every fault except Kill needs a time (for); Kill has none: fix it in testdata/toy.yaml"}},
		"a pause that none sees":   {"spec.phases=[{name: read, operation: read, threads: 1, duration: 60s, targetRate: 9, type: Faults, faults: [{kind: Pause, node: 1, at: 20s, for: 200ms}]}]", []string{"spec.phases[0].faults[0].for is \"200ms\": use a time from 1s to 10m, as in 10s; fix it in testdata/toy.yaml"}},
		"room on no volume":        {"spec.phases=[{name: read, operation: read, threads: 1, duration: 60s, targetRate: 9, type: Faults, faults: [{kind: Busy, node: 1, at: 20s, for: 10s, leave: 16Mi}]}]", []string{"spec.phases[0].faults[0]: only fault Fill leaves free space on the volume (leave): fix it in testdata/toy.yaml"}},
		"a loss of nothing":        {"spec.phases=[{name: read, operation: read, threads: 1, duration: 60s, targetRate: 9, type: Faults, faults: [{kind: Lose, node: 1, at: 20s, for: 10s}]}]", []string{"spec.phases[0].faults[0]: fault Lose needs a share of the packets; no other fault has one: fix it in testdata/toy.yaml"}},
		"a loss of all":            {"spec.phases=[{name: read, operation: read, threads: 1, duration: 60s, targetRate: 9, type: Faults, faults: [{kind: Lose, node: 1, at: 20s, for: 10s, share: 100%}]}]", []string{"spec.phases[0].faults[0].share is \"100%\", and should match '^[1-9][0-9]?%$': fix it in testdata/toy.yaml"}},
		"a cut of a share":         {"spec.phases=[{name: read, operation: read, threads: 1, duration: 60s, targetRate: 9, type: Faults, faults: [{kind: Cut, node: 1, at: 20s, for: 10s, share: 5%}]}]", []string{"spec.phases[0].faults[0]: fault Lose needs a share of the packets; no other fault has one: fix it in testdata/toy.yaml"}},
		"slow by nothing":          {"spec.phases=[{name: read, operation: read, threads: 1, duration: 60s, targetRate: 9, type: Faults, faults: [{kind: Slow, node: 1, at: 20s, for: 10s}]}]", []string{"spec.phases[0].faults[0]: fault Slow needs a delay; no other fault has one: fix it in testdata/toy.yaml"}},
		"slow by too much":         {"spec.phases=[{name: read, operation: read, threads: 1, duration: 60s, targetRate: 9, type: Faults, faults: [{kind: Slow, node: 1, at: 20s, for: 10s, delay: 2s}]}]", []string{"spec.phases[0].faults[0].delay is \"2s\": use a time from 1ms to 1s, as in 50ms; fix it in testdata/toy.yaml"}},
		"a fault of no node":       {"spec.phases.read.faults=[{kind: Kill, node: -1, at: 20s}]", []string{"spec.phases[1].faults[0].node is -1, and should be greater than or equal to 0: fix it in testdata/toy.yaml"}},
		"too many rounds":          {"spec.rounds=101", []string{"spec.rounds is 101, and should be less than or equal to 100: fix it in testdata/toy.yaml"}},
		"too many load pods":       {"spec.load.pods=65", []string{"spec.load.pods is 65, and should be less than or equal to 64: fix it in testdata/toy.yaml"}},
		"too many repeats":         {"spec.phases.read.repeats=101", []string{"spec.phases[1].repeats is 101, and should be less than or equal to 100: fix it in testdata/toy.yaml"}},
		"too many threads":         {"spec.phases.read.threads=10001", []string{"spec.phases[1].threads is 10001, and should be less than or equal to 10000: fix it in testdata/toy.yaml"}},
		"too many servers":         {"spec.servers=[" + many(17, "{name: s%d}") + ", {name: slow}]", []string{"spec.servers has 18 items, and must have at most 16 items: fix it in testdata/toy.yaml"}},
		"too many phases":          {"spec.phases=[" + many(17, "{name: p%d, threads: 1}") + "]", []string{"spec.phases has 17 items, and must have at most 16 items: fix it in testdata/toy.yaml"}},
		"too many measurements, which package validation counts": {"spec.phases=[{name: read, threads: 1, repeats: 100, sweep: {threads: [" + many(14, "%d") + "]}}]", nil},
		"unknown mode of a gate":                                 {"spec.gates={disk: Maybe}", []string{`spec.gates.disk is "Maybe": choose from Enforce, Warn, Off`}},
	} {
		t.Run(name, func(t *testing.T) {
			d := toy(t)
			if test.set != "" {
				require.NoError(t, d.Set(test.set))
			}
			problems, err := theAPI(t).Complete(t.Context(), d)
			require.NoError(t, err)
			var got []string
			for _, fault := range problems {
				got = append(got, fault.Error())
			}
			assert.Equal(t, test.want, got)
			if test.want == nil {
				experiment, err := d.Experiment()
				require.NoError(t, err)
				assert.EqualValues(t, 1, experiment.Spec.Rounds)
				assert.EqualValues(t, "Dedicated", experiment.Spec.Store.Hosting)
			}
		})
	}
}
