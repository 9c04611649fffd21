package release

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// standIn records its call, and answers as far as the scripts need it.
const standIn = `#!/bin/sh
echo "$(basename "$0") $*" >>"$CALLS"
case "$(basename "$0") $1" in
"ringside-release notes") echo notes ;;
"ringside-release charts") touch build/release/charts/ringside-1.2.3.tgz; echo registry.example/x/ringside-operator@sha256:aa ;;
"ringside-release push") echo registry.example/x/charts/ringside@sha256:bb ;;
"ringside-images archives") touch build/images/operator.tar; echo build/images/operator.tar ;;
"syft scan") for last; do :; done; echo '{}' >"${last#cyclonedx-json=}" ;;
"goreleaser release") mkdir -p build/dist; echo "$COMMIT $COMMIT_DATE $SOURCE_DATE_EPOCH" >build/dist/commit; echo "cc  ringside_1.2.3_linux_amd64.tar.gz" >build/dist/checksums.txt ;;
"publish build/dist/maven") mkdir "$1" ;;
esac
`

// runs a script of this folder in a repository of its own, in which all programs are stand-ins, and returns the repository and the calls.
func run(t *testing.T, script string, environment ...string) (repository string, calls []string) {
	t.Helper()
	repository = t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(repository, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
	}
	for _, name := range []string{"release/stage.sh", "release/dry-run.sh", "release/publish.sh", "release/variables.sh", "cluster/step.sh", "images/sbom/write.sh"} {
		put(name, string(read(t, filepath.Join(root, name))))
	}
	for _, name := range []string{"build/bin/ringside-release", "build/bin/ringside-images", "build/bin/goreleaser", "build/bin/syft", "path/cosign", "images/thrift-servers/publish", "images/thrift-servers/bundle-test", "build/images/.keep"} {
		put(name, standIn)
	}
	log := filepath.Join(t.TempDir(), "calls")
	execute := func(name string, args ...string) {
		t.Helper()
		command := exec.Command(name, args...)
		command.Dir = repository
		command.Env = append(os.Environ(), "CALLS="+log, "PATH="+filepath.Join(repository, "path")+":"+os.Getenv("PATH"), "GITHUB_REPOSITORY=", "PLATFORMS=")
		command.Env = append(command.Env, environment...)
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	execute("git", "init", "-q")
	execute("git", "-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "--allow-empty", "-m", "first")
	execute("bash", script, "1.2.3")
	return repository, strings.Split(strings.TrimSpace(strings.ReplaceAll(string(read(t, log)), repository+"/", "")), "\n")
}

func TestPublishesInOrder(t *testing.T) {
	repository, calls := run(t, "release/publish.sh", "REGISTRY=Registry.Example/X")
	const operator = "registry.example/x/ringside-operator@sha256:aa"
	bill := func(platform string) string {
		return fmt.Sprintf("build/release/sbom/operator-linux-%s.cdx.json", platform)
	}
	scan := func(platform string) string {
		return fmt.Sprintf("syft scan --quiet registry:%s --platform linux/%s --output cyclonedx-json=%s", operator, platform, bill(platform))
	}
	assert.Equal(t, []string{
		"ringside-release check 1.2.3",
		"ringside-release notes 1.2.3",
		"ringside-images build --without-public --registry registry.example/x --push",
		"ringside-images values operator --without-public",
		"ringside-release charts 1.2.3 --images build/release/images.json --into build/release/charts",
		scan("amd64"), scan("arm64"),
		"ringside-release sbom " + bill("amd64") + " " + bill("arm64"),
		"ringside-release push --below registry.example/x/charts build/release/charts/ringside-1.2.3.tgz",
		"cosign sign --yes " + operator,
		"cosign sign --yes registry.example/x/charts/ringside@sha256:bb",
		"cosign attest --yes --type cyclonedx --predicate " + bill("amd64") + " " + operator,
		"cosign attest --yes --type cyclonedx --predicate " + bill("arm64") + " " + operator,
		"goreleaser release --clean --release-notes build/release/notes.md",
	}, calls)
	assert.Equal(t, "cc  ringside_1.2.3_linux_amd64.tar.gz\naa  registry.example/x/ringside-operator\nbb  registry.example/x/charts/ringside\n", string(read(t, repository+"/build/dist/subjects.txt")))
}

func TestADryRunPublishesNothing(t *testing.T) {
	repository, calls := run(t, "release/dry-run.sh", "REGISTRY=")
	assert.Equal(t, []string{
		"ringside-release notes 1.2.3 --draft",
		"ringside-images build --without-public --registry localhost:5000/ringside",
		"ringside-images values operator --without-public",
		"ringside-release charts 1.2.3 --images build/release/images.json --into build/release/charts",
		"ringside-images archives --without-public",
		"syft scan --quiet docker-archive:build/images/operator.tar --output cyclonedx-json=build/release/sbom/operator.cdx.json",
		"ringside-release sbom build/release/sbom/operator.cdx.json",
		"goreleaser release --clean --snapshot --skip=sign --release-notes build/release/notes.md",
		"publish build/dist/maven",
		"bundle-test build/dist/maven",
	}, calls)
	for _, artefact := range []string{"checksums.txt", "notes.md", "images.txt", "charts/ringside-1.2.3.tgz", "images/operator.tar", "sbom/operator.cdx.json"} {
		assert.FileExists(t, filepath.Join(repository, "build/dist", artefact))
	}
}

// GoReleaser's own variables of the commit are "none" and the present time if the checkout has no remote.
func TestTheCommandIsBuiltFromTheCommitInACheckoutWithoutARemote(t *testing.T) {
	repository, _ := run(t, "release/dry-run.sh", "REGISTRY=")
	commit, err := exec.Command("git", "-C", repository, "log", "-1", "--format=%H %cI %ct").Output()
	require.NoError(t, err)
	assert.Equal(t, string(commit), string(read(t, repository+"/build/dist/commit")))
	assert.NotRegexp(t, `{{ *\.(Full|Short)?(Commit|Date|Timestamp)`, string(read(t, filepath.Join(root, ".goreleaser.yaml"))))
}
