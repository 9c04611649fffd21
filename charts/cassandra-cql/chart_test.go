package cassandracql_test

import (
	"cmp"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/charts/internal/charttest"
	"ringside.dev/ringside/operators/api/v1beta1"
)

// java11 enables the image that servers on Java 11 need.
const java11 = "cassandra-cql-java11: {enabled: true}"

func TestKeepsTheContractOfStores(t *testing.T) {
	charttest.Store{Name: "cassandra-cql", TestPod: "write-read", FirstPort: 9042, OwnRules: 1, OneServer: true, ServerValues: java11, Bases: []string{
		upgradable,
		"server: {types: [v41-cms]}\n" + java11, "server: {types: [v50-zgc]}", "server: {types: [v50-shenandoah]}",
	}}.HoldToContract(t)
}

func TestARealAPIServerTakesEverything(t *testing.T) {
	charttest.DryRun(t, charttest.MustRender(t, ".", ""))
}

func TestEveryServerIsAVariant(t *testing.T) {
	variants, is := charttest.Load(t, ".").Values["variants"].(map[string]any)
	require.True(t, is)
	assert.ElementsMatch(t, charttest.ServerTypes(t, "."), slices.Collect(maps.Keys(variants)))
}

// The image has the versions of images/pom.xml.
func TestEveryVariantHasAVersionOfTheImage(t *testing.T) {
	pom, err := os.ReadFile("../../images/pom.xml")
	require.NoError(t, err)
	for name, variant := range charttest.Load(t, ".").Values["variants"].(map[string]any) {
		version, is := variant.(map[string]any)["version"].(string)
		require.True(t, is, name)
		assert.Regexp(t, `<cassandra[0-9]+\.version>`+regexp.QuoteMeta(version)+`<`, string(pom), name)
	}
}

func TestEachVariantRunsWhatItsNameSays(t *testing.T) {
	for server, want := range map[string]struct{ image, version, java, collector, option string }{
		"v41":            {"ringside.local/ringside-cassandra-cql-java11:dev", "4.1.10", "11", "G1", "-XX:+UseG1GC"},
		"v41-cms":        {"ringside.local/ringside-cassandra-cql-java11:dev", "4.1.10", "11", "CMS", "-XX:+UseConcMarkSweepGC"},
		"v50":            {"ringside.local/ringside-cassandra-cql:dev", "5.0.9", "17", "G1", "-XX:+UseG1GC"},
		"v50-java11":     {"ringside.local/ringside-cassandra-cql-java11:dev", "5.0.9", "11", "G1", "-XX:+UseG1GC"},
		"v50-zgc":        {"ringside.local/ringside-cassandra-cql:dev", "5.0.9", "17", "ZGC", "-XX:+UseZGC"},
		"v50-shenandoah": {"ringside.local/ringside-cassandra-cql:dev", "5.0.9", "17", "Shenandoah", "-XX:+UseShenandoahGC"},
	} {
		t.Run(server, func(t *testing.T) {
			container := containerOf(t, "server: {types: ["+server+"]}\n"+java11)
			values := charttest.Environment(container)
			assert.Equal(t, want.image, container.Image)
			assert.Equal(t, want.version, values["RINGSIDE_VERSION"])
			assert.Equal(t, want.java, values["RINGSIDE_JAVA"])
			assert.Equal(t, want.collector, values["RINGSIDE_COLLECTOR"])
			assert.Contains(t, container.Args, want.option)
			assert.Contains(t, container.Args, "/opt/ringside:/opt/ringside/ringside-cassandra-cql.jar:/opt/cassandra/"+want.version+"/lib/*")
			assert.Equal(t, want.collector == "CMS", slices.Contains(container.Args, "-Xmn300M"), "only CMS is told the size of its young generation")
		})
	}
}

