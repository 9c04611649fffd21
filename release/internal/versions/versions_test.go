package versions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const pom = `<project>
  <parent>
    <groupId>dev.ringside</groupId>
    <artifactId>ringside-parent</artifactId>
    <version>0.1.0</version>
  </parent>
  <dependency>
    <groupId>org.example</groupId>
    <artifactId>shop</artifactId>
    <version>0.1.0</version>
  </dependency>
  <dependency>
    <groupId>dev.ringside</groupId>
    <artifactId>meter</artifactId>
    <version>${project.version}</version>
  </dependency>
</project>
`

func house(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for file, text := range map[string]string{
		"charts/ringside/Chart.yaml":         "version: 0.1.0\nappVersion: 0.1.0\n",
		"charts/cassandra/Chart.yaml":        "version: 0.1.0\nappVersion: 3.11.19\n",
		"images/stub/pom.xml":                pom,
		"images/stub/target/classes/pom.xml": pom,
		"CHANGELOG.md":                       "# Changelog\n\n## [Unreleased]\n\n- A door.\n",
	} {
		path := filepath.Join(root, file)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return root
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(text)
}

var day = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)

func TestAPreparedRepositoryCanBeReleased(t *testing.T) {
	root := house(t)
	assert.Len(t, Check(root, "0.2.0"), 5, "two charts, one of them with its application, a module, the changelog")
	require.NoError(t, Set(root, "0.2.0", day))
	assert.Empty(t, Check(root, "0.2.0"))

	assert.Equal(t, "version: 0.2.0\nappVersion: 0.2.0\n", read(t, root, "charts/ringside/Chart.yaml"))
	assert.Equal(t, "version: 0.2.0\nappVersion: 3.11.19\n", read(t, root, "charts/cassandra/Chart.yaml"))
	assert.Equal(t, strings.Replace(pom, "0.1.0", "0.2.0", 1), read(t, root, "images/stub/pom.xml"))
	assert.Equal(t, pom, read(t, root, "images/stub/target/classes/pom.xml"))
	assert.Equal(t, "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-30\n\n- A door.\n", read(t, root, "CHANGELOG.md"))

	changelog := read(t, root, "CHANGELOG.md")
	require.NoError(t, Set(root, "0.2.0", day.AddDate(0, 0, 1)))
	assert.Equal(t, changelog, read(t, root, "CHANGELOG.md"), "a second time changes nothing")
}

func TestNamesWhatPreventsARelease(t *testing.T) {
	root := house(t)
	require.NoError(t, Set(root, "0.2.0", day))
	problems := Check(root, "0.3.0")
	require.Len(t, problems, 5)
	assert.ErrorContains(t, problems[0], "charts/cassandra/Chart.yaml: version 0.2.0 is not 0.3.0; run: make release-prepare VERSION=0.3.0")
	assert.ErrorContains(t, problems[4], "the changelog has no section [0.3.0]")

	require.NoError(t, os.WriteFile(filepath.Join(root, "CHANGELOG.md"), []byte("## [0.2.0] - soon\n\n- A door.\n"), 0o644))
	problems = Check(root, "0.2.0")
	require.Len(t, problems, 1)
	assert.EqualError(t, problems[0], `CHANGELOG.md: the date of 0.2.0 is "soon"; use YYYY-MM-DD`)
}

func TestRejectsWhatIsNoSemanticVersion(t *testing.T) {
	for _, version := range []string{"", "v1.2.3", "1.2", "newest"} {
		assert.ErrorContains(t, Set(t.TempDir(), version, day), "use <major>.<minor>.<patch>", version)
		assert.Len(t, Check(t.TempDir(), version), 1, version)
	}
}

// All parts have one version, so that make release-prepare finds each of them.
func TestEveryPartOfTheRepositoryHasTheSameVersion(t *testing.T) {
	const root = "../../.."
	match := chartVersion.FindStringSubmatch(read(t, root, "charts/ringside/Chart.yaml"))
	require.NotNil(t, match)
	for _, problem := range Check(root, match[2]) {
		assert.NotContains(t, problem.Error(), "release-prepare")
	}
}
