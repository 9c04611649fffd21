package release

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

const root = ".."

type workflow struct {
	Permissions any
	Jobs        map[string]struct {
		Steps []struct{ Run string }
	}
}

func workflows(t *testing.T) map[string]workflow {
	t.Helper()
	files, err := filepath.Glob(root + "/.github/workflows/*.yml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	all := map[string]workflow{}
	for _, file := range files {
		var w workflow
		require.NoError(t, yaml.Unmarshal(read(t, file), &w), file)
		all[file] = w
	}
	return all
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return text
}

// command is a make target, as root or not, with variables that may come from the workflow.
var command = regexp.MustCompile(`^(?:sudo env (?:"[A-Z_]+=\$[A-Z_]+" )+)?make ([a-z0-9-]+)(?: [A-Z_]+=(?:[\w.-]+|"[^"]+"))*$`)

func TestEveryStepRunsATargetOfTheMakefile(t *testing.T) {
	targets := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^([a-z0-9-]+):(?:[^=]|$)`).FindAllStringSubmatch(string(read(t, root+"/Makefile")), -1) {
		targets[line[1]] = true
	}
	for file, w := range workflows(t) {
		steps := 0
		for name, job := range w.Jobs {
			for _, step := range job.Steps {
				if step.Run == "" {
					continue
				}
				steps++
				for line := range strings.SplitSeq(strings.TrimSpace(step.Run), "\n") {
					match := command.FindStringSubmatch(line)
					if assert.NotNil(t, match, "%s, job %s: %q is no make target; move it into the Makefile or a script, so that it can be run without GitHub", file, name, line) {
						assert.True(t, targets[match[1]], "%s, job %s: the Makefile has no target %s", file, name, match[1])
					}
				}
			}
		}
		assert.NotZero(t, steps, file)
	}
}

func TestActionsArePinnedByCommit(t *testing.T) {
	pinned := regexp.MustCompile(`^[\w-]+/[\w/.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$|^\./\.github/workflows/`)
	for file := range workflows(t) {
		for _, line := range regexp.MustCompile(`(?m)\buses: +(.+)$`).FindAllStringSubmatch(string(read(t, file)), -1) {
			assert.Regexp(t, pinned, line[1], file)
		}
	}
}

// A job that needs more rights than this lists them itself.
func TestWorkflowsMayOnlyReadTheRepository(t *testing.T) {
	for file, w := range workflows(t) {
		assert.Equal(t, map[string]any{"contents": "read"}, w.Permissions, file)
	}
}

func TestEveryChangeIsScannedForKnownVulnerabilities(t *testing.T) {
	var scans []string
	for name, job := range workflows(t)[root+"/.github/workflows/ci.yml"].Jobs {
		for _, step := range job.Steps {
			if strings.HasPrefix(step.Run, "make vulnerabilities") {
				scans = append(scans, name)
			}
		}
	}
	assert.Equal(t, []string{"vulnerabilities"}, scans)
}

// A workflow of the repository that is not the release, or that runs on a branch, could sign anything.
func TestTheDocumentedVerificationAcceptsReleasesOnly(t *testing.T) {
	pattern := regexp.MustCompile(`--certificate-identity-regexp '([^']*)'`)
	text := string(read(t, root+"/docs/design/release.md"))
	found := pattern.FindAllStringSubmatch(text, -1)
	require.Len(t, found, strings.Count(text, "--certificate-identity"))
	for _, match := range found {
		identity := regexp.MustCompile(strings.ReplaceAll(match[1], "<owner>/<repository>", "us/ringside"))
		const workflows = "https://github.com/us/ringside/.github/workflows/"
		assert.True(t, identity.MatchString(workflows+"release.yml@refs/tags/v1.2.3"))
		for _, other := range []string{workflows + "ci.yml@refs/tags/v1.2.3", workflows + "release.yml@refs/heads/main", workflows + "release-yml@refs/tags/v1"} {
			assert.False(t, identity.MatchString(other), other)
		}
	}
}