// As the annotation for the build says, so that every server has its image.
func TestTheAnnotationNamesTheImageOfEachServer(t *testing.T) {
	chart := charttest.Load(t, ".")
	var images map[string]string
	require.NoError(t, yaml.Unmarshal([]byte(chart.Metadata.Annotations["ringside.dev/server-images"]), &images))
	for server := range chart.Values["variants"].(map[string]any) {
		image := cmp.Or(images[server], "cassandra-cql")
		delete(images, server)
		assert.Equal(t, "ringside.local/ringside-"+image+":dev", containerOf(t, "server: {types: ["+server+"]}\n"+java11).Image, server)
	}
	assert.Empty(t, images, "no such servers")
}

func TestOpensTheMaintenancePortOnlyIfAsked(t *testing.T) {
	const variable, name = "RINGSIDE_MAINTENANCE_PORT", v1beta1.MaintenancePortName
	open := containerOf(t, `maintenance: {enabled: true, port: 9500}`)
	assert.Equal(t, "9500", charttest.Environment(open)[variable])
	assert.Contains(t, open.Ports, corev1.ContainerPort{Name: name, ContainerPort: 9500})
	closed := containerOf(t, "")
	assert.NotContains(t, charttest.Environment(closed), variable)
	assert.False(t, slices.ContainsFunc(closed.Ports, func(p corev1.ContainerPort) bool { return p.Name == name }))
}

// upgradable makes the nodes of v41 offer an upgrade.
const upgradable = "server: {types: [v41]}\nmaintenance: {enabled: true, upgradeTo: v50-java11}\n" + java11

func TestTheDataOfANodeThatCanBeUpgradedDecideWhichVersionRuns(t *testing.T) {
	objects := charttest.MustRender(t, ".", upgradable)
	container := charttest.StatefulSet(t, objects).Spec.Template.Spec.Containers[0]
	assert.Equal(t, "5.0.9", charttest.Environment(container)["RINGSIDE_UPGRADE_VERSION"])
	for _, option := range []string{"-javaagent:/tmp/cassandra/jamm.jar", "-Dcassandra.config=file:///tmp/cassandra.yaml", "/opt/ringside:/opt/ringside/ringside-cassandra-cql.jar:/tmp/cassandra/lib/*"} {
		assert.Contains(t, container.Args, option)
	}
	for marked, want := range map[bool][]string{
		false: {"/opt/cassandra/4.1.10", "/etc/ringside/cassandra.yaml"},
		true:  {"/opt/cassandra/5.0.9", "/etc/ringside/upgraded.yaml"},
	} {
		assert.Equal(t, append(want, "-Xms1200M"), started(t, container, marked), "marked: %t", marked)
	}
	never := containerOf(t, "{server: {types: [v41]}, "+java11+"}")
	assert.Empty(t, never.Command)
	assert.NotContains(t, charttest.Environment(never), "RINGSIDE_UPGRADE_VERSION")
}

// started returns the targets of the links that the container's command makes, and the first argument of the program that it ends in. It starts
// twice: a container that restarts finds the links of the one before.
func started(t *testing.T, container corev1.Container, marked bool) []string {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.MkdirAll(folder+"/bin", 0o755))
	require.NoError(t, os.WriteFile(folder+"/bin/java", []byte("#!/bin/sh\necho \"$1\"\n"), 0o755))
	if marked {
		require.NoError(t, os.WriteFile(folder+"/ringside-upgraded", []byte("5.0.9\n"), 0o644))
	}
	script := strings.NewReplacer("/var/lib/cassandra", folder, "/tmp/", folder+"/").Replace(container.Command[2])
	var said []byte
	for range 2 {
		start := exec.CommandContext(t.Context(), container.Command[0], append([]string{container.Command[1], script, container.Command[3]}, container.Args...)...)
		start.Env = []string{"PATH=" + folder + "/bin:" + os.Getenv("PATH")}
		var err error
		said, err = start.CombinedOutput()
		require.NoError(t, err, string(said))
	}
	var out []string
	for _, link := range []string{"cassandra", "cassandra.yaml"} {
		target, err := os.Readlink(folder + "/" + link)
		require.NoError(t, err)
		out = append(out, target)
	}
	return append(out, strings.TrimSpace(string(said)))
}

