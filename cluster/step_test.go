package cluster

import (
	"fmt"
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

// step runs step.sh in its own folder.
func step(t *testing.T, name, script string) (output, log string, err error) {
	t.Helper()
	program, err := filepath.Abs("step.sh")
	require.NoError(t, err)
	cmd := exec.Command(program, name, "sh", "-c", script)
	cmd.Dir = t.TempDir()
	text, err := cmd.CombinedOutput()
	content, readErr := os.ReadFile(filepath.Join(cmd.Dir, "build/log/a-step.log"))
	require.NoError(t, readErr)
	return string(text), string(content), err
}

func TestAStepThatWorksKeepsItsToolsOutputToItself(t *testing.T) {
	output, log, err := step(t, "a step", "echo much; echo more >&2")
	require.NoError(t, err)
	assert.Empty(t, output, "what takes no time is not worth a line")
	assert.Equal(t, "much\nmore\n", log)
}

func TestAStepThatTakesLongSaysHowLong(t *testing.T) {
	output, _, err := step(t, "a step", "echo 'note: one'; echo '[  0.1s] note: two'; echo another note: three; sleep 5.1")
	require.NoError(t, err)
	assert.Regexp(t, `^\[ 0:(0[5-9]|[1-5][0-9])\] a step\n {8}note: one\n {8}note: two\n$`, output)
}

func TestAStepThatFailsShowsWhyAndWhereToReadOn(t *testing.T) {
	output, _, err := step(t, "a step", `printf '\033[31mthe reason\033[m\n'; exit 7`)
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, 7, exit.ExitCode())
	assert.Equal(t, "the reason\nringside: a step: it failed; its whole output is in build/log/a-step.log\n", output)
}

func TestAStepThatIsStoppedSaysSo(t *testing.T) {
	output, _, err := step(t, "a step", "kill -TERM $PPID; exit 7") // bash runs its trap after the command
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, 7, exit.ExitCode())
	assert.Equal(t, "ringside: a step: stopped\n", output)
}

// onATerminal runs a shell command with a terminal as its output, as util-linux's script provides one.
func onATerminal(t *testing.T, command string) string {
	t.Helper()
	cmd := exec.Command("script", "--quiet", "--return", "--command", command, "/dev/null")
	cmd.Dir = t.TempDir()
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
	return string(text)
}

func TestStepsInParallelShareTheTerminalsLine(t *testing.T) {
	program, err := filepath.Abs("step.sh")
	require.NoError(t, err)
	alone := onATerminal(t, fmt.Sprintf(`%s "a step" sh -c "echo hammering; sleep 2.5"`, program))
	assert.Contains(t, alone, "] a step: hammering")
	both := onATerminal(t, fmt.Sprintf(`%[1]s "one step" sleep 5.5 & %[1]s "another step" sleep 5.5; wait`, program))
	assert.Regexp(t, `\] (one step, another step|another step, one step)`, both)
	for _, name := range []string{"one step", "another step"} {
		assert.Regexp(t, `\x1b\[K\[ 0:(0[5-9]|[1-5][0-9])\] `+name+`\r\n`, both, "its end has a line of its own")
	}
}

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
