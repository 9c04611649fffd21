// Package v2 replaces Grafana's schema of v2 dashboards, which the dashboard linter imports but no Go proxy serves
// separately. Our dashboards use the classic schema. Parsing a v2 dashboard fails.
package v2

import "errors"

// DashboardSpec rejects every document.
type DashboardSpec struct {
	Title       string
	Editable    *bool
	Elements    map[string]DashboardElement
	Variables   []DashboardVariableKind
	Annotations []DashboardAnnotationQueryKind
}

// UnmarshalJSON fails: this build of the linter does not support v2 dashboards.
func (*DashboardSpec) UnmarshalJSON([]byte) error {
	return errors.New("this build of the linter knows no v2 dashboards: use the full dashboard-linter")
}

// The rest of the schema, as far as the linter uses it.
type (
	DashboardElement   struct{ PanelKind *DashboardPanelKind }
	DashboardPanelKind struct{ Spec DashboardPanelSpec }
	DashboardPanelSpec struct {
		Id                 float64
		Title, Description string
		VizConfig          DashboardVizConfigKind
		Data               DashboardQueryGroupKind
	}
	DashboardVizConfigKind struct {
		Group string
		Spec  DashboardVizConfigSpec
	}
	DashboardVizConfigSpec  struct{ FieldConfig, Options any }
	DashboardQueryGroupKind struct{ Spec DashboardQueryGroupSpec }
	DashboardQueryGroupSpec struct{ Queries []DashboardPanelQueryKind }
	DashboardPanelQueryKind struct{ Spec DashboardPanelQuerySpec }
	DashboardPanelQuerySpec struct {
		RefId  string
		Hidden bool
		Query  DashboardDataQueryKind
	}
	DashboardDataQueryKind struct {
		Group      string
		Datasource *DashboardDatasource
		Spec       map[string]any
	}
	DashboardDatasource          struct{ Name *string }
	DashboardAnnotationQueryKind struct{ Spec DashboardAnnotationQuerySpec }
	DashboardAnnotationQuerySpec struct {
		Name  string
		Query DashboardDataQueryKind
	}
	DashboardVariableKind struct {
		QueryVariableKind      *DashboardQueryVariableKind
		DatasourceVariableKind *DashboardVariable
		CustomVariableKind     *DashboardVariable
		IntervalVariableKind   *DashboardVariable
		ConstantVariableKind   *DashboardVariable
		TextVariableKind       *DashboardVariable
		AdhocVariableKind      *DashboardVariable
		GroupByVariableKind    *DashboardVariable
		SwitchVariableKind     *DashboardVariable
	}
	DashboardVariable     struct{ Spec DashboardVariableSpec }
	DashboardVariableSpec struct {
		Name, Query, PluginId string
		Label, AllValue       *string
		Multi                 bool
		Refresh               DashboardVariableRefresh
	}
	DashboardQueryVariableKind struct{ Spec DashboardQueryVariableSpec }
	DashboardQueryVariableSpec struct {
		Name            string
		Label, AllValue *string
		Multi           bool
		Refresh         DashboardVariableRefresh
		Query           DashboardDataQueryKind
	}
	// DashboardVariableRefresh defines when the values of a variable are refreshed.
	DashboardVariableRefresh string
)

// Values of DashboardVariableRefresh.
const (
	DashboardVariableRefreshOnTimeRangeChanged DashboardVariableRefresh = "onTimeRangeChanged"
	DashboardVariableRefreshOnDashboardLoad    DashboardVariableRefresh = "onDashboardLoad"
)
