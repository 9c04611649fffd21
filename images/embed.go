// Package images contains what the images of load generators accept.
package images

import "embed"

// Loads are the schemas of orders, each in the folder of its load generator.
//
//go:embed */orders.schema.json
var Loads embed.FS
