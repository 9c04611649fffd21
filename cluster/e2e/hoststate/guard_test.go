package hoststate

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Other programs may change the host during this test, so only the effects of the command are checked.
func guard(t *testing.T, script string) (left []string, code int) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("OWN", os.Getenv("HOME"))
	all, code, err := Guard(t.Context(), []string{"sh", "-c", script}, []string{"mount", "control group", "link", "route", "packet filter", "module"})
	require.NoError(t, err)
	for _, line := range all {
		if strings.Contains(line, os.Getenv("TMPDIR")) || strings.Contains(line, os.Getenv("HOME")) || strings.HasPrefix(line, "runs:") {
			left = append(left, line)
		}
	}
	return left, code
}

func TestFindsNothingWhereNothingIsLeft(t *testing.T) {
	left, code := guard(t, `f=$(mktemp) && rm "$f"; (sleep 0.2 &); mkdir -p "$OWN/.kube/cache"`)
	assert.Empty(t, left, "what ends soon after the command is no leftover, nor what another program writes to the user's home")
	assert.Zero(t, code)
	entries, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	assert.Empty(t, entries, "nor does the guard itself leave anything")
}

func TestFindsAFileAndTellsTheExitCode(t *testing.T) {
	left, code := guard(t, `echo why >"$TMPDIR/log"; mkdir -p "$HOME/.kube"; exit 3`)
	require.Len(t, left, 2)
	assert.Regexp(t, `^new:  .*/rs-home-\d+/\.kube$`, left[0])
	assert.Contains(t, left[1], "/log")
	assert.Equal(t, 3, code)
	logs, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*/log"))
	require.NoError(t, err)
	assert.Len(t, logs, 1, "the log of a failure is kept")
}

func TestFindsAProcessThatWasAbandoned(t *testing.T) {
	left, code := guard(t, `setsid sleep 987654 >/dev/null 2>&1 &`)
	assert.Zero(t, code)
	require.Len(t, left, 1)
	assert.Contains(t, left[0], "sleep 987654")
	pid, err := strconv.Atoi(strings.TrimSuffix(strings.Fields(left[0])[2], ":"))
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	var status syscall.WaitStatus
	_, err = syscall.Wait4(pid, &status, 0, nil)
	require.NoError(t, err)
}
