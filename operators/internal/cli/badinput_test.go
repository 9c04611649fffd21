package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/validation"
)

const house = "../../../"

// shipped returns the choices of a user in the root folder of the repository.
func shipped(sets ...string) choices {
	return choices{sets: sets, profile: house + "cluster/experiment-profile.yaml",
		folders: folders{experiments: house + "experiments", charts: house + "charts", images: house + "images"}}
}

// Each problem is one line, before a cluster is used: problems that a load or a store would find in its pod are found
// here.
func TestBadInputIsRefusedInALineEachBeforeAnythingStarts(t *testing.T) {
	for name, test := range map[string]struct {
		experiment string
		set        []string
		says       string
	}{
		"a field of another type": {"cassandra-quorum", []string{"spec.phases.read.threads=many"},
			`experiments/cassandra-quorum.yaml: spec.phases[1].threads is "many": use a whole number`},
		"a time without its unit": {"cassandra-quorum", []string{"spec.phases.read.duration=90"},
			`experiments/cassandra-quorum.yaml: spec.phases[1].duration is "90": use a time with its unit, as in 90s`},
		"a second and a half": {"cassandra-quorum", []string{"spec.phases.read.duration=1.5s"},
			"spec.phases.read.duration is 1.5s: use whole seconds, as in 2s"},
		"a part of a second": {"cassandra-quorum", []string{"spec.phases.read.duration=300ms"},
			"spec.phases.read.duration is 300ms: use whole seconds, as in 1s"},
		"another Cassandra": {"cassandra-quorum", []string{"spec.store.values.image.tag=5.0.9"},
			`spec.store.values.image.tag is "5.0.9", but the operator sets image.tag: remove it; this chart is cassandra 3.11.19`},
		"a companion's image": {"trip-kafka", []string{"spec.store.values.kafka.image=mine:1"},
			`spec.store.values.kafka.image is "mine:1", but the operator sets kafka.image: remove it; this chart is trip-cache 0.1.0`},
		"a baseline that is none": {"cassandra-quorum", []string{"spec.baseline=hsah"},
			`spec.baseline is "hsah", but no server has that name: choose from hsha, disruptor, xedin, threadedselector, threadpool, nonblocking; did you mean hsha?`},
		"a mode that is none": {"cassandra-quorum", []string{"spec.gates.disk=Of"},
			`experiments/cassandra-quorum.yaml: spec.gates.disk is "Of": choose from Enforce, Warn, Off`},
		"a storage class of no name": {"cassandra-quorum", []string{"spec.store.values.storage.className="},
			`--set "spec.store.values.storage.className=": it has no value: write ="" for empty text, quoted for the shell ('path=""'), or =null to remove it`},
		"a rate of 0": {"http-rate", []string{"spec.phases.put.targetRate=0"},
			"spec.phases[1].targetRate is 0, and should be greater than or equal to 1: fix it in experiments/http-rate.yaml"},
		"a rate of 0 in a sweep": {"cassandra-rates", []string{"spec.phases.read.sweep.rates=[0]"},
			"spec.phases[1].sweep.rates[0] is 0, and should be greater than or equal to 1: fix it in experiments/cassandra-rates.yaml"},
		"a value over the limit": {"http-rate", []string{"spec.load.parameters.value-size='65537'"},
			`spec.load.parameters: load http-load does not accept value-size "65537": use a whole number from 0 to 65536`},
		"a value over the limit in one phase": {"http-rate", []string{"spec.phases.put.parameters={value-size: '65537'}"},
			`phase put: load http-load does not accept value-size "65537": use a whole number from 0 to 65536`},
		"no worker": {"http-workers", []string{"spec.store.values.workers=0"},
			"store.values do not fit chart http-store: at '/workers': minimum: got 0, want 1: see charts/http-store/values.yaml"},
		"no worker of one server": {"http-workers", []string{"spec.servers.arrayqueue-256.options.workers='0'"},
			"store.values do not fit chart http-store: at '/server/instances/2/options/workers': '0' does not match pattern '^([1-9][0-9]{0,2}|[1-3][0-9]{3}|40[0-8][0-9]|409[0-6])$': see charts/http-store/values.yaml"},
		"a handler nobody knows": {"udp-threads", []string{"spec.store.values.handler=lower-case"},
			"store.values do not fit chart udp-echo: at '/handler': 'lower-case' has not the form of the default 'upper-case': see charts/udp-echo/values.yaml"},
		"no handler": {"udp-threads", []string{"spec.store.values.handlers=0"},
			"store.values do not fit chart udp-echo: at '/handlers': minimum: got 0, want 1: see charts/udp-echo/values.yaml"},
		"more misses than reads": {"http-workers", []string{"spec.phases.misses.parameters.miss-ratio='1.5'"},
			`phase misses: load http-load does not accept miss-ratio "1.5": use a number from 0 to 1`},
		"a share in words": {"http-workers", []string{"spec.phases.misses.parameters.miss-ratio=most"},
			`phase misses: load http-load does not accept miss-ratio "most": use a number from 0 to 1`},
		"a parameter that no load reads": {"http-workers", []string{"spec.phases.misses.parameters={mis-ratio: '0.5'}"},
			"phase misses: load http-load has no parameter mis-ratio: choose from heap, log-interval-ms, miss-ratio, timeout-ms, value-size, when-busy"},
		"what to do when the store is busy": {"http-rate", []string{"spec.phases.fill.parameters.when-busy=weep"},
			`phase fill: load http-load does not accept when-busy "weep": choose from count, retry`},
		"an operation of another load": {"udp-threads", []string{"spec.phases.echo.operation=read"},
			`phase echo: load udp-load has no operation "read": choose from echo`},
		"a load that there is not": {"http-rate", []string{"spec.load.image=htp-load"},
			`unknown load "htp-load": choose from cassandra-load, cql-load, gps-load, http-load, latte, stress, udp-load, ycsb`},
		"windows for a load that has none": {"cassandra-interleaved", []string{"spec.load.image=stress"},
			"phase warm: load stress does not support interleave: remove it, or choose another load\n" +
				"phase write: load stress does not support interleave: remove it, or choose another load\n" +
				"phase read: load stress does not support interleave: remove it, or choose another load\n" +
				"phase read-rate: load stress does not support interleave: remove it, or choose another load\n" +
				"phase read-latency: load stress does not support interleave: remove it, or choose another load"},
		"a server of another protocol than the load's": {"cassandra-thrift-or-cql", []string{"spec.load.image=cassandra-load"},
			"load cassandra-load cannot drive server native: choose from simple, nonblocking, hsha, threadedselector, threadpool, xedin, disruptor, or choose another load"},
		"a second native server": {"cassandra-thrift-or-cql", []string{"spec.servers.native.ownInstance=true"},
			"store.values do not fit chart cassandra: at '/server/instances/1/name': 'native-native' does not match pattern '^(simple|nonblocking|hsha|threadedselector|threadpool|xedin|disruptor)-[a-z0-9]+(-[a-z0-9]+)*$': see charts/cassandra/values.yaml"},
		"more connections than a load can have": {"stub-clients", []string{"spec.phases.fill.connections=64"},
			"phase fill: load ycsb does not support connections: remove it, or choose another load"},
		"a consistency where there is none": {"http-rate", []string{"spec.phases.get.consistency=QUORUM"},
			"phase get: load http-load does not support consistency: remove it, or choose another load"},
		"a consistency that Cassandra lacks": {"cassandra-quorum", []string{"spec.phases.read.consistency=MOST"},
			`phase read: load stress has no consistency "MOST": choose from ANY, ONE, TWO, THREE, LOCAL_ONE, QUORUM, LOCAL_QUORUM, EACH_QUORUM, ALL`},
		"a profile with a distribution that the load lacks": {"cassandra-versions",
			[]string{`spec.load.parameters={ops: ops(insert=1), profile: "keyspace: k\ntable: t\ntable_definition: CREATE TABLE t (a int PRIMARY KEY)\ncolumnspec:\n- {name: a, population: zipf(1..9)}"}`},
			`spec.load.parameters: load cql-load does not accept profile: line 5: columnspec[0].population is "zipf(1..9)": use text as in FIXED(n), UNIFORM(a..b), GAUSSIAN(a..b), EXP(a..b) or SEQ(a..b)`},
		"a table option in words": {"cassandra-versions", []string{"spec.load.parameters.table-compaction=leveled"},
			`spec.load.parameters: load cql-load does not accept table-compaction "leveled": use text as in {'class': 'LeveledCompactionStrategy'}`},
		"a setting of another Cassandra": {"cassandra-operations", []string{"spec.servers.v41.values.cassandra.sstable.selected_format=bti"},
			"store.values do not fit chart cassandra-cql: at '/cassandra': additional properties 'sstable' not allowed: see charts/cassandra-cql/values.yaml"},
		"a collector that Java 17 lacks": {"cassandra-operations", []string{"spec.servers.v50.values.variants.v50.collector=CMS"},
			"store.values do not fit chart cassandra-cql: at '/variants/v50/collector': value must be one of 'G1', 'ZGC', 'Shenandoah': see charts/cassandra-cql/values.yaml"},
		"datagrams of 300 bytes to 200": {"udp-threads", []string{"spec.load.parameters={size-min: '300', size-max: '200'}"},
			"phase warm: load udp-load does not accept size-min 300 with size-max 200: swap them\n" +
				"phase echo: load udp-load does not accept size-min 300 with size-max 200: swap them"},
		"nothing to sync": {"trip-capacity", []string{"spec.store.values.rocksdb={wal: false}"},
			"store.values do not fit chart trip-cache: rocksdb.wal is false: without the log there is nothing to sync, but sync is interval; set sync to never"},
		"no thread": {"udp-threads", []string{"spec.phases.warm.threads=0"},
			"spec.phases[0].threads is 0, and should be greater than or equal to 1: fix it in experiments/udp-threads.yaml"},
		"no key": {"http-rate", []string{"spec.keys=0"},
			"spec.keys is 0, and should be greater than or equal to 1: fix it in experiments/http-rate.yaml"},
		"no time": {"http-rate", []string{"spec.phases.get.duration=0s"},
			`spec.phases[2].duration is "0s": use a time above 0s and at most 168h, as in 90s or 1h30m; fix it in experiments/http-rate.yaml`},
	} {
		t.Run(name, func(t *testing.T) {
			c := shipped(test.set...)
			_, err := c.prepare(t.Context(), test.experiment)
			require.Error(t, err)
			assert.Equal(t, test.says, strings.ReplaceAll(err.Error(), house, ""))
		})
	}
}

