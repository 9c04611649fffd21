package layout

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRefusesNamesThatMeanAnotherPlace(t *testing.T) {
	for _, instance := range []string{
		"", " ", ".", "..", "/", "system.slice", "init.scope", "../x", "x/../y", "a/b", "x/", "-x", "x-", "Ringside", "1x",
		"x\n", "x y", "é", strings.Repeat("x", 33),
	} {
		_, err := New(instance, t.TempDir(), "")
		require.Error(t, err, "%q", instance)
		assert.NotContains(t, err.Error(), "\n", "%q: one line", instance)
	}
	for _, state := range []string{"", "/", "//", "/x/.."} {
		_, err := New("ringside", state, "")
		assert.ErrorContains(t, err, "--state", "%q", state)
	}
}

func TestEveryInstanceHasAGroupAndARunDirectoryOfItsOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, instance := range []string{"ringside", "ringside-e2e", "x", "user", strings.Repeat("x", 32)} {
		l, err := New(instance, "state", "bin")
		require.NoError(t, err)
		assert.Equal(t, CgroupBase, filepath.Dir(l.Cgroup()))
		assert.Equal(t, runtime, filepath.Dir(l.Run()))
		assert.False(t, seen[l.Cgroup()] || seen[l.Run()])
		seen[l.Cgroup()], seen[l.Run()] = true, true
		assert.True(t, filepath.IsAbs(l.State) && filepath.IsAbs(l.Bin))
	}
}
