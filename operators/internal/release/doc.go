// Package release knows store charts and installs them: which stores and servers there are, what values mean, and Helm.
package release
