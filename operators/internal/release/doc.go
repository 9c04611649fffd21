// Package release installs and removes the charts of stores with Helm, and reads their rendered manifests.
package release
