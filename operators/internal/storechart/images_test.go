package storechart

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestSaysWhatWasBuiltOfAnImage(t *testing.T) {
	digests, err := ParseDigests(`{"cassandra": {"image": ["sha256:c0", "sha256:m0"], "plugin": "ab"}, "stress": {"image": ["sha256:c1"]}}`)
	require.NoError(t, err)
	images := Images{Registry: "ringside.local", Tag: "dev", Digests: digests}
	assert.Equal(t, &v1beta1.Build{ImageDigests: []string{"sha256:c0", "sha256:m0"}, PluginSHA256: "ab"}, images.Built("cassandra"))
	assert.Equal(t, &v1beta1.Build{ImageDigests: []string{"sha256:c1"}}, images.Built("stress"))
	assert.Nil(t, images.Built("ycsb"), "nobody said")
	assert.Nil(t, images.Built("registry.example/mine:1"))
	assert.Equal(t, &v1beta1.Build{ImageDigests: []string{"sha256:f0"}}, images.Built("registry.example/mine@sha256:f0"), "the reference itself says")
}

func TestAnImageHasTheTagUnderWhichItWasBuilt(t *testing.T) {
	images := Images{Registry: "r", Tag: "dev", Digests: map[string]ImageDigests{"stress": {Tag: "0123"}, "ycsb": {}}}
	assert.Equal(t, "r/ringside-stress:0123", images.Reference("stress"))
	assert.Equal(t, "0123", images.For("stress").Tag)
	assert.Equal(t, "r/ringside-ycsb:dev", images.Reference("ycsb"))
	assert.Equal(t, "r/ringside-cassandra:dev", images.Reference("cassandra"))
}

func TestRefusesDigestsThatCannotBeRead(t *testing.T) {
	none, err := ParseDigests("")
	require.NoError(t, err)
	assert.Nil(t, none)
	_, err = ParseDigests(`{"cassandra": "sha256:c0"}`)
	assert.ErrorContains(t, err, "read the images' digests")
}

func TestStoresLogInToTheRegistryAsTheOperatorDoes(t *testing.T) {
	values, err := Values(nil, nil, Servers{Types: []string{"calm"}}, Images{PullSecrets: []string{"ours", "another"}})
	require.NoError(t, err)
	assert.Equal(t, []any{map[string]any{"name": "ours"}, map[string]any{"name": "another"}}, values["imagePullSecrets"])
}
