package cassandracql_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/charts/internal/charttest"
)

// sideBySide has servers of two versions, and a second one of 4.1.
const sideBySide = "server: {types: [v50-bti, v41], instances: [{name: v41-again}, {name: v50-bti-again}]}\n" + java11 + "\n"

func TestARealAPIServerTakesSeveralServers(t *testing.T) {
	charttest.DryRun(t, charttest.MustRender(t, ".", sideBySide))
}

func TestEachServerOfAReleaseIsARingOfItsOwnVariant(t *testing.T) {
	objects := charttest.MustRender(t, ".", sideBySide+"cassandra: {concurrent_reads: 64}")
	for server, version := range map[string]string{"v50-bti": "5.0.9", "v50-bti-again": "5.0.9", "v41": "4.1.10", "v41-again": "4.1.10"} {
		t.Run(server, func(t *testing.T) {
			set := setOf(t, objects, "trial-"+server)
			assert.EqualValues(t, 4, *set.Spec.Replicas)
			assert.Equal(t, "trial-ring-"+server, set.Spec.ServiceName)
			assert.Equal(t, "trial", set.Spec.Template.Spec.ServiceAccountName)
			assert.Equal(t, version, set.Spec.Template.Labels["app.kubernetes.io/version"])
			assert.Equal(t, server, set.Spec.VolumeClaimTemplates[0].Labels["ringside.dev/server"])
			values := charttest.Environment(set.Spec.Template.Spec.Containers[0])
			assert.Equal(t, version, values["RINGSIDE_VERSION"])
			assert.Equal(t, server+":9042", values["RINGSIDE_SERVERS"])
			assert.Equal(t, "trial-"+server+"-0.trial-ring-"+server, values["RINGSIDE_SEED"])

			assert.Equal(t, "trial-"+server, set.Spec.Template.Spec.Volumes[0].ConfigMap.Name)
			settings := settingsOf(t, objects, "trial-"+server)
			assert.Equal(t, "trial-"+server, settings["cluster_name"], "nodes of another ring are rejected")
			assert.EqualValues(t, 64, settings["concurrent_reads"])
			assert.Equal(t, strings.HasPrefix(server, "v50-bti"), settings["sstable"] != nil, "the settings of its variant, and of no other")

			var ring corev1.Service
			objects.Get(t, "Service/trial-ring-"+server, &ring)
			assert.NotContains(t, ring.Labels, "ringside.dev/server", "the load must not use it")
			var test corev1.Pod
			objects.Get(t, "Pod/trial-"+server+"-write-read", &test)
			assert.Contains(t, test.Spec.Containers[0].Args, "trial-"+server+":9042")
		})
	}
	for _, once := range []string{"ServiceAccount/trial", "NetworkPolicy/trial-load"} {
		assert.Contains(t, objects, once)
	}
}

// What was installed before a release could have several servers keeps its names, so that it can be upgraded.
func TestOneServerHasTheNamesOfTheRelease(t *testing.T) {
	for _, values := range []string{"server: {types: [v41]}", "server: {types: [v41], instances: []}"} {
		objects := charttest.MustRender(t, ".", values+"\n"+java11)
		for _, name := range []string{"StatefulSet/trial", "Service/trial-ring", "Service/trial-v41", "ConfigMap/trial", "PodDisruptionBudget/trial",
			"NetworkPolicy/trial", "NetworkPolicy/trial-load", "ServiceAccount/trial", "Pod/trial-write-read"} {
			assert.Contains(t, objects, name)
		}
		assert.Len(t, objects, 9)
		set := charttest.StatefulSet(t, objects)
		assert.NotContains(t, set.Spec.Selector.MatchLabels, "ringside.dev/server")
		assert.Nil(t, set.Spec.Template.Spec.Affinity.PodAffinity)
		assert.Equal(t, "trial", settingsOf(t, objects, "trial")["cluster_name"])
	}
}

// Names of Services and pods are DNS labels. A pod has the name of its StatefulSet, and with a hash as a label.
func TestNamesFitWhateverTheReleaseIsCalled(t *testing.T) {
	for _, release := range []string{"shared-i12-abcdef", strings.Repeat("release-", 6) + "12345"} {
		objects := charttest.MustRenderAs(t, release, ".", "server: {types: [v41, v50], instances: [{name: v50-a-name-as-long-as-it-may-be-with-room-for-1}, {name: v50-a-name-as-long-as-it-may-be-with-room-for-2}]}\n"+java11)
		sets := 0
		for name, object := range objects {
			assert.LessOrEqual(t, len(object.GetName()), 63, name)
			assert.True(t, strings.HasPrefix(object.GetName(), release[:17]), "%s: releases of one namespace must not share names", name)
			if object.GetKind() == "StatefulSet" {
				sets++
				assert.LessOrEqual(t, len(object.GetName()), 52, name)
			}
		}
		assert.Equal(t, 4, sets)
	}
}

func TestKeepsTheUsersAffinityNextToThatOfSeveralServers(t *testing.T) {
	objects := charttest.MustRender(t, ".", sideBySide+`affinity: {podAffinity: {
  requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone}],
  preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: rack}}]}}`)
	affinity := setOf(t, objects, "trial-v41").Spec.Template.Spec.Affinity.PodAffinity
	require.Len(t, affinity.RequiredDuringSchedulingIgnoredDuringExecution, 1)
	require.Len(t, affinity.PreferredDuringSchedulingIgnoredDuringExecution, 2)
	assert.Equal(t, "rack", affinity.PreferredDuringSchedulingIgnoredDuringExecution[1].PodAffinityTerm.TopologyKey)
}

func TestRefusesAnotherNumberOfNodesForTheDataOfAnyServer(t *testing.T) {
	_, err := charttest.RenderOver(t, ".", sideBySide+"nodes: 5", charttest.Installed("trial-v41-again", 4))
	assert.ErrorContains(t, err, "nodes is 5: this release was installed with 4 nodes")
}

func setOf(t *testing.T, objects charttest.Objects, name string) appsv1.StatefulSet {
	t.Helper()
	var set appsv1.StatefulSet
	objects.Get(t, "StatefulSet/"+name, &set)
	return set
}

func settingsOf(t *testing.T, objects charttest.Objects, name string) map[string]any {
	t.Helper()
	var files corev1.ConfigMap
	objects.Get(t, "ConfigMap/"+name, &files)
	var settings map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(files.Data["cassandra.yaml"]), &settings))
	return settings
}
