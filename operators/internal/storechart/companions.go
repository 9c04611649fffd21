package storechart

// Companions returns the names of further Ringside images that the chart may run next to the store's own.
func (c *Chart) Companions() []string { return c.listed(annotationCompanions) }

// Images returns the images for the chart: its own with its own tag, and each companion with its.
func (c *Chart) Images(all Images) Images {
	own := all.For(c.Name())
	own.companions = map[string]string{}
	for _, name := range c.Companions() {
		own.companions[name] = all.Reference(name)
	}
	return own
}