func TestAnUpgradedNodeHasTheSettingsOfItsVariant(t *testing.T) {
	settings := func(values string) (before, after map[string]any) {
		var rendered corev1.ConfigMap
		charttest.MustRender(t, ".", values).Get(t, "ConfigMap/"+charttest.Release, &rendered)
		require.NoError(t, yaml.Unmarshal([]byte(rendered.Data["cassandra.yaml"]), &before))
		require.NoError(t, yaml.Unmarshal([]byte(rendered.Data["upgraded.yaml"]), &after))
		return before, after
	}
	before, after := settings(upgradable)
	assert.Equal(t, before, after)
	assert.NotContains(t, after, "storage_compatibility_mode", "5.0 understands nodes of 4.1 by default")
	before, after = settings(upgradable + "\ncassandra: {concurrent_reads: 64}\nvariants: {v41: {cassandra: {concurrent_writes: 8}}, v50-java11: {cassandra: {sstable: {selected_format: big}}}}")
	for _, all := range []map[string]any{before, after} {
		assert.EqualValues(t, 64, all["concurrent_reads"])
		assert.Equal(t, charttest.Release, all["cluster_name"])
	}
	assert.EqualValues(t, 8, before["concurrent_writes"])
	assert.NotContains(t, before, "sstable")
	assert.NotContains(t, after, "concurrent_writes")
	assert.Equal(t, map[string]any{"selected_format": "big"}, after["sstable"])
}

func TestTakesTheImageThatTheOperatorNames(t *testing.T) {
	container := containerOf(t, `{server: {types: [v41]}, cassandra-cql-java11: {enabled: true, image: "r.example/java11:2"}, image: {registry: r.example, tag: "1"}}`)
	assert.Equal(t, "r.example/java11:2", container.Image)
	container = containerOf(t, `{server: {types: [v50]}, cassandra-cql-java11: {enabled: true, image: "r.example/java11:2"}, image: {registry: r.example, tag: "1"}}`)
	assert.Equal(t, "r.example/ringside-cassandra-cql:1", container.Image)
}

func TestLaysTheUsersSettingsOverTheVariantsAndThoseOverTheCharts(t *testing.T) {
	settings := configuration(t, `{server: {types: [v50-bti]}, cassandra: {sstable: {selected_format: big}, concurrent_reads: 64, commitlog_sync_period: 2s, authenticator: "a$b"}}`)
	assert.Equal(t, map[string]any{"selected_format": "big"}, settings["sstable"])
	assert.Equal(t, "NONE", settings["storage_compatibility_mode"])
	assert.EqualValues(t, 64, settings["concurrent_reads"])
	assert.Equal(t, "2s", settings["commitlog_sync_period"])
	assert.Equal(t, "a$b", settings["authenticator"])
	assert.Equal(t, false, settings["auto_bootstrap"])
	assert.NotContains(t, configuration(t, ""), "sstable")
}

func TestAServersValuesChangeItsVariant(t *testing.T) {
	container := containerOf(t, `variants: {v50: {collector: ZGC, cassandra: {concurrent_writes: 16}}}`)
	assert.Equal(t, "ZGC", charttest.Environment(container)["RINGSIDE_COLLECTOR"])
	assert.Contains(t, container.Args, "-XX:+UseZGC")
	assert.NotContains(t, container.Args, "-XX:+UseG1GC")
	assert.EqualValues(t, 16, configuration(t, `variants: {v50: {cassandra: {concurrent_writes: 16}}}`)["concurrent_writes"])
}

