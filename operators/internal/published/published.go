// Package published holds the figures of published comparisons, to lay beside ours: a file for each, which names the store that it is
// of. A store whose comparison was published joins by such a file.
package published

import (
	"embed"
	"fmt"
	"io/fs"
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

//go:embed *.yaml
var documents embed.FS

// all reads the documents, by store. They are compiled in: that they can be read is the tests' to show.
var all = sync.OnceValue(func() map[string]comparison {
	comparisons, err := read(documents)
	if err != nil {
		panic(fmt.Sprintf("the published figures cannot be read: %v", err))
	}
	return comparisons
})

func read(from fs.FS) (map[string]comparison, error) {
	files, err := fs.Glob(from, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list the published comparisons: %w", err)
	}
	comparisons := map[string]comparison{}
	for _, file := range files {
		text, err := fs.ReadFile(from, file)
		if err != nil {
			return nil, fmt.Errorf("read a published comparison: %w", err)
		}
		var c comparison
		if err := yaml.UnmarshalStrict(text, &c); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if _, twice := comparisons[c.Store]; twice || c.Store == "" {
			return nil, fmt.Errorf("%s: store %q is empty, or another file's", file, c.Store)
		}
		comparisons[c.Store] = c
	}
	return comparisons, nil
}

// Setup of the published figures of a store, in a line; empty where there are none.
func Setup(store string) string { return all()[store].Setup }

// ServerOf names the published server that a store's server type is laid beside; empty where none was published. Other stores have
// none: their figures are of another thing altogether.
func ServerOf(store, serverType string) string { return all()[store].ServerTypes[serverType] }

// For lists the published rows for a store's server type and an operation, by repeat.
func For(store, serverType, operation string) []Figure {
	server := ServerOf(store, serverType)
	var found []Figure
	for _, figure := range all()[store].Figures {
		if figure.Server == server && figure.Operation == operation {
			found = append(found, figure)
		}
	}
	return found
}

// Said is what was published in words of the two servers; nil for nothing.
func Said(store, serverType, baseType string) *Saying {
	server, base := ServerOf(store, serverType), ServerOf(store, baseType)
	for _, saying := range all()[store].Said {
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
