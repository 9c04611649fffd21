package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const repository = "../../.."

// pages returns the Markdown pages of the repository by name.
func pages(t *testing.T) map[string]string {
	t.Helper()
	read := map[string]string{}
	require.NoError(t, filepath.WalkDir(repository, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", "build", "results", "target"}, entry.Name()):
			return filepath.SkipDir
		case filepath.Ext(path) == ".md":
			content, err := os.ReadFile(path)
			read[path] = string(content)
			return err
		}
		return nil
	}))
	require.NotEmpty(t, read)
	return read
}

var called = regexp.MustCompile("bin/ringside-cluster ([^`\n]*)")

// flagWithValue matches a flag with a value before a command. The value is not the command's name.
var flagWithValue = regexp.MustCompile(`^(--[a-z-]+) [^- ]\S* `)

func TestEveryCommandOfThePagesExists(t *testing.T) {
	for name, page := range pages(t) {
		for _, match := range called.FindAllStringSubmatch(page, -1) {
			line, _, _ := strings.Cut(match[1], " #")
			line = strings.TrimSpace(line) + " "
			var flags []string
			for {
				before := flagWithValue.FindStringSubmatch(line)
				if before == nil {
					break
				}
				flags = append(flags, before[1])
				line = strings.TrimPrefix(line, before[0])
			}
			root := New()
			words := strings.Fields(line)
			found, rest, err := root.Find(words)
			if !assert.NoError(t, err, "%s: ringside-cluster %s", name, match[1]) {
				continue
			}
			assert.False(t, found == root && len(words) > 0 && words[0] != "--help", "%s: ringside-cluster has no command %s", name, match[1])
			found.InheritedFlags() // adds the flags of the root
			for _, word := range append(flags, rest...) {
				if flag, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "="); strings.HasPrefix(word, "--") && flag != "help" {
					assert.NotNil(t, found.Flags().Lookup(flag), "%s: ringside-cluster %s: no flag --%s", name, match[1], flag)
				}
			}
		}
	}
}

// ringside install installs charts/monitoring under these names.
func TestEveryTextNamesTheServiceOfPrometheus(t *testing.T) {
	code, err := os.ReadFile(filepath.Join(repository, "operators/internal/installation/install.go"))
	require.NoError(t, err)
	constant := func(name string) string {
		found := regexp.MustCompile(`(?m)^\s+` + name + `\s+= "([a-z-]+)"$`).FindSubmatch(code)
		require.NotNil(t, found, name)
		return string(found[1])
	}
	service := constant("MonitoringRelease") + "-prometheus." + constant("MonitoringNamespace") + ".svc.cluster.local:9090"

	help, _, err := New().Find([]string{"forward"})
	require.NoError(t, err)
	texts := pages(t)
	texts["the help of forward"] = help.Long
	for name, text := range texts {
		for _, named := range regexp.MustCompile(`\S*prometheus\S*\.svc\.cluster\.local:9090`).FindAllString(text, -1) {
			assert.Equal(t, service, strings.TrimLeft(named, "`("), name)
		}
	}
}
