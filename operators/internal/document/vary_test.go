package document

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestVary_serversForValues(t *testing.T) {
	const inTurn = ", on fresh stores in turn"
	for name, test := range map[string]struct {
		set, vary []string
		baseline  string
		keep      bool
		// servers are name, type and values; the baseline has a star.
		servers []string
		line    string
		rounds  int32
		hosting v1beta1.Hosting
	}{
		"the first value is the baseline": {
			vary:    []string{"storage.size=1Gi,2Gi"},
			servers: []string{`*size-1gi slow {"storage":{"size":"1Gi"}}`, `size-1gi-again slow {"storage":{"size":"1Gi"}}`, `size-2gi slow {"storage":{"size":"2Gi"}}`},
			line:    "varied: storage.size=1Gi,2Gi of server slow" + inTurn + "; rounds 3 instead of 1, which intervals need", rounds: 3,
		},
		"another baseline, a full path, a number": {
			set: []string{"spec.rounds=5"}, vary: []string{"spec.store.values.replicationFactor=1, 2"}, baseline: "replication-factor-2",
			servers: []string{`replication-factor-1 slow {"replicationFactor":1}`, `*replication-factor-2 slow {"replicationFactor":2}`, `replication-factor-2-again slow {"replicationFactor":2}`},
			line:    "varied: spec.store.values.replicationFactor=1, 2 of server slow" + inTurn, rounds: 5,
		},
		"a baseline of the file, warm-up rounds": {
			set: []string{"spec.baseline=a-y,spec.rounds=2,spec.warmupRounds=1"}, vary: []string{"a=x,y"},
			servers: []string{`a-x quick {"a":"x"}`, `*a-y quick {"a":"y"}`, `a-y-again quick {"a":"y"}`},
			line:    "varied: a=x,y of server quick" + inTurn + "; rounds 4 instead of 2, which intervals need", rounds: 4,
		},
		"the server's own values, and the user's rounds": {
			set: []string{"spec.servers.slow.values={storage: {size: 1Gi}}"}, vary: []string{"nodes=3,4"}, keep: true,
			servers: []string{`*nodes-3 slow {"nodes":3,"storage":{"size":"1Gi"}}`, `nodes-3-again slow {"nodes":3,"storage":{"size":"1Gi"}}`, `nodes-4 slow {"nodes":4,"storage":{"size":"1Gi"}}`},
			line:    "varied: nodes=3,4 of server slow" + inTurn, rounds: 1,
		},
		"types and a switch, one release until now": {
			set: []string{"spec.store.hosting=Shared,spec.rounds=3"}, vary: []string{"type=quick,simple", "db.sync=on,off"},
			servers: []string{`*quick-sync-on quick {"db":{"sync":"on"}}`, `quick-sync-on-again quick {"db":{"sync":"on"}}`, `quick-sync-off quick {"db":{"sync":"off"}}`,
				`simple-sync-on simple {"db":{"sync":"on"}}`, `simple-sync-off simple {"db":{"sync":"off"}}`},
			line: "varied: type=quick,simple db.sync=on,off of server slow" + inTurn + " (hosting Dedicated instead of Shared: the servers of one release cannot have different values)", rounds: 3,
		},
		"charts, side by side": {
			set: []string{"spec.store.hosting=SideBySide,spec.rounds=3"}, vary: []string{"chart=toystore,oci://r/c/toystore@sha256:" + strings.Repeat("0f", 32)}, keep: true,
			servers: []string{`*toystore slow {}`, `toystore-again slow {}`, `toystore-0f0f0f slow {}`},
			line:    "varied: chart=toystore,oci://r/c/toystore@sha256:" + strings.Repeat("0f", 32) + " of server slow, in stores side by side", rounds: 3, hosting: v1beta1.HostingSideBySide,
		},
		"windows, one release until now": {
			set: []string{"spec.store.hosting=Shared,spec.rounds=3", "spec.phases.read.interleave={window: 1s}", "spec.phases.read.duration=1m", "spec.phases.read.operations=null"}, vary: []string{"nodes=3,4"},
			servers: []string{`*nodes-3 slow {"nodes":3}`, `nodes-3-again slow {"nodes":3}`, `nodes-4 slow {"nodes":4}`},
			line:    "varied: nodes=3,4 of server slow, in stores side by side (hosting SideBySide instead of Shared: the servers of one release cannot have different values)", rounds: 3, hosting: v1beta1.HostingSideBySide,
		},
		"long names, lists and a digit": {
			set: []string{"spec.rounds=3"}, vary: []string{"one_concurrent_reads={-Xss1m,-XX:+UseNUMA},{-Xss1m,-XX:+UseOther}", "2x=-1,1"},
			servers: []string{`*reads-xss1m-xx-usenuma-2x slow {"2x":-1,"one_concurrent_reads":["-Xss1m","-XX:+UseNUMA"]}`, `reads-xss1m-xx-usenuma-2x-again slow {"2x":-1,"one_concurrent_reads":["-Xss1m","-XX:+UseNUMA"]}`,
				`reads-xss1m-xx-usenuma-2 slow {"2x":1,"one_concurrent_reads":["-Xss1m","-XX:+UseNUMA"]}`,
				`reads-xss1m-xx-useother-2 slow {"2x":-1,"one_concurrent_reads":["-Xss1m","-XX:+UseOther"]}`, `reads-xss1m-xx-useother-3 slow {"2x":1,"one_concurrent_reads":["-Xss1m","-XX:+UseOther"]}`},
			line: "varied: one_concurrent_reads={-Xss1m,-XX:+UseNUMA},{-Xss1m,-XX:+UseOther} 2x=-1,1 of server slow" + inTurn, rounds: 3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := toy(t)
			for _, set := range test.set {
				require.NoError(t, d.Set(set))
			}
			line, err := d.Vary(test.vary, test.baseline, test.keep)
			require.NoError(t, err)
			assert.Equal(t, test.line, line)
			problems, err := theAPI(t).Complete(t.Context(), d)
			require.NoError(t, err)
			require.Empty(t, problems, "names, types and their number are valid")
			experiment, err := d.Experiment()
			require.NoError(t, err)
			var servers []string
			for _, s := range experiment.Spec.Servers {
				values := "{}"
				if s.Values != nil {
					values = string(s.Values.Raw)
				}
				text := fmt.Sprintf("%s %s %s", s.Name, s.ServerType(), values)
				if s.Name == experiment.Spec.BaselineName() {
					text = "*" + text
				}
				servers = append(servers, text)
			}
			assert.Equal(t, test.servers, servers)
			assert.Equal(t, test.rounds, experiment.Spec.Rounds)
			assert.Equal(t, cmp.Or(test.hosting, v1beta1.HostingDedicated), experiment.Spec.Store.Hosting)
		})
	}
}

