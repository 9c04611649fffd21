package machine

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestSaysAmountsAsAShellDoes(t *testing.T) {
	assert.Equal(t, "20000", amount(20000))
	assert.Equal(t, "unlimited", amount(unix.RLIM_INFINITY))
}

func TestRaisesALimitAsFarAsItMay(t *testing.T) {
	// The limit of core dumps, which no test needs.
	var before syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(unix.RLIMIT_CORE, &before))
	require.NoError(t, syscall.Setrlimit(unix.RLIMIT_CORE, &syscall.Rlimit{Cur: 0, Max: before.Max}))
	l := limit{"core", unix.RLIMIT_CORE, before.Max}
	got, err := l.raise()
	require.NoError(t, err)
	assert.Equal(t, before.Max, got)
	var now syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(unix.RLIMIT_CORE, &now))
	assert.Equal(t, before.Max, now.Cur, "the soft limit, too")
	require.NoError(t, syscall.Setrlimit(unix.RLIMIT_CORE, &before))
}

func TestLeavesOutSettingsThatTheKernelDoesNotHave(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "there"), []byte("1"), 0o600))
	require.NoError(t, setSysctls(root, Spec{SysctlsIfThere: map[string]string{"there": "0", "absent": "0"}}))
	content, err := os.ReadFile(filepath.Join(root, "there"))
	require.NoError(t, err)
	assert.Equal(t, "0", string(content))
	assert.NoFileExists(t, filepath.Join(root, "absent"))
	assert.Error(t, setSysctls(root, Spec{Sysctls: map[string]string{"no/such": "1"}}), "what a machine cannot do without")
}
