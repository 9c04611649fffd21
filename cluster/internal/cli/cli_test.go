package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/cluster/internal/forward"
)

func TestRefusesMalformedForwards(t *testing.T) {
	for _, test := range []struct{ name, port, target, says string }{
		{"api", "9090", "a:1", "reserved for the cluster"},
		{"registry", "9090", "a:1", "reserved for the cluster"},
		{"../x", "9090", "a:1", "lowercase letters"},
		{"", "9090", "a:1", "lowercase letters"},
		{"prometheus", "0", "a:1", "from 1 to 65535"},
		{"prometheus", "http", "a:1", "from 1 to 65535"},
		{"prometheus", "9090", "prometheus", "host:port"},
		{"prometheus", "9090", ":9090", "host:port"},
	} {
		_, err := parseForward(test.name, test.port, test.target)
		assert.ErrorContains(t, err, test.says, "%+v", test)
	}
	got, err := parseForward("prometheus", "9090", "monitoring-prometheus.ringside-monitoring.svc.cluster.local:9090")
	require.NoError(t, err)
	assert.Equal(t, forward.Forward{
		Name: "prometheus", Listen: "127.0.0.1:9090", Target: "monitoring-prometheus.ringside-monitoring.svc.cluster.local:9090", Machine: "node1",
	}, got)
}

func TestPatienceIsAWholeNumberFrom1To100(t *testing.T) {
	for value, want := range map[string]int{"": 1, "1": 1, "20": 20, "0": 0, "-1": 0, "101": 0, "2.5": 0, "long": 0} {
		got, err := patienceOf(value)
		assert.Equal(t, want, got, value)
		assert.Equal(t, want == 0, err != nil, value)
	}
}

func TestRefusesBadArguments(t *testing.T) {
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"up", "--nodes=0"}, "--nodes is 0"},
		{[]string{"up", "--registry=0"}, "--registry is 0"},
		{[]string{"up", "--nodes=many"}, "invalid argument"},
		{[]string{"up", "four"}, "unknown command"},
		{[]string{"load-image"}, "at least 1 arg"},
		{[]string{"frobnicate"}, "unknown command"},
	} {
		root := New()
		root.SetArgs(append(test.args, "--state="+t.TempDir()))
		root.SetOut(&bytes.Buffer{})
		root.SetErr(&bytes.Buffer{})
		assert.ErrorContains(t, root.ExecuteContext(t.Context()), test.says, "%v", test.args)
	}
}

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
