package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The recorded command that repeats a run is entered in a shell: it must call make with the same arguments.
func TestTheMakefilesCommandRepeatsExactly(t *testing.T) {
	const args = `--set 'spec.description=what it'\''s for' --profile "a b"`
	for name, test := range map[string]struct {
		words, environment []string
		want               string
	}{
		"nothing was said": {nil, nil, "make experiment EXPERIMENT=cassandra-quorum"},
		"everything was": {
			[]string{"EXPERIMENT=cassandra-duet", "SERVER=disruptor, hsha", "VARY=a.b=1,2 c={x},{y}", "OPS=1000", "ROUNDS=60", "PRECISION=3%", "BUDGET=20m", "CLUSTER=current", "REGISTRY=registry.example/x", "ARGS=" + args}, nil,
			"make experiment EXPERIMENT=cassandra-duet SERVER='disruptor, hsha' VARY='a.b=1,2 c={x},{y}' OPS=1000 ROUNDS=60 PRECISION='3%' BUDGET=20m CLUSTER=current REGISTRY=registry.example/x ARGS=" + quote(args),
		},
		"by the environment": {nil, []string{"SERVER=hsha"}, "make experiment EXPERIMENT=cassandra-quorum SERVER=hsha"},
		"what make would expand": {[]string{"ARGS=--set 'spec.load.parameters.query=$$1 $$(date)'"}, nil,
			"make experiment EXPERIMENT=cassandra-quorum ARGS=" + quote("--set 'spec.load.parameters.query=$$1 $$(date)'")},
		"an empty variable": {[]string{"SERVER=", "OPS= 5 "}, nil, "make experiment EXPERIMENT=cassandra-quorum OPS=5"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, repeatedBy(t, "experiment", test.words, test.environment))
		})
	}
}

func TestTheCommandsOwnWordsRepeatExactly(t *testing.T) {
	words := []string{"run", "my files/a 'b' $c.yaml", "--server", "hsha, xedin", "--baseline", "xedin", "--vary", "a=1,{b: 2}", "--vary", "c=1,2", "--set", `spec.load.parameters.query=SELECT "a", 'b' WHERE k = $1; -- ü $(date) ~ \`, "--set", "", "--profile", "~/p.yaml",
		"--experiments", "other experiments", "--charts", "c", "--images", "i"}
	var flags runFlags
	cmd := (&App{}).runCommandOf(&flags)
	require.NoError(t, cmd.ParseFlags(words[1:]))
	printed, err := exec.Command("sh", "-c", "ringside() { printf '%s\\0' \"$@\"; }; "+flags.commandLine("ringside", cmd.Flags().Arg(0))).Output()
	require.NoError(t, err)
	var again runFlags
	repeated := (&App{}).runCommandOf(&again)
	require.NoError(t, repeated.ParseFlags(strings.Split(strings.TrimSuffix(string(printed), "\x00"), "\x00")[1:]))
	assert.Equal(t, cmd.Flags().Args(), repeated.Flags().Args())
	assert.Equal(t, flags.choices, again.choices)
}

func TestComparingTheServersIsARunThatEndsByItself(t *testing.T) {
	assert.Equal(t, "make experiment EXPERIMENT=cassandra-interleaved ROUNDS=60 PRECISION='3%' BUDGET=20m", repeatedBy(t, "compare-servers", nil, nil))
	assert.Equal(t, "make experiment EXPERIMENT=cassandra-interleaved SERVER=hsha,xedin ROUNDS=60 PRECISION='1.5%' BUDGET=40m",
		repeatedBy(t, "compare-servers", []string{"PRECISION=1.5%", "BUDGET=40m", "SERVER=hsha,xedin"}, nil))
}

// repeatedBy returns the recorded command of a run that make started. make only prints its commands; the test runs the
// one that starts the run.
func repeatedBy(t *testing.T, target string, words, environment []string) string {
	t.Helper()
	printed := filepath.Join(t.TempDir(), "words")
	program := filepath.Join(t.TempDir(), "ringside")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\nprintf '%s\\0' \"$@\" >"+printed+"\n"), 0o755))
	make := exec.Command("make", append([]string{"--no-print-directory", "-C", "../../..", "-n", target, "RINGSIDE=" + program}, words...)...)
	for _, variable := range os.Environ() { // variables of a make that may run these tests
		if name, _, _ := strings.Cut(variable, "="); !strings.HasPrefix(name, "MAKE") && name != "MFLAGS" {
			make.Env = append(make.Env, variable)
		}
	}
	make.Env = append(make.Env, environment...)
	out, err := make.CombinedOutput()
	require.NoError(t, err, string(out))
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "exec "+program+" run ") {
			continue
		}
		require.NoError(t, exec.Command("bash", "-c", line).Run(), line)
		given, err := os.ReadFile(printed)
		require.NoError(t, err)
		var flags runFlags
		cmd := (&App{}).runCommandOf(&flags)
		require.NoError(t, cmd.ParseFlags(strings.Split(strings.TrimSuffix(string(given), "\x00"), "\x00")[1:]))
		return flags.commandLine("ringside", cmd.Flags().Arg(0))
	}
	require.Fail(t, "make starts no run", string(out))
	return ""
}
