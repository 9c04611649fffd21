package compare

// Axis is a load parameter that a phase sweeps: measurements of a round differ in it and in nothing else.
type Axis struct {
	// Name is the column of measurements.csv; Title and Unit are for people.
	Name, Title, Unit string
	number            func(*Cell) *int
}

// Axes returns the load parameters that a phase can sweep.
func Axes() []Axis {
	return []Axis{
		{"target_rate", "offered rate", "1/s", func(c *Cell) *int { return &c.TargetRate }},
		{"connections", "connections", "connections", func(c *Cell) *int { return &c.Connections }},
		{"threads", "threads", "threads", func(c *Cell) *int { return &c.Threads }},
	}
}

// OffersRates reports whether the sweep is over rates, so that it shows how latency grows with the offered load.
func (a Axis) OffersRates() bool { return a.Name == "target_rate" }

// Of returns the cell's value on the axis.
func (a Axis) Of(cell Cell) int { return *a.number(&cell) }

// without returns the cell with the axis value set to 0. All cells of one sweep are then equal.
func (a Axis) without(cell Cell) Cell {
	*a.number(&cell) = 0
	return cell
}