func TestVary_typesKeepTheirNames(t *testing.T) {
	d := toy(t)
	_, err := d.Vary([]string{"type=slow,quick"}, "", true)
	require.NoError(t, err)
	experiment, err := d.Experiment()
	require.NoError(t, err)
	assert.Equal(t, []v1beta1.ServerSpec{{Name: "slow"}, {Name: "slow-again", Type: "slow"}, {Name: "quick"}}, experiment.Spec.Servers)
}

func TestVary_boundsAreThoseOfTheSchema(t *testing.T) {
	spec := theAPI(t).structural.Properties["spec"]
	servers := spec.Properties["servers"]
	assert.EqualValues(t, v1beta1.MaxServers, *servers.ValueValidation.MaxItems)
	assert.EqualValues(t, v1beta1.MaxServerName, *servers.Items.Properties["name"].ValueValidation.MaxLength)
}

func TestVary_refusesInALine(t *testing.T) {
	many := func(n int) string { return strings.TrimSuffix(strings.Repeat("v%d,", n), ",") }
	numbers := make([]any, 16)
	for i := range numbers {
		numbers[i] = i
	}
	for name, test := range map[string]struct {
		set  string
		vary []string
		says string
	}{
		"no value":           {"", []string{"nodes="}, `--vary "nodes=": ` + howToVary},
		"no path":            {"", []string{"=1,2"}, `--vary "=1,2": ` + howToVary},
		"one value":          {"", []string{"nodes=1"}, `--vary "nodes=1" has one value: give two or more, or use --set for a value that all servers have`},
		"a value left out":   {"", []string{"nodes=1,,2"}, `--vary "nodes=1,,2": it has no value: write ="" for empty text, quoted for the shell ('path=""'), or =null to remove it`},
		"the same twice":     {"", []string{"nodes=1,2,1"}, `--vary "nodes=1,2,1" has 1 twice: give each value once: the baseline gets its A/A arm by itself`},
		"equal numbers":      {"", []string{"nodes=4,4.0"}, `--vary "nodes=4,4.0" has 4.0 twice: give each value once: the baseline gets its A/A arm by itself`},
		"the same path":      {"", []string{"nodes=1,2", "nodes=3,4"}, `--vary "nodes=3,4": another --vary has the same path: give all values of a path in one --vary`},
		"an element":         {"", []string{"extra[0]=1,2"}, `--vary "extra[0]=1,2" names an element of a list: vary the whole list, as in {a,b},{c,d}`},
		"a field of a phase": {"", []string{"phases.read.threads=1,2"}, `--vary "phases.read.threads=1,2": phases.read.threads is not a value of the store's chart: vary a value of the store's chart, the servers' type or their chart; a phase sweeps threads, connections and rates, as in --set spec.phases.read.sweep.threads={8,32}`},
		"within a value":     {"spec.servers.slow.values={nodes: 1}", []string{"nodes.a=1,2"}, `--vary "nodes.a=1,2" does not match the values of the server: "a" is not possible: there is a plain value, not a table`},
		"too many":           {"", []string{"a=" + fmt.Sprintf(many(16), numbers...)}, "--vary gives 16 servers and an A/A arm, but an experiment may have 16 servers: use fewer values"},
		"too many together":  {"", []string{"a=1,2,3,4", "b=1,2,3,4"}, "--vary gives 4 × 4 servers and an A/A arm, but an experiment may have 16 servers: use fewer values"},
		"options":            {"spec.servers.slow.options={workers: '4'}", []string{"a=1,2"}, "--vary gives each server a store of its own, but server slow has options, which are for a store that hosts all servers: vary another server with --server (SERVER=)"},
	} {
		t.Run(name, func(t *testing.T) {
			d := toy(t)
			if test.set != "" {
				require.NoError(t, d.Set(test.set))
			}
			before := d.JSON()
			_, err := d.Vary(test.vary, "", false)
			assert.EqualError(t, err, test.says)
			assert.JSONEq(t, string(before), string(d.JSON()))
		})
	}
}
