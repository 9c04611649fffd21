package store

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// proved returns the proof of a pod that reports everything a JVM has.
func proved(server, pod string) v1beta1.Proof {
	return v1beta1.Proof{Server: server, Class: "dev.ringside.thrift.TDisruptorServer", Address: "10.201.2.2", Port: 9160, PluginSHA256: strings.Repeat("a", 64),
		ImageDigest: "sha256:" + strings.Repeat("b", 64), Pod: pod, Node: "ip-10-0-100-100.eu-central-1.compute.internal",
		Environment: map[string]string{v1beta1.SurvivesKill: "true", "jvm": "8", "jvm_flags": "-javaagent=" + pod + strings.Repeat(" -XX:+Flag", 250)}}
}

func TestTheProofsOfAHundredNodesThatHostAllServersFitIntoAnObject(t *testing.T) {
	var proofs []v1beta1.Proof
	for node := range 100 {
		for server := range 16 {
			proofs = append(proofs, proved(fmt.Sprintf("server-with-a-long-name-%d", server), fmt.Sprintf("shared-d6c0c8-%d", node)))
		}
	}
	const halfOfAnObject = 3 << 18 // half of the 1.5 MiB that etcd accepts in a request
	whole, err := json.Marshal(proofs)
	require.NoError(t, err)
	require.Greater(t, len(whole), 2*halfOfAnObject)
	text, err := json.Marshal(ToldOnce(proofs))
	require.NoError(t, err)
	assert.Less(t, len(text), halfOfAnObject)
}

func TestEachServersEnvironmentIsToldByOnePodAndThePromisesByAll(t *testing.T) {
	proofs := []v1beta1.Proof{proved("a", "p-0"), proved("b", "p-0"), proved("a", "p-1"), proved("b", "p-1")}
	kept := ToldOnce(proofs)
	assert.Equal(t, proofs[:2], kept[:2])
	for _, proof := range kept[2:] {
		assert.Equal(t, map[string]string{v1beta1.SurvivesKill: "true"}, proof.Environment)
	}
	assert.Equal(t, "p-1", proofs[2].Pod)
	assert.Contains(t, proofs[2].Environment, "jvm", "what was given is as it was")
	assert.Equal(t, kept, ToldOnce(kept))
	assert.Equal(t, "p-0", Telling([]v1beta1.Proof{kept[0], kept[2]}).Pod)

	replaced := ToldOnce([]v1beta1.Proof{kept[2], proved("a", "p-2")})
	assert.Equal(t, "p-2", Telling(replaced).Pod, "the pod that told is gone: the one in its place does")
	assert.Contains(t, Telling(replaced).Environment, "jvm_flags")
}

func TestAProofOfAStoreThatTellsNothingIsTakenAsItIs(t *testing.T) {
	silent := []v1beta1.Proof{{Server: "a", Pod: "p-0"}, {Server: "a", Pod: "p-1"}}
	assert.Equal(t, silent, ToldOnce(silent))
	assert.Equal(t, "p-0", Telling(silent).Pod)
	assert.Nil(t, Telling(nil))
}

func TestSettingsThatAreTheSameEverywhereAreKeptOnce(t *testing.T) {
	with := func(server, pod, digest string) v1beta1.Proof {
		proof := proved(server, pod)
		proof.Settings, proof.SettingsSHA256 = map[string]string{"reads": digest}, digest
		return proof
	}
	proofs := []v1beta1.Proof{with("a", "p-0", "1"), with("b", "p-0", "1"), with("a", "p-1", "2"), with("b", "p-1", "2")}
	kept := ToldOnce(proofs)
	assert.Equal(t, []bool{true, false, true, false}, []bool{kept[0].Settings != nil, kept[1].Settings != nil, kept[2].Settings != nil, kept[3].Settings != nil})
	for i, proof := range kept {
		assert.Equal(t, proofs[i].Settings, WithSettings(proof, kept).Settings)
	}
	assert.Equal(t, kept, ToldOnce(kept))
	silent := proved("a", "p-0")
	assert.Nil(t, WithSettings(silent, []v1beta1.Proof{silent, kept[0]}).Settings, "it told none")
}

func TestAStoreOfWhichANodeWasUpgradedHasTheSettingsOfAllItsNodes(t *testing.T) {
	old, upgraded := proved("v41", "p-0"), proved("v41", "p-1")
	old.Settings, upgraded.Settings = map[string]string{"version": "4.1.10", "java": "11", "gone": "1"}, map[string]string{"version": "5.0.9", "java": "11", "new": "1"}
	mixed := Mixed(old, []v1beta1.Proof{old, upgraded, old})
	assert.Equal(t, map[string]string{"version": "4.1.10 and 5.0.9", "java": "11", "gone": "1"}, mixed.Settings)
	mixed.Environment["more"] = "1"
	assert.NotContains(t, old.Environment, "more")
	assert.Equal(t, "4.1.10", old.Settings["version"], "what was given is as it was")
	assert.NotNil(t, Mixed(v1beta1.Proof{}, nil).Environment)
}
