// Package versions gives every part of the repository the version of a release, and verifies before the release that it has it.
package versions

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"ringside.dev/ringside/release/internal/notes"
)

var (
	// chartVersion and appVersion match the versions in a Chart.yaml.
	chartVersion = regexp.MustCompile(`(?m)^(version: )(\S+)()$`)
	appVersion   = regexp.MustCompile(`(?m)^(appVersion: )(\S+)()$`)
	// moduleVersion matches the version of a module of ours in a POM, and in the documentation for users of the library.
	moduleVersion = regexp.MustCompile(`(<groupId>dev\.ringside[\w.]*</groupId>\s*<artifactId>[\w.-]+</artifactId>\s*<version>)([^<$]+)(</version>)`)
	unreleased    = "## [" + notes.Unreleased + "]\n"
)

// Valid returns an error if the text is no semantic version.
func Valid(version string) error {
	if _, err := semver.StrictNewVersion(version); err != nil {
		return fmt.Errorf("version %q: %w; use <major>.<minor>.<patch>, as in 1.2.3 or 1.2.3-rc.1", version, err)
	}
	return nil
}

// Check returns what prevents the release of a version from the repository in a folder.
func Check(root, version string) []error {
	if err := Valid(version); err != nil {
		return []error{err}
	}
	var problems []error
	err := each(root, func(path string, text []byte) ([]byte, error) {
		for _, place := range placesIn(path, text) {
			for _, match := range place.FindAllSubmatch(text, -1) {
				if string(match[2]) != version {
					problems = append(problems, fmt.Errorf("%s: version %s is not %s; run: make release-prepare VERSION=%s", path, match[2], version, version))
				}
			}
		}
		return text, nil
	})
	if err != nil {
		problems = append(problems, err)
	}
	return append(problems, changelog(root, version)...)
}

func changelog(root, version string) []error {
	text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return []error{fmt.Errorf("read the changelog: %w", err)}
	}
	section, err := notes.Of(string(text), version)
	if err != nil {
		return []error{err}
	}
	if _, err := time.Parse(time.DateOnly, section.Date); err != nil {
		return []error{fmt.Errorf("CHANGELOG.md: the date of %s is %q; use YYYY-MM-DD", version, section.Date)}
	}
	return nil
}

// Set writes a version into the charts, the modules of Maven and the changelog of the repository in a folder. The unreleased changes become those of
// the version.
func Set(root, version string, day time.Time) error {
	if err := Valid(version); err != nil {
		return err
	}
	if err := each(root, func(path string, text []byte) ([]byte, error) {
		for _, place := range placesIn(path, text) {
			text = place.ReplaceAll(text, []byte("${1}"+version+"${3}"))
		}
		return text, nil
	}); err != nil {
		return err
	}
	path := filepath.Join(root, "CHANGELOG.md")
	return rewrite(path, func(text []byte) ([]byte, error) {
		if _, err := notes.Of(string(text), version); err == nil {
			return text, nil
		}
		if bytes.Count(text, []byte(unreleased)) != 1 {
			return nil, fmt.Errorf("it must have one heading %q", strings.TrimSpace(unreleased))
		}
		dated := fmt.Sprintf("%s\n## [%s] - %s\n", unreleased, version, day.Format(time.DateOnly))
		return bytes.Replace(text, []byte(unreleased), []byte(dated), 1), nil
	})
}

// placesIn returns the patterns of a file's versions. The application of a chart has the chart's version if it is a part of the repository.
func placesIn(path string, text []byte) []*regexp.Regexp {
	if filepath.Base(path) != "Chart.yaml" {
		return []*regexp.Regexp{moduleVersion}
	}
	chart, app := chartVersion.FindSubmatch(text), appVersion.FindSubmatch(text)
	if chart != nil && app != nil && bytes.Equal(chart[2], app[2]) {
		return []*regexp.Regexp{chartVersion, appVersion}
	}
	return []*regexp.Regexp{chartVersion}
}

// each rewrites every file that has versions.
func each(root string, change func(path string, text []byte) ([]byte, error)) error {
	files, err := filepath.Glob(filepath.Join(root, "charts", "*", "Chart.yaml"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("look for charts in %s: there are none (%v); run this in the repository", root, err)
	}
	if err := filepath.WalkDir(filepath.Join(root, "images"), func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "target":
			return filepath.SkipDir
		case slices.Contains([]string{"pom.xml", "README.md"}, entry.Name()):
			files = append(files, path)
		}
		return nil
	}); err != nil {
		return fmt.Errorf("look for modules of Maven: %w", err)
	}
	for _, path := range files {
		if err := rewrite(path, func(text []byte) ([]byte, error) { return change(path, text) }); err != nil {
			return err
		}
	}
	return nil
}

func rewrite(path string, change func([]byte) ([]byte, error)) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read versions: %w", err)
	}
	changed, err := change(text)
	if err != nil {
		return fmt.Errorf("change %s: %w", path, err)
	}
	if bytes.Equal(text, changed) {
		return nil
	}
	if err := os.WriteFile(path, changed, 0o644); err != nil {
		return fmt.Errorf("write versions: %w", err)
	}
	return nil
}
