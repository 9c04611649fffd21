package storechart

import (
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Companions returns the names of further Ringside images that the chart may run next to the store's own.
func (c *Chart) Companions() []string { return c.listed(annotationCompanions) }

// Images returns the images for the chart: its own with its own tag, and each companion with its. A chart of a registry names its images
// itself.
func (c *Chart) Images(all Images) Images {
	if c.digest != "" {
		return Images{foreign: true}
	}
	own := all.For(c.Name())
	own.companions = map[string]string{}
	for _, name := range c.Companions() {
		own.companions[name] = all.Reference(name)
	}
	return own
}

// Built describes the build of the chart's images, or returns nil if it is unknown. Store pods may run the chart's own image or, where
// servers need another Java, a companion. The images of a chart of a registry are unknown.
func (c *Chart) Built(all Images) *v1beta1.Build {
	if c.digest != "" {
		return nil
	}
	var built *v1beta1.Build
	for _, name := range append([]string{c.Name()}, c.Companions()...) {
		one := all.Built(name)
		switch {
		case one == nil: // as where all servers of a run need the other image
		case built == nil:
			built = &v1beta1.Build{ImageDigests: slices.Clone(one.ImageDigests), PluginSHA256: one.PluginSHA256}
		default:
			built.ImageDigests = append(built.ImageDigests, one.ImageDigests...)
		}
	}
	return built
}
