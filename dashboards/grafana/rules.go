package grafana

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Check returns the problems of a dashboard's JSON.
func Check(content []byte) ([]string, error) {
	var document map[string]any
	if err := json.Unmarshal(content, &document); err != nil {
		return nil, fmt.Errorf("read dashboard: %w", err)
	}
	var found []string
	least, err := stated(document)
	if err != nil {
		found = append(found, err.Error())
		least = Oldest
	}
	found = append(found, tooNew(document, least)...)
	for _, panel := range panels(document) {
		found = append(found, zeroOnLogarithmicAxis(panel)...)
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// Needs returns the minimum version of Grafana that supports all features of a dashboard.
func Needs(content []byte) (string, error) {
	var document map[string]any
	if err := json.Unmarshal(content, &document); err != nil {
		return "", fmt.Errorf("read dashboard: %w", err)
	}
	needs := Oldest
	for _, used := range uses(document) {
		if from, listed := since[used.feature]; listed && newer(from, needs) {
			needs = from
		}
	}
	return needs, nil
}

func tooNew(document map[string]any, least string) []string {
	var found []string
	for _, used := range uses(document) {
		from, listed := since[used.feature]
		switch {
		case listed && newer(from, least):
			found = append(found, fmt.Sprintf("%q: %s %s is there since Grafana %s; the dashboard is for %s", used.where, used.kind, used.name, from, least))
		case !listed && mustBeListed(used.kind):
			found = append(found, fmt.Sprintf("%q: %s %s: say in dashboards/grafana since which version Grafana has it", used.where, used.kind, used.name))
		}
	}
	return found
}

func mustBeListed(kind string) bool {
	return slices.Contains([]string{kindPanel, kindColour, kindTransformation, kindSchema, kindSort}, kind)
}

// zeroOnLogarithmicAxis finds logarithmic axes that begin at zero: Grafana draws nothing on them.
func zeroOnLogarithmicAxis(panel map[string]any) []string {
	var found []string
	tell := func(axis string, min any) {
		if min, set := min.(float64); set && min <= 0 {
			found = append(found, fmt.Sprintf("%q: a logarithmic axis with %s %v leaves the panel blank", or(panel["title"]), axis, min))
		}
	}
	field := object(panel["fieldConfig"])
	defaults := object(field["defaults"])
	custom := object(defaults["custom"])
	logarithmic := isLogarithmic(custom["scaleDistribution"])
	if logarithmic {
		tell("min", defaults["min"])
		tell("axisSoftMin", custom["axisSoftMin"])
	}
	for _, override := range list(field["overrides"]) {
		set := map[string]any{}
		for _, property := range list(object(override)["properties"]) {
			set[fmt.Sprint(object(property)["id"])] = object(property)["value"]
		}
		if isLogarithmic(set["custom.scaleDistribution"]) || logarithmic && set["custom.scaleDistribution"] == nil {
			if set["min"] == nil && !logarithmic {
				set["min"] = defaults["min"]
			}
			tell("min", set["min"])
			tell("axisSoftMin", set["custom.axisSoftMin"])
		}
	}
	if axis := object(object(panel["options"])["yAxis"]); isLogarithmic(axis["scaleDistribution"]) {
		tell("yAxis.min", axis["min"])
	}
	return found
}

func isLogarithmic(scale any) bool { return object(scale)["type"] == "log" }

// Drop removes the options and settings of a dashboard that its minimum version does not have: the Foundation SDK
// writes the defaults of the newest Grafana.
func Drop(document map[string]any, least string) {
	drop := func(kind, prefix string, from map[string]any) {
		for key := range from {
			if first, listed := since[feature{kind, prefix + key}]; listed && newer(first, least) {
				delete(from, key)
			}
		}
	}
	for _, panel := range panels(document) {
		drop(kindOption, fmt.Sprint(panel["type"])+".", object(panel["options"]))
	}
	for _, annotation := range list(object(document["annotations"])["list"]) {
		drop(kindAnnotation, "", object(annotation))
	}
	for _, link := range list(document["links"]) {
		drop(kindLink, "", object(link))
	}
	for _, variable := range list(object(document["templating"])["list"]) {
		drop(kindVariable, "", object(variable))
	}
}
