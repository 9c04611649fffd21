package storechart

// Companions are images of ours that the chart may run beside the store's own.
func (c *Chart) Companions() []string { return c.listed(annotationCompanions) }

// Images as the chart is to use them: its own under its own tag, and each companion under its.
func (c *Chart) Images(all Images) Images {
	own := all.For(c.Name())
	own.companions = map[string]string{}
	for _, name := range c.Companions() {
		own.companions[name] = all.Reference(name)
	}
	return own
}
