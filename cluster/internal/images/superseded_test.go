package images

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRemovesTheTagsThatAnotherHasReplacedAndNobodyNames(t *testing.T) {
	objects := []byte(`{"kind":"List","items":[
	  {"kind":"Pod","spec":{"initContainers":[{"image":"ringside.local/ringside-operator:running"}],"containers":[{"name":"image","image":"ringside.local/ringside-cassandra:suspended"}]}},
	  {"kind":"StatefulSet","spec":{"template":{"spec":{"containers":[{"image":"ringside.local/ringside-stub:waiting"}]}}}}]}`)
	inUse, err := InUse(objects)
	require.NoError(t, err)
	const cassandra, operator, stub = "ringside.local/ringside-cassandra", "ringside.local/ringside-operator", "ringside.local/ringside-stub"
	present := map[string]string{
		cassandra + ":suspended": "c1", cassandra + ":old": "c2", cassandra + ":new": "c3",
		operator + ":running": "o1", operator + ":old": "o2", operator + ":new": "o3", operator + ":same": "o1",
		stub + ":waiting": "s1", stub + ":old": "s2",
		"host:5000/theirs": "t1", "host:5000/theirs:1": "t2", "ringside.dev/pause:1": "p",
		"sha256:of-c1": "c1", "sha256:of-c2": "c2", "sha256:of-o1": "o1", "sha256:of-o2": "o2", "sha256:of-s2": "s2",
	}
	loaded := []Image{{Name: cassandra + ":new"}, {Name: operator + ":new"}}
	assert.Equal(t, []string{cassandra + ":old", operator + ":old", operator + ":same", "sha256:of-c2", "sha256:of-o2"}, Superseded(present, loaded, inUse),
		"what was not loaded now, what is in use, and what others brought stays")
	assert.Equal(t, []string{"host:5000/theirs"}, Superseded(present, []Image{{Name: "host:5000/theirs:1"}}, inUse), "the port of a registry is no tag")
}

func TestRefusesAListThatCannotBeRead(t *testing.T) {
	_, err := InUse([]byte("error from server"))
	assert.ErrorContains(t, err, "read the images that objects name")
}
