package cli

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVersionNamesTheReleaseTheCommitAndTheLibraries(t *testing.T) {
	built := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}, Deps: []*debug.Module{
		{Path: "helm.sh/helm/v4", Version: "v4.3.1"}, {Path: "k8s.io/api", Version: "v0.37.0"}, {Path: "k8s.io/client-go", Version: "v0.37.1"},
	}}
	installed := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v0.2.1"}}
	platform := "go1.26.8 " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	for name, test := range map[string]struct {
		version, commit string
		info            *debug.BuildInfo
		want            string
	}{
		"a release":       {"0.2.0", "c0ffee", built, "ringside 0.2.0\ncommit c0ffee\nKubernetes client 0.37.1\nHelm 4.3.1\n" + platform},
		"a checkout":      {"", "", built, "ringside dev\nKubernetes client 0.37.1\nHelm 4.3.1\n" + platform},
		"by go install":   {"", "", installed, "ringside 0.2.1\n" + platform},
		"nothing on hand": {"", "", &debug.BuildInfo{}, "ringside dev\n" + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			describe(&out, test.version, test.commit, test.info)
			assert.Equal(t, test.want, out.String())
		})
	}
}
