package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

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
	assert.Regexp(t, `^\[ 0:0[5-9]\] a step\n {8}note: one\n {8}note: two\n$`, output)
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
		assert.Regexp(t, `\x1b\[K\[ 0:0[5-9]\] `+name+`\r\n`, both, "its end has a line of its own")
	}
}
