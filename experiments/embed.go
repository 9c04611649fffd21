// Package experiments contains the experiment files of Ringside.
package experiments

import "embed"

// Files are the experiment files.
//
//go:embed *.yaml
var Files embed.FS
