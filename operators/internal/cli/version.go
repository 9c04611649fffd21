package cli

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// version and commit are set by the linker in a release (.goreleaser.yaml).
var version, commit string

// libraries are those with which the command talks to a cluster.
var libraries = []struct{ name, module string }{{"Kubernetes client", "k8s.io/client-go"}, {"Helm", "helm.sh/helm/v4"}}

func (a *App) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of this command and of its Kubernetes and Helm libraries",
		Long: "Print the versions of this command and of its Kubernetes and Helm libraries, and the commit of a release. The version of a\n" +
			"command that was built from a checkout is dev.\n\n" + exitCodes,
		Args: atMost(0),
		RunE: func(*cobra.Command, []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				info = &debug.BuildInfo{}
			}
			describe(a.Out, version, commit, info)
			return nil
		},
	}
}

// describe prints versions. A command that was built by go install has the version of its module.
func describe(out io.Writer, version, commit string, info *debug.BuildInfo) {
	if info.Main.Version != "(devel)" {
		version = cmp.Or(version, strings.TrimPrefix(info.Main.Version, "v"))
	}
	fmt.Fprintf(out, "ringside %s\n", cmp.Or(version, "dev"))
	if commit != "" {
		fmt.Fprintf(out, "commit %s\n", commit)
	}
	for _, library := range libraries {
		for _, module := range info.Deps {
			if module.Path == library.module {
				fmt.Fprintf(out, "%s %s\n", library.name, strings.TrimPrefix(module.Version, "v"))
			}
		}
	}
	fmt.Fprintf(out, "%s %s/%s\n", cmp.Or(info.GoVersion, runtime.Version()), runtime.GOOS, runtime.GOARCH)
}
