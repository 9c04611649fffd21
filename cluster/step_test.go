package cluster

import (
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
	output, _, err := step(t, "a step", "sleep 2.1")
	require.NoError(t, err)
	assert.Regexp(t, `^\[ 0:0[2-9]\] a step\n$`, output)
}

func TestAStepThatFailsShowsWhyAndWhereToReadOn(t *testing.T) {
	output, _, err := step(t, "a step", `printf '\033[31mthe reason\033[m\n'; exit 7`)
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, 7, exit.ExitCode())
	assert.Equal(t, "the reason\nringside: a step: it failed; its whole output is in build/log/a-step.log\n", output)
}
