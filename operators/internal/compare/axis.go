package compare

// Axis is what a phase is swept over: a number of its load that several measurements of a round differ in, and nothing else.
type Axis struct {
	// Name as the column of measurements.csv has it, Title and Unit for people.
	Name, Title, Unit string
	number            func(*Cell) *int
}

// Axes that a phase may be swept over.
func Axes() []Axis {
	return []Axis{
		{"target_rate", "offered rate", "1/s", func(c *Cell) *int { return &c.TargetRate }},
		{"connections", "connections", "connections", func(c *Cell) *int { return &c.Connections }},
		{"threads", "threads", "threads", func(c *Cell) *int { return &c.Threads }},
	}
}

// OffersRates reports that the sweep is over rates: how latency grows with what is asked of a server.
func (a Axis) OffersRates() bool { return a.Name == "target_rate" }

// Of is the cell's value on the axis.
func (a Axis) Of(cell Cell) int { return *a.number(&cell) }

// without the value, all cells of one sweep are equal.
func (a Axis) without(cell Cell) Cell {
	*a.number(&cell) = 0
	return cell
}
