package dashboards

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/variants"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"ringside.dev/ringside/dashboards/tags"
)

type dataquery = variants.Dataquery

// Least is the least version of Grafana: the one in which the dashboards were seen. The schema of the JSON is older, so
// that older versions read it too.
const (
	Least  = "12.4.0"
	schema = 36
)

// Addresses of dashboards that others link to.
const (
	uidExperiment = "ringside-experiment"
	uidComparison = "ringside-comparison"
	uidStore      = "ringside-store"
)

type board struct {
	builder *dashboard.DashboardBuilder
	// stores lists the stores of a dashboard; empty means every store.
	stores []string
	// ofRuns marks a dashboard of many runs.
	ofRuns bool
}

// All returns the JSON of every dashboard by its file name.
func All() (map[string][]byte, error) {
	boards := map[string]board{
		"runs.json":          {builder: listOfRuns(), ofRuns: true},
		"experiment.json":    {builder: experiment()},
		"comparison.json":    {builder: comparison()},
		"history.json":       {builder: history(), ofRuns: true},
		"store.json":         {builder: store()},
		"cassandra.json":     {builder: cassandra(), stores: []string{"cassandra", "cassandra-cql"}},
		"thrift-server.json": {builder: thriftServer(), stores: []string{"cassandra", "stub"}},
		"trip-cache.json":    {builder: stream(), stores: []string{"trip-cache"}},
	}
	files := map[string][]byte{}
	for name, board := range boards {
		content, err := encode(board)
		if err != nil {
			return nil, fmt.Errorf("build %s: %w", name, err)
		}
		files[name] = content
	}
	return files, nil
}

// page returns a dashboard of a run, with its phases.
func page(title, uid, description string, variables []variable) *dashboard.DashboardBuilder {
	return blank(title, uid, description, variables).Annotation(mark(annotationPhases, faint, phaseBeginnings()))
}

// blank returns a dashboard with the settings that all dashboards share.
func blank(title, uid, description string, variables []variable) *dashboard.DashboardBuilder {
	return dashboard.NewDashboardBuilder(title).
		Uid(uid).
		Description(description).
		Readonly().
		Tooltip(dashboard.DashboardCursorSyncCrosshair).
		Time("now-30m", "now").
		Timezone(common.TimeZoneBrowser).
		Timepicker(dashboard.NewTimePickerBuilder().RefreshIntervals([]string{"1s", "5s", "10s", "30s", "1m", "5m"})).
		Link(dashboard.NewDashboardLinkBuilder("Ringside").
			Type(dashboard.DashboardLinkTypeDashboards).Tags([]string{tags.Ringside}).KeepTime(true).IncludeVars(true)).
		Variables(variables)
}

// encode numbers the panels, so that links to them stay valid, adds the required version of Grafana, and writes the JSON.
func encode(board board) ([]byte, error) {
	own := tags.Of(board.stores...)
	if board.ofRuns {
		own = append(own, tags.History)
	}
	built, err := board.builder.Tags(own).Build()
	if err != nil {
		return nil, err
	}
	for i, panel := range built.Panels {
		if number := uint32(i) + 1; panel.Panel != nil {
			panel.Panel.Id = cog.ToPtr(number)
		} else {
			panel.RowPanel.Id = number
		}
	}
	typed, err := json.Marshal(built)
	if err != nil {
		return nil, err
	}
	var document map[string]any
	if err := json.Unmarshal(typed, &document); err != nil {
		return nil, err
	}
	drawnOver, _ := document["annotations"].(map[string]any)["list"].([]any)
	for _, annotation := range drawnOver {
		drawn := annotation.(map[string]any)
		maps.Copy(drawn, annotations[drawn["name"].(string)])
	}
	strip(document)
	document["schemaVersion"] = schema
	document["__requires"] = []any{
		map[string]any{"type": "grafana", "id": "grafana", "name": "Grafana", "version": Least},
		map[string]any{"type": "datasource", "id": "prometheus", "name": "Prometheus", "version": "1.0.0"},
	}
	document["description"] = fmt.Sprintf("%v Needs Grafana %s or newer.", document["description"], Least)
	return lines(document)
}

// lines writes a dashboard's JSON with a line for each of its fields, in the order of their names, and for each of its panels.
func lines(document map[string]any) ([]byte, error) {
	var out bytes.Buffer
	separator := "{"
	for _, name := range slices.Sorted(maps.Keys(document)) {
		fmt.Fprintf(&out, "%s\n%q: ", separator, name)
		separator = ","
		values, end := []any{document[name]}, ""
		if name == "panels" {
			values, end = document[name].([]any), "\n]"
		}
		for i, value := range values {
			content, err := json.Marshal(value)
			if err != nil {
				return nil, err
			}
			if end != "" {
				out.WriteString(map[bool]string{true: "[\n", false: ",\n"}[i == 0])
			}
			out.Write(content)
		}
		out.WriteString(end)
	}
	out.WriteString("\n}\n")
	return out.Bytes(), nil
}

// strip removes settings that the SDK writes and that must be absent: a step that is that of the data source, and a
// place that hides the switches of annotations and the links in a menu.
func strip(value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			if key == "interval" && member == "" || key == "placement" && member == "inControlsMenu" {
				delete(value, key)
			}
			strip(member)
		}
	case []any:
		for _, member := range value {
			strip(member)
		}
	}
}
