// Package release tests the workflows of continuous integration and of releases. The folders below it build the artefacts of a release.
package release
