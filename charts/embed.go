// Package charts contains the Helm charts of Ringside, and the profiles that adapt experiments to kinds of clusters.
package charts

import "embed"

// Files are the charts, one folder each, as Helm packages them, and the folder profiles.
//
//go:embed */Chart.yaml */.helmignore */values.yaml */values.schema.json all:*/templates
//go:embed */files */rules */dashboards profiles
var Files embed.FS
