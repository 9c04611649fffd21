// Package notes cuts the notes of a release out of the changelog.
package notes

import (
	"fmt"
	"regexp"
	"strings"
)

// heading matches the heading of a release: its version in brackets, then its date, or why it has none.
var heading = regexp.MustCompile(`(?m)^## \[([^\]]+)\](?: - (.+))?$`)

// Release is a section of the changelog.
type Release struct {
	Version string
	// Date is what follows the version: the day of the release as YYYY-MM-DD.
	Date string
	// Text is the section without its heading.
	Text string
}

// Unreleased is the version of the section of changes that no release has yet.
const Unreleased = "Unreleased"

// Of returns the section of a version.
func Of(changelog, version string) (Release, error) {
	headings := heading.FindAllStringSubmatchIndex(changelog, -1)
	for i, at := range headings {
		if changelog[at[2]:at[3]] != version {
			continue
		}
		end := len(changelog)
		if i+1 < len(headings) {
			end = headings[i+1][0]
		}
		section := Release{Version: version, Text: strings.TrimSpace(changelog[at[1]:end])}
		if at[4] >= 0 {
			section.Date = changelog[at[4]:at[5]]
		}
		if section.Text == "" {
			return Release{}, fmt.Errorf("read the notes of %s: its section of the changelog is empty; describe what users notice", version)
		}
		return section, nil
	}
	return Release{}, fmt.Errorf("read the notes of %s: the changelog has no section [%s]; add it", version, version)
}

// Draft returns the section of a version or, if there is none, that of the changes which no release has.
func Draft(changelog, version string) (Release, error) {
	if section, err := Of(changelog, version); err == nil {
		return section, nil
	}
	return Of(changelog, Unreleased)
}
