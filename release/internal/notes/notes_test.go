package notes

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const changelog = `# Changelog

All changes.

## [Unreleased]

### Added

- A door.

## [0.2.0] - 2026-11-30

### Fixed

- The [roof](docs/roof.md).

## [0.1.0] - not tagged
`

func TestCutsTheSectionOfAVersion(t *testing.T) {
	section, err := Of(changelog, "0.2.0")
	require.NoError(t, err)
	assert.Equal(t, Release{Version: "0.2.0", Date: "2026-11-30", Text: "### Fixed\n\n- The [roof](docs/roof.md)."}, section)
}

func TestRejectsAVersionThatTheChangelogDoesNotDescribe(t *testing.T) {
	_, err := Of(changelog, "0.2")
	assert.EqualError(t, err, "read the notes of 0.2: the changelog has no section [0.2]; add it")
	_, err = Of(changelog, "0.1.0")
	assert.ErrorContains(t, err, "its section of the changelog is empty")
}

func TestADraftOfANewVersionHasTheUnreleasedChanges(t *testing.T) {
	section, err := Draft(changelog, "0.3.0")
	require.NoError(t, err)
	assert.Equal(t, "### Added\n\n- A door.", section.Text)
	section, err = Draft(changelog, "0.2.0")
	require.NoError(t, err)
	assert.Contains(t, section.Text, "roof")
}

func TestTheChangelogHasASectionOfUnreleasedChanges(t *testing.T) {
	text, err := os.ReadFile("../../../CHANGELOG.md")
	require.NoError(t, err)
	_, err = Of(string(text), Unreleased)
	assert.NoError(t, err)
}
