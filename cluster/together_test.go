package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// together returns the command that runs targets of a Makefile with together.sh, in a folder of its own.
func together(t *testing.T, makefile string, targets ...string) *exec.Cmd {
	t.Helper()
	program, err := filepath.Abs("together.sh")
	require.NoError(t, err)
	cmd := exec.Command(program, targets...)
	cmd.Dir = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(cmd.Dir, "Makefile"), []byte(makefile), 0o600))
	return cmd
}

func TestTargetsRunAtTheSameTime(t *testing.T) {
	output, err := together(t, "a:\n\t@touch a; until [ -e b ]; do sleep 0.05; done\nb:\n\t@touch b; until [ -e a ]; do sleep 0.05; done\n", "a", "b").CombinedOutput()
	require.NoError(t, err, "%s", output)
	assert.Contains(t, string(output), "make a: passed")
	assert.Contains(t, string(output), "make b: passed")
}

func TestATargetThatFailsShowsItsOutputAndTheOthersRunToTheirEnd(t *testing.T) {
	cmd := together(t, "bad:\n\t@echo the reason; exit 7\ngood:\n\t@while [ ! -e build/log/bad.log ]; do sleep 0.05; done; echo quiet; touch done\n", "bad", "good")
	output, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	assert.Contains(t, string(output), "the reason\n")
	assert.Contains(t, string(output), "make bad: failed with exit code 2")
	assert.NotContains(t, string(output), "quiet", "what passes keeps its output in the log")
	assert.FileExists(t, filepath.Join(cmd.Dir, "done"))
}

func TestTheFirstStepThatFailsEndsTheOthers(t *testing.T) {
	cmd := together(t, "bad:\n\t@until [ -e pid ]; do sleep 0.05; done; echo the reason; exit 7\nslow:\n\t@echo $$$$ >pid.tmp; mv pid.tmp pid; sleep 600\n", "--steps", "slow", "bad")
	output, err := cmd.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(output), "the reason\n")
	pid, err := os.ReadFile(filepath.Join(cmd.Dir, "pid"))
	require.NoError(t, err)
	assert.Eventually(t, func() bool {
		_, err := os.Stat("/proc/" + strings.TrimSpace(string(pid)))
		return os.IsNotExist(err)
	}, time.Minute, 10*time.Millisecond, "the other step's shell has ended")
}

func TestStepsPrintTheirOutput(t *testing.T) {
	output, err := together(t, "a:\n\t@echo one\nb:\n\t@echo two\n", "--steps", "a", "b").CombinedOutput()
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"one", "two"}, strings.Fields(string(output)))
}

func TestASignalEndsTheProcessesOfAllTargets(t *testing.T) {
	cmd := together(t, "a:\n\t@echo $$$$ >pid.tmp; mv pid.tmp pid; sleep 600\n", "a")
	require.NoError(t, cmd.Start())
	var pid string
	require.Eventually(t, func() bool {
		content, err := os.ReadFile(filepath.Join(cmd.Dir, "pid"))
		pid = strings.TrimSpace(string(content))
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Error(t, cmd.Wait())
	assert.Eventually(t, func() bool {
		_, err := os.Stat("/proc/" + pid)
		return os.IsNotExist(err)
	}, time.Minute, 10*time.Millisecond, "the target's shell has ended")
}