// Notations of Kubernetes and Helm are accepted.
func TestWhatPeopleAreUsedToWriteIsTaken(t *testing.T) {
	for _, set := range []string{
		"spec.gates.colocation=Off", "spec.gates={colocation: Off}", "spec.phases.read.duration=1m30s",
		`spec.store.values.nodeSelector.topology\.kubernetes\.io/zone=eu-1a`, "spec.store.values.nodeSelector={topology.kubernetes.io/zone: eu-1a}",
		"spec.store.values.podAnnotations.note=hello, world", "spec.phases.read.threads=16,spec.phases.write.threads=16", "spec.phases[1].threads=16",
	} {
		c := shipped(set)
		_, err := c.prepare(t.Context(), "cassandra-quorum")
		assert.NoError(t, err, set)
	}
}

// Each of several documents is checked, whatever is wrong with the others. A run accepts only one.
func TestEachDocumentOfAFileIsChecked(t *testing.T) {
	text, err := os.ReadFile(house + "experiments/cassandra-quorum.yaml")
	require.NoError(t, err)
	second := strings.Replace(string(text), "name: cassandra-quorum", "name: second", 1)
	path := filepath.Join(t.TempDir(), "two.yaml")
	require.NoError(t, os.WriteFile(path, []byte(string(text)+"---\n"+second), 0o600))
	c := shipped()
	all, err := c.prepareAll(t.Context(), path)
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Contains(t, all[1].summary(), "second on cassandra: ")
	_, err = c.prepare(t.Context(), path)
	require.EqualError(t, err, path+" contains 2 experiments (cassandra-quorum, second), but a run accepts one: put each in its own file")
	assert.Equal(t, exitBadInput, exitCode(err))

	require.NoError(t, os.WriteFile(path, []byte(string(text)+"---\n"+strings.Replace(second, "baseline: hsha", "baseline: 7", 1)), 0o600))
	all, err = c.prepareAll(t.Context(), path)
	assert.Len(t, all, 1)
	assert.EqualError(t, err, path+` (document 2): spec.baseline is 7: use text; in quotes, as in "7", if YAML would read it as another type`)
	assert.Equal(t, exitBadInput, exitCode(err))
}

