// Package grafana checks what Grafana's own linter does not: the Grafana version that a dashboard requires, and
// settings that leave a panel blank.
package grafana

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/version"
)

// Oldest is the oldest supported version of Grafana.
const Oldest = "9.4.0"

// feature is a feature of Grafana that a dashboard can use.
type feature struct{ kind, name string }

// Kinds of features.
const (
	kindPanel          = "panel"
	kindColour         = "colour mode"
	kindTransformation = "transformation"
	kindSchema         = "schema version"
	kindSort           = "sort order of variables"
	kindOption         = "option"
	kindAnnotation     = "setting of annotations"
	kindLink           = "setting of links"
	kindVariable       = "setting of variables"
	kindData           = "data"
)

// nativeHeatmap is a heatmap of Prometheus's native histograms.
var nativeHeatmap = feature{kindData, "heatmap of native histograms"}

// since has the first version of Grafana with each feature. Panels, colour modes, transformations, schema versions and
// sort orders must be listed here to be used. Options and settings that are not listed count as old.
//
// The versions are the first ones whose published packages (@grafana/data for colours, @grafana/schema for options)
// contain the name. The schema package contains panels' options since 10.3.0, so options of that version may be older.
// Oldest stands for that version and all earlier ones.
var since = map[feature]string{
	{kindPanel, "bargauge"}:       Oldest,
	{kindPanel, "heatmap"}:        Oldest,
	{kindPanel, "row"}:            Oldest,
	{kindPanel, "stat"}:           Oldest,
	{kindPanel, "state-timeline"}: Oldest,
	{kindPanel, "table"}:          Oldest,
	{kindPanel, "text"}:           Oldest,
	{kindPanel, "timeseries"}:     Oldest,

	{kindColour, "fixed"}:                   Oldest,
	{kindColour, "thresholds"}:              Oldest,
	{kindColour, "palette-classic"}:         Oldest,
	{kindColour, "palette-classic-by-name"}: "10.0.0",

	{kindTransformation, "merge"}:    Oldest,
	{kindTransformation, "organize"}: Oldest,

	// A newer Grafana migrates an older schema, but an older one does not support a newer schema.
	{kindSchema, "36"}: Oldest,

	{kindSort, "disabled"}: Oldest, {kindSort, "alphabetical"}: Oldest, {kindSort, "numerical"}: Oldest,
	{kindSort, "natural"}: "10.4.0",

	{kindOption, "bargauge.namePlacement"}:      "10.3.0",
	{kindOption, "bargauge.sizing"}:             "10.4.0",
	{kindOption, "bargauge.maxVizHeight"}:       "10.4.0",
	{kindOption, "bargauge.legend"}:             "11.6.0",
	{kindOption, "heatmap.selectionMode"}:       "11.6.0",
	{kindOption, "stat.wideLayout"}:             "10.4.0",
	{kindOption, "stat.showPercentChange"}:      "10.4.0",
	{kindOption, "stat.percentChangeColorMode"}: "11.6.0",
	{kindOption, "state-timeline.perPage"}:      "11.6.0",
	{kindAnnotation, "placement"}:               "12.4.0",
	{kindLink, "placement"}:                     "12.4.0",
	{kindVariable, "allowCustomValue"}:          "11.6.0",
	nativeHeatmap:                               "10.3.0",
}

// newer reports whether the first version is higher than the second.
func newer(one, other string) bool {
	return version.MustParseGeneric(other).LessThan(version.MustParseGeneric(one))
}

// Requires returns the part of a dashboard's JSON that states its minimum version, in the format of Grafana's own
// exports.
func Requires(least string) []any {
	return []any{
		map[string]any{"type": "grafana", "id": "grafana", "name": "Grafana", "version": least},
		map[string]any{"type": "datasource", "id": "prometheus", "name": "Prometheus", "version": "1.0.0"},
	}
}

// stated returns the minimum version that a dashboard's JSON states.
func stated(document map[string]any) (string, error) {
	for _, required := range list(document["__requires"]) {
		if required := object(required); required["id"] == "grafana" {
			least, _ := required["version"].(string)
			if _, err := version.ParseGeneric(least); err != nil {
				return "", fmt.Errorf("__requires: Grafana: %w", err)
			}
			return least, nil
		}
	}
	return "", fmt.Errorf("__requires does not say which Grafana the dashboard needs at least")
}