func TestRefusesValuesThatMakeNoSense(t *testing.T) {
	v41 := "{server: {types: [v41]}, " + java11 + ", "
	charttest.Refuses(t, ".", map[string]struct{ Values, Says string }{
		"a server without its image":       {`server: {types: [v41]}`, "server v41 runs on Java 11, which another image has; set the value cassandra-cql-java11.enabled to true"},
		"a version of another variant":     {`variants: {v50: {version: 4.1.10}}`, "at '/variants/v50/version': value must be '5.0.9'"},
		"a Java that 4.1 does not support": {v41 + `variants: {v41: {java: 17}}}`, "at '/variants/v41/java': value must be 11"},
		"a Java that no image has":         {`variants: {v50: {java: 21}}`, "at '/variants/v50/java': value must be one of 11, 17"},
		"a collector nobody knows":         {`variants: {v50: {collector: Epsilon}}`, "at '/variants/v50/collector': value must be one of 'G1'"},
		"a collector that Java 17 lacks":   {`variants: {v50: {collector: CMS}}`, "at '/variants/v50/collector': value must be one of 'G1', 'ZGC', 'Shenandoah'"},
		"a variant without a version":      {`variants: {v60: {version: 6.0.0, java: 17, collector: G1}}`, "additional properties 'v60' not allowed"},
		"more copies than nodes":           {`replicationFactor: 5`, "replicationFactor is 5: there are only 4 nodes; lower replicationFactor or raise nodes"},
		"a server on the probes' port":     {`port: 8080`, "port is 8080: the port is used by the probes; choose another port"},
		"a server on the exporter's port":  {`port: 9404`, "port is 9404: the port is used by metrics.port; choose another port"},
		"maintenance on another's port":    {`{maintenance: {enabled: true, port: 9404}}`, "metrics.port is 9404: the port is used by maintenance.port; choose another port"},
		"an upgrade to what nobody knows":  {v41 + `maintenance: {enabled: true, upgradeTo: v60}}`, "maintenance.upgradeTo is v60: server v41 needs a variant of a version newer than 4.1.10, with Java 11 and collector G1; use one of v50-java11"},
		"an upgrade to another image":      {v41 + `maintenance: {enabled: true, upgradeTo: v50}}`, "maintenance.upgradeTo is v50: server v41 needs a variant of a version newer than 4.1.10, with Java 11 and collector G1; use one of v50-java11"},
		"an upgrade to the same version":   {`maintenance: {enabled: true, upgradeTo: v50}`, "maintenance.upgradeTo is v50: server v50 needs a variant of a version newer than 5.0.9, with Java 17 and collector G1; there is none, so leave it empty"},
		"an upgrade that nobody can order": {v41 + `maintenance: {upgradeTo: v50-java11}}`, "maintenance.upgradeTo is v50-java11: a node is upgraded by a task of maintenance, and maintenance.enabled is false; set it to true"},
		"an upgrade beyond its neighbours": {v41 + `maintenance: {enabled: true, upgradeTo: v50-java11}, variants: {v50-java11: {cassandra: {storage_compatibility_mode: NONE}}}}`,
			"variants.v50-java11.cassandra.storage_compatibility_mode is NONE: a node that is upgraded must understand nodes of 4.1.10; remove the setting, or set it to CASSANDRA_4"},
		"a setting of 4.1 after an upgrade":    {v41 + `maintenance: {enabled: true, upgradeTo: v50-java11}, cassandra: {keyspace_count_warn_threshold: 9}}`, "at '/cassandra': additional properties 'keyspace_count_warn_threshold' not allowed"},
		"a setting of the chart in an upgrade": {v41 + `maintenance: {enabled: true, upgradeTo: v50-java11}, variants: {v50-java11: {cassandra: {num_tokens: 16}}}}`, "variants.v50-java11.cassandra.num_tokens is set by the chart"},
		"profiles on the nodes' port":          {`{profile: {enabled: true, port: 7000}}`, "profile.port is 7000: the port is used by traffic between nodes; choose another port"},

		"a misspelt setting":             {`cassandra: {concurent_reads: 64}`, "at '/cassandra': additional properties 'concurent_reads' not allowed"},
		"a setting of 5.0 for 4.1":       {v41 + `cassandra: {sstable: {selected_format: bti}}}`, "at '/cassandra': additional properties 'sstable' not allowed"},
		"a variant's setting of 5.0":     {v41 + `variants: {v41: {cassandra: {sstable: {selected_format: bti}}}}}`, "at '/variants/v41/cassandra': additional properties 'sstable' not allowed"},
		"a name that was replaced":       {`cassandra: {read_request_timeout_in_ms: 5000}`, "additional properties 'read_request_timeout_in_ms' not allowed"},
		"text for a number":              {`cassandra: {concurrent_reads: "64"}`, "at '/cassandra/concurrent_reads': got string, want integer"},
		"a quantity without its unit":    {`cassandra: {compaction_throughput: 64}`, "at '/cassandra/compaction_throughput': got number, want string"},
		"a unit that is too small":       {`cassandra: {memtable_heap_space: 512KiB}`, "at '/cassandra/memtable_heap_space': '512KiB' does not match pattern"},
		"a word that the setting lacks":  {`cassandra: {memtable_allocation_type: offheap}`, "value must be one of 'unslabbed_heap_buffers'"},
		"a member that the table lacks":  {`cassandra: {sstable: {format_selected: bti}}`, "additional properties 'format_selected' not allowed"},
		"a setting of the chart":         {`cassandra: {num_tokens: 16}`, "cassandra.num_tokens is set by the chart: each node has one token, evenly spaced; remove it from the values"},
		"a variant's that the chart has": {`variants: {v50: {cassandra: {listen_address: 127.0.0.1}}}`, "variants.v50.cassandra.listen_address is set by the chart: it is that of the pod; remove it from the values"},

		"another collector":       {`extraJvmOptions: ["-XX:+UseZGC"]`, "extraJvmOptions has -XX:+UseZGC: the variant's collector is G1; set variants.v50.collector"},
		"another heap":            {`jvmOptions: ["-Xmx2G"]`, "jvmOptions has -Xmx2G: the chart sets the heap from heap.max (1200M) and heap.young (300M); set those"},
		"a heap beyond its limit": {`heap: {max: 3G, young: 300M}`, "heap.max is 3G: it must be smaller than resources.limits.memory (3Gi)"},
		"a property of the chart": {`extraJvmOptions: ["-Dcassandra.ring_delay_ms=1"]`, "the chart sets cassandra.ring_delay_ms; remove it"},
	})
}