// A store whose load cannot start would be waited for until the timeout.
func TestAStoreWhoseChartBreaksTheContractIsRefusedInALine(t *testing.T) {
	const service = `
apiVersion: v1
kind: Service
metadata: {name: "{{ .Release.Name }}", labels: {ringside.dev/server: quick}}
spec: {clusterIP: None, ports: [{name: server, port: 9000}]}
`
	const pods = `
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: "{{ .Release.Name }}"}
spec: {template: {metadata: {labels: {app.kubernetes.io/component: store}}}}
`
	const breaks = "store chart mute violates the store contract: it has no "
	const noService = "headless Service with a port named server that is labelled ringside.dev/server=quick"
	for name, test := range map[string]struct{ annotation, types, template, says string }{
		"one that keeps it":      {template: service + pods},
		"nothing to ask":         {template: pods, says: breaks + noService + ": see docs/reference/store-contract.md"},
		"no pod of the store":    {template: service, says: breaks + "pods labelled app.kubernetes.io/component=store: see docs/reference/store-contract.md"},
		"neither":                {template: "", says: breaks + "pods labelled app.kubernetes.io/component=store, and no " + noService + ": see docs/reference/store-contract.md"},
		"a port without a name":  {template: strings.Replace(service, "name: server, ", "", 1) + pods, says: breaks + noService + ": see docs/reference/store-contract.md"},
		"an address of its own":  {template: strings.Replace(service, "clusterIP: None, ", "", 1) + pods, says: breaks + noService + ": see docs/reference/store-contract.md"},
		"no list of its servers": {types: `{"type": "string"}`, template: service + pods, says: "store chart mute cannot be used: its values.schema.json has no enum of server.types"},
		"a unit of no latency":   {annotation: "ringside.dev/latency-unit: h", template: service + pods, says: `store chart mute cannot be used: its annotation ringside.dev/latency-unit is "h": use ms or us`},
		"a template that fails":  {template: `{{ fail "no such thing" }}`, says: "store.values do not fit chart mute: no such thing"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			if test.types == "" {
				test.types = `{"enum": ["quick"]}`
			}
			for file, text := range map[string]string{
				"charts/mute/Chart.yaml":           "{apiVersion: v2, name: mute, version: 0.1.0, annotations: {ringside.dev/kind: store, " + test.annotation + "}}",
				"charts/mute/values.schema.json":   `{"properties": {"server": {"properties": {"types": {"items": ` + test.types + `}}}}}`,
				"charts/mute/templates/store.yaml": test.template,
				"experiments/mute.yaml": "{apiVersion: ringside.dev/v1beta1, kind: Experiment, metadata: {name: mute}, spec: {store: {chart: mute, hosting: Shared}, " +
					"servers: [{name: quick}], load: {image: registry.example/load, pods: 1}, rounds: 1, phases: [{name: read, repeats: 1, threads: 1, duration: 1s}]}}",
			} {
				path := filepath.Join(folder, file)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			}
			c := choices{folders: folders{experiments: filepath.Join(folder, "experiments"), charts: filepath.Join(folder, "charts")}}
			_, err := c.prepare(t.Context(), "mute")
			if test.says == "" {
				require.NoError(t, err)
				return
			}
			assert.EqualError(t, err, test.says)
		})
	}
}

