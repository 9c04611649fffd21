package reference

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

const metricNames = "operators/metrics/"

// storeSections documents the metrics of each store: by the rules of its JMX exporter, or by the code of its image.
func storeSections(p *page, root string) error {
	names, err := constantsOf(root, metricNames+"store.go", metricNames+"load.go")
	if err != nil {
		return err
	}
	stores, err := storeCharts(root)
	if err != nil {
		return err
	}
	for _, store := range stores {
		found, about, err := storeMetrics(root, store, names)
		if err != nil {
			return err
		}
		p.heading(2, "Store "+store)
		p.paragraph(about)
		p.table([]string{"Metric", "Type", "Labels", "Meaning"}, metricRows(found))
	}
	jvm, err := os.ReadFile(filepath.Join(root, "images/store-kit/jvm-metrics.txt"))
	if err != nil {
		return fmt.Errorf("read the metrics of a JVM: %w", err)
	}
	p.heading(2, "Every store")
	p.paragraph("Metrics of the JVM and its process, as the Prometheus client for Java names them.")
	var rows [][]string
	for name := range strings.FieldsSeq(string(jvm)) {
		about := ""
		for _, c := range names {
			if c.Value == name {
				about = c.about(names)
			}
		}
		rows = append(rows, []string{code(name), about})
	}
	p.table([]string{"Metric", "Meaning"}, rows)
	return nil
}

// storeCharts are the folders in charts/ of the charts that are stores.
func storeCharts(root string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(root, "charts", "*", "Chart.yaml"))
	if err != nil {
		return nil, fmt.Errorf("list the charts: %w", err)
	}
	var stores []string
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read the chart: %w", err)
		}
		var chart struct{ Annotations map[string]string }
		if err := yaml.Unmarshal(content, &chart); err != nil {
			return nil, fmt.Errorf("decode %s: %w", file, err)
		}
		if chart.Annotations["ringside.dev/kind"] == "store" {
			stores = append(stores, filepath.Base(filepath.Dir(file)))
		}
	}
	return stores, nil
}

func storeMetrics(root, store string, names []constant) (found []metric, about string, err error) {
	rules, err := os.ReadFile(filepath.Join(root, "charts", store, "jmx.yaml"))
	if err == nil {
		found, err = exporterMetrics(rules, names)
		return found, fmt.Sprintf("Served by the JMX exporter in each store pod: `charts/%s/jmx.yaml`.", store), err
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("read the rules of the JMX exporter: %w", err)
	}
	err = filepath.WalkDir(filepath.Join(root, "images", store, "src/main"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".java" {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range javaMetrics(string(source)) {
			if found, err = add(found, m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, "", fmt.Errorf("read the metrics of %s: %w", store, err)
	}
	return found, fmt.Sprintf("Served by each store pod: `images/%s`. Metrics with the label `server` are those of one server of the store.", store), nil
}

// exporterMetrics reads the rules of a JMX exporter. The meaning of a metric is the comment on the constant of its name.
func exporterMetrics(text []byte, names []constant) ([]metric, error) {
	var exporter struct {
		Rules []struct {
			Name, Type string
			Labels     map[string]string
		}
	}
	if err := yaml.Unmarshal(text, &exporter); err != nil {
		return nil, fmt.Errorf("decode the rules of the JMX exporter: %w", err)
	}
	var found []metric
	for _, rule := range exporter.Rules {
		help := ""
		for _, c := range names {
			if c.Value == rule.Name {
				help = c.about(names)
			}
		}
		if help == "" {
			return nil, fmt.Errorf("metric %s has no meaning; add a commented constant of its name to %s", rule.Name, metricNames)
		}
		var err error
		if found, err = add(found, metric{rule.Name, strings.ToLower(rule.Type), help, slices.Sorted(maps.Keys(rule.Labels))}); err != nil {
			return nil, err
		}
	}
	return found, nil
}

var (
	// javaMetric is a call that registers a metric, with its name, its help, and the function that reads it.
	javaMetric = regexp.MustCompile(`\b(gauge|counter)\(\s*"(\w+)"(?: \+ name \+ "(\w+)")?,\s*"([^"]+)",\s*(\w*)`)
	// javaPrefix is the method by which a class names counters after a word.
	javaPrefix = regexp.MustCompile(`"(ringside_\w+_)" \+ name \+ "(_total)"`)
)

// javaMetrics reads the metrics that Java code registers. Those that it reads with each(...), or names after a word, have the label server.
func javaMetrics(source string) []metric {
	around := javaPrefix.FindStringSubmatch(source)
	var found []metric
	for _, call := range javaMetric.FindAllStringSubmatch(source, -1) {
		m := metric{Name: call[2], Type: call[1], Help: call[4]}
		if call[3] != "" {
			m.Name += "<name>" + call[3]
		}
		switch {
		case strings.HasPrefix(m.Name, "ringside_"):
			if call[5] == "each" {
				m.Labels = []string{"server"}
			}
		case around != nil:
			m.Name, m.Labels = around[1]+m.Name+around[2], []string{"server"}
		default:
			continue
		}
		found = append(found, m)
	}
	return found
}
