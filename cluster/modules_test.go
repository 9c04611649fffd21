package cluster

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

// Every experiment builds these modules. Where they agree on a version, Go compiles a package once for all of them. The
// modules that are built on request may differ.
var modules = []string{"../go.mod", "go.mod"}

func TestTheModulesAgreeOnVersions(t *testing.T) {
	type use struct{ file, version string }
	first := map[string]use{}
	for _, file := range modules {
		for path, version := range versionsOf(t, file) {
			if before, used := first[path]; used {
				assert.Equal(t, before.version, version, "%s in %s and %s: use the newer version in both, then run go mod tidy", path, before.file, file)
			} else {
				first[path] = use{file, version}
			}
		}
	}
	assert.Greater(t, len(first), 200)
}

// versionsOf returns the version of each module that a go.mod requires, after its replacements.
func versionsOf(t *testing.T, file string) map[string]string {
	t.Helper()
	module, err := modfile.Parse(file, []byte(read(t, file)), nil)
	require.NoError(t, err)
	versions := map[string]string{}
	for _, required := range module.Require {
		versions[required.Mod.Path] = required.Mod.Version
	}
	for _, replaced := range module.Replace {
		if _, used := versions[replaced.Old.Path]; used {
			versions[replaced.Old.Path] = replaced.New.Version
		}
	}
	return versions
}