func TestVary_isCheckedAgainstTheChartBeforeAnythingStarts(t *testing.T) {
	const seeValues = ": see charts/cassandra-cql/values.yaml"
	for name, test := range map[string]struct {
		vary              []string
		servers, baseline string
		says              string
	}{
		"a setting that is misspelt": {[]string{"cassandra.concurent_reads=16,32"}, "", "",
			"store.values do not fit chart cassandra-cql: at '/cassandra': additional properties 'concurent_reads' not allowed; cassandra.concurent_reads, did you mean concurrent_reads?" + seeValues},
		"a value of another type": {[]string{"cassandra.concurrent_reads=16,many"}, "", "",
			"store.values do not fit chart cassandra-cql: at '/cassandra/concurrent_reads': got string, want integer" + seeValues},
		"a type that is none": {[]string{"type=v50,v50-zcg"}, "", "",
			`store cassandra-cql has no server "v50-zcg": choose from v41, v41-cms, v50, v50-java11, v50-trie, v50-bti, v50-zgc, v50-shenandoah; did you mean v50-zgc?`},
		"a value that the store does not use": {[]string{"variants.v41.collector=G1,CMS"}, "", "",
			"servers collector-g1 and collector-cms have different values, but install the same store: use values that chart cassandra-cql reads for type v50, and that differ"},
		"a baseline that is none": {[]string{"cassandra.concurrent_reads=16,32"}, "", "concurrent-reads-61",
			`spec.baseline is "concurrent-reads-61", but no server has that name: choose from concurrent-reads-16, concurrent-reads-32; did you mean concurrent-reads-16?`},
		"several servers": {[]string{"cassandra.concurrent_reads=16,32"}, "v50,v41", "",
			"--vary varies one server, but --server names several: v50,v41: name the server that the others are like"},
	} {
		t.Run(name, func(t *testing.T) {
			c := shipped()
			c.vary, c.servers, c.baseline = test.vary, test.servers, test.baseline
			_, err := c.prepare(t.Context(), "cassandra-setting")
			require.Error(t, err)
			assert.Equal(t, test.says, strings.ReplaceAll(err.Error(), house, ""))
			assert.Equal(t, exitBadInput, exitCode(err))
		})
	}
}

