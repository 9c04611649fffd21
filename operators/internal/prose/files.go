package prose

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Root is the repository, seen from the folder of a package in operators/internal.
const Root = "../../.."

// Files returns the names of the files that match Git's patterns, from the root of the repository: those that are tracked, and new
// ones that are not ignored.
func Files(t *testing.T, patterns ...string) []string {
	t.Helper()
	list := exec.Command("git", append([]string{"-C", Root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}, patterns...)...)
	out, err := list.Output()
	require.NoError(t, err, "list the files of the repository; this test runs in a clone")
	names := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return !exists(name) })
}

// exists reports whether a tracked file was not deleted.
func exists(name string) bool {
	_, err := os.Lstat(filepath.Join(Root, name))
	return err == nil
}

// Read returns the content of a file by its name from the root of the repository.
func Read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(Root, name))
	require.NoError(t, err)
	return string(content)
}
