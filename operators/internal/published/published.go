// Package published holds the figures that the published comparison of Thrift servers in Cassandra gave:
// four nodes with SSDs, replication factor 3, 3,000,000 keys, QUORUM, one write and three reads.
package published

// Setup of the published figures, in a line.
const Setup = "four nodes with SSDs, RF 3, 3,000,000 keys, QUORUM, cassandra-stress"

// Store that the figures are of.
const Store = "cassandra"

// Figure is one published row. Numbers are text, as printed.
type Figure struct {
	Server, Operation string
	Repeat            int
	// OpRate in operations per second; latencies in milliseconds; Time as minutes and seconds.
	OpRate, MedianMillis, P95Millis, P999Millis string
	Time                                        string
}

// Servers of the published figures.
const (
	Disruptor = "disruptor"
	HsHa      = "hsha"
)

// Figures are all published rows.
func Figures() []Figure {
	return []Figure{
		{Disruptor, "write", 1, "19539", "1.9", "5.4", "83.3", "2:45"},
		{Disruptor, "read", 1, "23836", "2.2", "4.7", "21.7", "2:36"},
		{Disruptor, "read", 2, "23530", "2.1", "4.1", "23.1", "2:25"},
		{Disruptor, "read", 3, "24217", "2.1", "4.1", "24.2", "2:28"},
		{HsHa, "write", 1, "11167", "4.1", "6.3", "135.6", "4:34"},
		{HsHa, "read", 1, "8176", "6.1", "8.4", "27.2", "6:20"},
		{HsHa, "read", 2, "8106", "5.9", "8.8", "29.3", "6:15"},
		{HsHa, "read", 3, "8133", "5.8", "8.2", "26.5", "6:15"},
	}
}

// ThreadedSelector is what was said of the third server, without a table.
const ThreadedSelector = "against TThreadedSelectorServer the published disruptor server had about 1.5 times the throughput"

// ServerOf names the published server that a store's server type is laid beside; empty where none was published.
// xedin is the published disruptor server itself, disruptor is the one that follows its design.
func ServerOf(serverType string) string {
	switch serverType {
	case "disruptor", "xedin":
		return Disruptor
	case "hsha":
		return HsHa
	}
	return ""
}

// For lists the published rows for a store's server type and an operation, by repeat. Other stores have none: their figures are
// of another thing altogether.
func For(store, serverType, operation string) []Figure {
	if store != Store {
		return nil
	}
	server := ServerOf(serverType)
	var found []Figure
	for _, figure := range Figures() {
		if figure.Server == server && figure.Operation == operation {
			found = append(found, figure)
		}
	}
	return found
}
