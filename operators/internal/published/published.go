// Package published holds the figures that the published comparison of Thrift servers in Cassandra gave, to lay beside ours.
package published

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"sync"

	"sigs.k8s.io/yaml"
)

// Figure is one published row. Numbers are text, as printed.
type Figure struct {
	Server    string `json:"server"`
	Operation string `json:"operation"`
	Repeat    int    `json:"repeat"`
	// OpRate in operations per second; latencies in milliseconds; Time as minutes and seconds.
	OpRate       string `json:"opRate"`
	MedianMillis string `json:"median"`
	P95Millis    string `json:"p95"`
	P999Millis   string `json:"p999"`
	Time         string `json:"time"`
}

// Saying is a ratio that was published in words alone.
type Saying struct {
	Server string  `json:"server"`
	To     string  `json:"to"`
	OpRate float64 `json:"opRate"`
	Words  string  `json:"words"`
}

type comparison struct {
	Store       string            `json:"store"`
	Setup       string            `json:"setup"`
	ServerTypes map[string]string `json:"serverTypes"`
	Figures     []Figure          `json:"figures"`
	Said        []Saying          `json:"said"`
}

//go:embed cassandra-thrift.yaml
var document []byte

// load reads the document, which is compiled in: that it can be read is the tests' to show.
var load = sync.OnceValue(func() comparison {
	var c comparison
	if err := yaml.UnmarshalStrict(document, &c); err != nil {
		panic(fmt.Sprintf("the published figures cannot be read: %v", err))
	}
	return c
})

// Setup of the published figures, in a line.
func Setup() string { return load().Setup }

// ServerOf names the published server that a store's server type is laid beside; empty where none was published. Other stores have
// none: their figures are of another thing altogether.
func ServerOf(store, serverType string) string {
	if store != load().Store {
		return ""
	}
	return load().ServerTypes[serverType]
}

// For lists the published rows for a store's server type and an operation, by repeat.
func For(store, serverType, operation string) []Figure {
	server := ServerOf(store, serverType)
	var found []Figure
	for _, figure := range load().Figures {
		if figure.Server == server && figure.Operation == operation {
			found = append(found, figure)
		}
	}
	return found
}

// Said is what was published in words of the two servers; nil for nothing.
func Said(store, serverType, baseType string) *Saying {
	server, base := ServerOf(store, serverType), ServerOf(store, baseType)
	for _, saying := range load().Said {
		if server != "" && (saying.Server == server && saying.To == base || saying.Server == base && saying.To == server) {
			return &saying
		}
	}
	return nil
}

// Ratio of a server type to another by a metric, as published: of the geometric means over the repeats, or as was said. False where
// nothing was published. The metric is a column of measurements.csv.
func Ratio(store, serverType, baseType, operation, metric string) (float64, bool) {
	server, base := mean(For(store, serverType, operation), metric), mean(For(store, baseType, operation), metric)
	if ratio := server / base; !math.IsNaN(ratio) && ServerOf(store, serverType) != ServerOf(store, baseType) {
		return ratio, true
	}
	said := Said(store, serverType, baseType)
	switch {
	case said == nil || metric != "op_rate":
		return 0, false
	case said.Server == ServerOf(store, serverType):
		return said.OpRate, true
	}
	return 1 / said.OpRate, true
}

// mean is the geometric mean of a metric over rows; NaN where there is none.
func mean(figures []Figure, metric string) float64 {
	sum := 0.0
	for _, figure := range figures {
		text, there := map[string]string{
			"op_rate": figure.OpRate, "latency_median_ms": figure.MedianMillis, "latency_p95_ms": figure.P95Millis, "latency_p999_ms": figure.P999Millis,
		}[metric]
		value, err := strconv.ParseFloat(text, 64)
		if !there || err != nil {
			return math.NaN()
		}
		sum += math.Log(value)
	}
	return math.Exp(sum / float64(len(figures))) // 0/0 for none
}
