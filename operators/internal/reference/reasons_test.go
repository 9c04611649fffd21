package reference

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Conditions have reasons of the documented list only.
func TestNoConditionHasAReasonOfItsOwn(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "operators/internal/controller/*.go"))
	require.NoError(t, err)
	literal := regexp.MustCompile(`ondition\(.*(?:true|false), "[A-Z]`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Empty(t, literal.FindAllString(string(text), -1), "%s: use a constant of the API", file)
	}
}

// The list is closed in both directions: code gives each reason of the list, and no word twice.
func TestEveryReasonIsGivenBySomeCode(t *testing.T) {
	reasons, err := constantsOf(root, apiTypes+"reason_types.go", "operators/internal/problem/reasons.go")
	require.NoError(t, err)
	require.NotEmpty(t, reasons)
	lists := map[string]bool{
		filepath.Join(root, "operators/internal/problem/reasons.go"): true,
		filepath.Join(root, "operators/internal/gates/catalogue.go"): true,
	}
	var code strings.Builder
	err = filepath.WalkDir(filepath.Join(root, "operators/internal"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || lists[path] {
			return err
		}
		text, err := os.ReadFile(path)
		code.Write(text)
		return err
	})
	require.NoError(t, err)
	names := map[string]string{}
	for _, reason := range reasons {
		assert.True(t, strings.Contains(code.String(), "."+reason.Name), "no code gives the reason %s", reason.Value)
		assert.Empty(t, names[reason.Value], "%s and %s are the same word", reason.Name, names[reason.Value])
		assert.NotEmpty(t, reason.Doc, reason.Name)
		names[reason.Value] = reason.Name
	}
}