func TestBoundsTheCommitLogByTheVolume(t *testing.T) {
	for size, want := range map[string]string{"4Gi": "1024MiB", "100Gi": "8192MiB", "256Mi": "128MiB"} {
		assert.Equal(t, want, configuration(t, "storage: {size: "+size+"}")["commitlog_total_space"], size)
	}
}

func TestRefusesAnotherNumberOfNodesForData(t *testing.T) {
	_, err := charttest.RenderOver(t, ".", "nodes: 5", charttest.Installed(charttest.Release, 4))
	assert.ErrorContains(t, err, "nodes is 5: this release was installed with 4 nodes")
}

func TestNodesFindTheSeedBeforeTheyAreReady(t *testing.T) {
	objects := charttest.MustRender(t, ".", "")
	var ring corev1.Service
	objects.Get(t, "Service/trial-ring", &ring)
	assert.True(t, ring.Spec.PublishNotReadyAddresses)
	set := charttest.StatefulSet(t, objects)
	assert.EqualValues(t, "Parallel", set.Spec.PodManagementPolicy)
	assert.Equal(t, "trial-0.trial-ring", charttest.Environment(set.Spec.Template.Spec.Containers[0])["RINGSIDE_SEED"])
}

func containerOf(t *testing.T, values string) corev1.Container {
	t.Helper()
	return charttest.StatefulSet(t, charttest.MustRender(t, ".", values)).Spec.Template.Spec.Containers[0]
}

func configuration(t *testing.T, values string) map[string]any {
	t.Helper()
	var files corev1.ConfigMap
	charttest.MustRender(t, ".", values).Get(t, "ConfigMap/"+charttest.Release, &files)
	var settings map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(files.Data["cassandra.yaml"]), &settings))
	return settings
}
