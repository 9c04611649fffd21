package installation

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Dashboard is a Grafana dashboard of the chart of monitoring.
type Dashboard struct {
	UID, Title string
	Tags       []string
}

// Dashboards returns the dashboards of the installed monitoring, sorted by title.
func (i *Installer) Dashboards(namespace string) ([]Dashboard, error) {
	installed, _, _, err := i.monitoring(namespace)
	if err != nil || installed == nil {
		return nil, err
	}
	var all []Dashboard
	for _, file := range installed.Files {
		if matched, _ := path.Match("dashboards/*.json", file.Name); !matched {
			continue
		}
		var dashboard Dashboard
		if err := json.Unmarshal(file.Data, &dashboard); err != nil {
			return nil, fmt.Errorf("read dashboard %s of the chart of monitoring: %w", file.Name, err)
		}
		all = append(all, dashboard)
	}
	slices.SortFunc(all, func(a, b Dashboard) int { return strings.Compare(a.Title, b.Title) })
	return all, nil
}
