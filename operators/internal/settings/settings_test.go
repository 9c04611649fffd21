package settings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestASettingArrivesByItsValueHoweverItIsWritten(t *testing.T) {
	for _, test := range []struct {
		asked, ran string
		want       bool
	}{
		{"16", "16", true},
		{"16", "32", false},
		{"0.5", "0.50", true},
		{"1e3", "1000.0", true},
		{"true", "true", true},
		{"true", "false", false},
		{"1G", "1073741824", true},
		{"512m", "536870912", true},
		{"512m", "536870913", false},
		{"auto", "mmap", true},
		{"mmap", "auto", false},
		{"hunter2", "***", true},
		{"quiet", "quiet\nexclude,a.b", true},
		{"quie", "quiet", false},
		{"", "x", false},
		{"g", "1", false},
	} {
		assert.Equal(t, test.want, Arrived(test.asked, test.ran), "%s, %s", test.asked, test.ran)
	}
}

func TestServersDifferAsTheyRan(t *testing.T) {
	cms := map[string]string{"concurrent_reads": "32", "jvm.collectors": "ParNew, ConcurrentMarkSweep", "jvm.CMSWaitDuration": "10000"}
	g1 := map[string]string{"concurrent_reads": "32", "jvm.collectors": "G1 Young Generation, G1 Old Generation"}
	found := Differ(cms, g1)
	assert.Equal(t, []Difference{{"jvm.CMSWaitDuration", "10000", Default}, {"jvm.collectors", "ParNew, ConcurrentMarkSweep", "G1 Young Generation, G1 Old Generation"}}, found)
	assert.Equal(t, "jvm.CMSWaitDuration 10000, default; 1 more", Text(found, 1))
	assert.Empty(t, Text(Differ(cms, cms), 1))
}

func TestKeepsWhatWasAskedForAndWhatDiffersFromTheDefaultsWithinBounds(t *testing.T) {
	told := Told{Changed: map[string]string{"a": "1", "b": "2"}, Defaults: map[string]string{"c": "3", "d": "4"}}
	assert.Equal(t, map[string]string{"a": "1", "b": "2", "c": "3"}, told.Kept([]string{"c", "x"}))
	assert.Nil(t, Told{}.Kept([]string{"c"}))
	many := Told{Changed: map[string]string{}, Defaults: map[string]string{"z": "asked"}}
	for i := range 1000 {
		many.Changed[fmt.Sprintf("s%03d", i)] = "1"
	}
	kept := many.Kept([]string{"z"})
	assert.Len(t, kept, maxKept)
	assert.Equal(t, "asked", kept["z"])
	assert.Empty(t, Told{Changed: map[string]string{"a": strings.Repeat("x", maxBytes)}}.Kept(nil))
}

func TestASettingForWhichThereIsNoRoomIsNotItsDefault(t *testing.T) {
	asked, common := map[string]string{"a": "1"}, map[string]string{}
	for i := range maxKept - 1 {
		common[fmt.Sprintf("s%03d", i)] = "1"
	}
	common["z"] = "1"
	plain, changed := Told{Changed: common}.Kept([]string{"a"}), Told{Changed: common, Defaults: asked}.Kept([]string{"a"})
	assert.Contains(t, plain, "z")
	assert.NotContains(t, changed, "z")
	assert.Equal(t, []string{"1", Unrecorded}, Values("z", plain, changed))
	assert.Empty(t, Differ(plain, changed))
	long := map[string]string{"s": strings.Repeat("x", maxBytes-2)}
	assert.Equal(t, []string{Unrecorded, "1"}, Values("z", long, map[string]string{"z": "1"}))
	assert.Equal(t, []string{Default, "1"}, Values("z", map[string]string{"a": "1"}, map[string]string{"z": "1"}))
	assert.Equal(t, []Difference{{"a", "1", "2"}}, Differ(map[string]string{"a": "1"}, map[string]string{"a": "2"}))
}

func TestTheDigestIsOfAllSettings(t *testing.T) {
	digest := Told{Changed: map[string]string{"a": "1"}, Defaults: map[string]string{"c": "3"}}.Digest()
	assert.Len(t, digest, 64)
	assert.Equal(t, digest, Told{Changed: map[string]string{"a": "1", "c": "3"}}.Digest(), "wherever the store reports them")
	assert.NotEqual(t, digest, Told{Changed: map[string]string{"a": "1"}, Defaults: map[string]string{"c": "4"}}.Digest())
	assert.Empty(t, Told{}.Digest())
}
