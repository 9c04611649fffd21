//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// processes returns the processes that run a program of the directory, or have one of the marks in their arguments.
func processes(t *testing.T, bin string, marks ...string) []string {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*")
	require.NoError(t, err)
	var found []string
	for _, entry := range entries {
		exe, _ := os.Readlink(entry + "/exe") // kernel threads and zombies have none
		arguments, _ := os.ReadFile(entry + "/cmdline")
		line := strings.ReplaceAll(string(arguments), "\x00", " ")
		if strings.HasPrefix(exe, bin+"/") || slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(line, mark) }) {
			found = append(found, fmt.Sprintf("%s: %s", filepath.Base(entry), line))
		}
	}
	return found
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	output, err := exec.Command(name, args...).CombinedOutput()
	require.NoError(t, err, "%s %v: %s", name, args, output)
	return string(output)
}
