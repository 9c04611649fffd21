package grafana

import (
	"fmt"
	"regexp"
)

// use is the use of a feature and its location.
type use struct {
	feature
	where string
}

// panels returns the panels of a dashboard, including those inside rows.
func panels(of map[string]any) []map[string]any {
	var all []map[string]any
	for _, panel := range list(of["panels"]) {
		all = append(all, object(panel))
		all = append(all, panels(object(panel))...)
	}
	return all
}

// uses returns the features of Grafana that a dashboard uses.
func uses(document map[string]any) []use {
	all := []use{{feature{kindSchema, fmt.Sprint(document["schemaVersion"])}, "dashboard"}}
	for _, panel := range panels(document) {
		all = append(all, usesOfPanel(panel)...)
	}
	for _, group := range []struct {
		kind    string
		members []any
	}{
		{kindAnnotation, list(object(document["annotations"])["list"])},
		{kindLink, list(document["links"])},
		{kindVariable, list(object(document["templating"])["list"])},
	} {
		for _, member := range group.members {
			member := object(member)
			where := fmt.Sprintf("%v%v", or(member["name"]), or(member["title"]))
			for key := range member {
				all = append(all, use{feature{group.kind, key}, where})
			}
			if group.kind == kindVariable {
				all = append(all, use{feature{kindSort, sortOrder(member["sort"])}, where})
			}
		}
	}
	return all
}

func usesOfPanel(panel map[string]any) []use {
	kind, where := fmt.Sprint(panel["type"]), fmt.Sprintf("%v", or(panel["title"]))
	all := []use{{feature{kindPanel, kind}, where}}
	for key := range object(panel["options"]) {
		all = append(all, use{feature{kindOption, kind + "." + key}, where})
	}
	field := object(panel["fieldConfig"])
	if mode, set := object(object(field["defaults"])["color"])["mode"]; set {
		all = append(all, use{feature{kindColour, fmt.Sprint(mode)}, where})
	}
	for _, override := range list(field["overrides"]) {
		for _, property := range list(object(override)["properties"]) {
			if property := object(property); property["id"] == "color" {
				all = append(all, use{feature{kindColour, fmt.Sprint(object(property["value"])["mode"])}, where})
			}
		}
	}
	for _, transformation := range list(panel["transformations"]) {
		all = append(all, use{feature{kindTransformation, fmt.Sprint(object(transformation)["id"])}, where})
	}
	if kind == "heatmap" && drawsNativeHistograms(panel) {
		all = append(all, use{nativeHeatmap, where})
	}
	return all
}

var byBucket = regexp.MustCompile(`\ble\b`)

// drawsNativeHistograms reports whether a query selects native histograms: queries of classic ones select buckets by
// the label le.
func drawsNativeHistograms(panel map[string]any) bool {
	for _, target := range list(panel["targets"]) {
		if expr, _ := object(target)["expr"].(string); !byBucket.MatchString(expr) {
			return true
		}
	}
	return false
}

// sortOrder returns the name of a sort order of Grafana. Each has an ascending and a descending variant, and those for
// text also one without case.
func sortOrder(number any) string {
	switch n, _ := number.(float64); n {
	case 0:
		return "disabled"
	case 1, 2, 5, 6:
		return "alphabetical"
	case 3, 4:
		return "numerical"
	}
	return "natural"
}

func object(value any) map[string]any { m, _ := value.(map[string]any); return m }
func list(value any) []any            { l, _ := value.([]any); return l }

func or(value any) any {
	if value == nil {
		return ""
	}
	return value
}