func TestVary_summaryReportsWhatIsVaried(t *testing.T) {
	c := shipped()
	c.vary, c.servers = []string{"cassandra.concurrent_reads=16,32"}, "v50-zgc"
	p, err := c.prepare(t.Context(), "cassandra-setting")
	require.NoError(t, err)
	assert.Equal(t, "cassandra-setting on cassandra-cql: concurrent-reads-16 (baseline), concurrent-reads-16-again, concurrent-reads-32; "+
		"fill 1000000 ops, warm 2m0s, mixed 1m0s, mixed-rate 1m0s; rounds 10 (1 for warm-up); 66 measurements\n"+
		"varied: cassandra.concurrent_reads=16,32 of server v50-zgc, in stores side by side", p.summary())
	for _, server := range p.experiment.Spec.Servers {
		assert.Equal(t, "v50-zgc", server.ServerType(), server.Name)
	}
	assert.Empty(t, p.other, "a server to add")
}

func TestCheckVersion_readsTheChartsOfAllServers(t *testing.T) {
	c := shipped()
	sources, err := c.chartSources()
	require.NoError(t, err)
	charts := validation.Charts{}
	for _, name := range []string{"cassandra", "stub"} {
		charts[name], err = openChart(name, sources)
		require.NoError(t, err)
	}
	assert.Empty(t, checkVersion(charts, "v1.37.2"))
	found := checkVersion(charts, "v1.20.0")
	require.Len(t, found, 2)
	assert.Contains(t, found[0].Error(), "charts/cassandra needs")
	assert.Contains(t, found[1].Error(), "charts/stub needs")
}
