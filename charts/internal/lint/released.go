package lint

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path"
	"strings"

	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"sigs.k8s.io/yaml"
)

// Unchanged reports an error if the chart in a folder of a Git repository has the version of a release, but is not the chart that was released.
// The tag of release 1.2.3 is v1.2.3. A version without a tag was not released.
func Unchanged(ctx context.Context, repository, folder string) error {
	metadata := path.Join(folder, "Chart.yaml")
	text, err := git(ctx, repository, "show", "HEAD:"+metadata)
	if err != nil {
		return err
	}
	var chart chartv2.Metadata
	if err := yaml.Unmarshal(text, &chart); err != nil {
		return fmt.Errorf("decode %s: %w", metadata, err)
	}
	tag := "v" + chart.Version
	tags, err := git(ctx, repository, "tag", "--list", tag)
	if err != nil || len(tags) == 0 {
		return err
	}
	changed, err := git(ctx, repository, "diff", "--name-only", tag, "HEAD", "--", folder)
	if err != nil {
		return err
	}
	// Tests are not part of a chart.
	var files []string
	for _, file := range strings.Fields(string(changed)) {
		if !strings.HasSuffix(file, "_test.go") && !strings.Contains(file, "/testdata/") {
			files = append(files, file)
		}
	}
	if len(files) > 0 {
		return fmt.Errorf("%s: version %s was released, and since then these files changed: %s; use a newer version in %s", folder, chart.Version, strings.Join(files, ", "), metadata)
	}
	return nil
}

func git(ctx context.Context, repository string, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "git", append([]string{"-C", repository}, args...)...)
	var errors bytes.Buffer
	command.Stderr = &errors
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("run git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(errors.String()))
	}
	return out, nil
}
