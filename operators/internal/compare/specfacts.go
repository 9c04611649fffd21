package compare

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// leftOut lists the spec fields in which compared runs may differ, with the reason. All other fields are compared, including future ones.
// To exclude a field, add it here with a reason.
var leftOut = map[string]string{
	"baseline":             "it says what is compared with what, not what was measured",
	"budget":               "it ends a run between rounds",
	"description":          "words",
	"equivalent":           "it is asked of the figures afterwards",
	"gates":                "they say which rows are valid, and invalid ones are not compared; the one that places the load is added by ofSpec",
	"installations":        "how many there were is in the intervals",
	"keys":                 "the rows say how many there were",
	"load.image":           "the measurements have the digests of what ran: one image may have several names",
	"load.pods":            "the rows say how many there were",
	"load.timeout":         "a phase that exceeds it is not finished, and not compared",
	"maxAttempts":          "an attempt that is lost is measured again from its beginning",
	"operations":           "the rows say how many were asked for",
	"phases.equivalent":    "it is asked of the figures afterwards",
	"phases.image":         "the measurements have the digests of what ran: one image may have several names",
	"phases.name":          "phases are compared with those of their name",
	"phases.precision":     "it leaves the phase out of the last rounds",
	"phases.primaryMetric": "it chooses a figure, and all are measured",
	"phases.profile":       "profiles are taken after all that is measured",
	"precision":            "it ends a run between rounds",
	"rounds":               "how many there were is in the intervals",
	"seed":                 "the order of servers is random",
	"servers.name":         "servers are compared with those of their name",
	"store.readyTimeout":   "a store that exceeds it is not measured",
	"suspend":              "a run stops between phases",
	"ttlAfterFinished":     "it begins when all is measured",
	"warmupRounds":         "they are not compared",
}

// inRows lists the fields of a phase that its rows record. A phase of type Prepare has no compared rows, so its fields are compared.
var inRows = map[string]string{
	"phases.connections": "a load with other connections is another row, and compared with none",
	"phases.consistency": "a load with another consistency is another row, and compared with none",
	"phases.duration":    "the rows have it",
	"phases.operation":   "a load of another operation is another row, and compared with none",
	"phases.operations":  "the rows say how many were asked for",
	"phases.sweep":       "each point of a sweep is compared with the other run's",
	"phases.targetRate":  "a load at another rate is another row, and compared with none",
	"phases.threads":     "a load with other threads is another row, and compared with none",
}

// ofSpec adds every field of the spec that is not left out, by its path. Of the servers, it adds only the named ones, because the others
// are not compared.
func (f facts) ofSpec(spec *v1beta1.ExperimentSpec, servers []string) {
	f.ofFields(reflect.ValueOf(spec).Elem(), "", "spec", servers)
	f.add("spec.gates.colocation", string(spec.Gates.Colocation.Or(v1beta1.GateEnforce))) // keeps the load off the store's nodes if it is enforced
}

// ofFields adds the fields of a struct. kind is its path without the names of elements, as in leftOut; path is the path for messages.
func (f facts) ofFields(v reflect.Value, kind, path string, servers []string) {
	phase, is := v.Interface().(v1beta1.PhaseSpec)
	measured := is && phase.Type != v1beta1.PhasePrepare
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		at := strings.TrimPrefix(kind+"."+name, ".")
		_, out := leftOut[at]
		_, row := inRows[at]
		if !out && !(row && measured) {
			f.ofField(v.Field(i), at, path+"."+name, servers)
		}
	}
}

func (f facts) ofField(v reflect.Value, kind, path string, servers []string) {
	switch {
	case v.Kind() == reflect.Pointer && isOurs(v.Type().Elem()):
		if v.IsNil() {
			f.add(path, nothing)
			return
		}
		f.add(path, given)
		f.ofFields(v.Elem(), kind, path, servers)
	case isOurs(v.Type()):
		f.ofFields(v, kind, path, servers)
	case kind == "store.chart", kind == "servers.chart" && v.String() != "":
		f.add(path, chartOf(v1beta1.StoreSpec{Chart: v.String()}))
	case v.Kind() == reflect.Slice && isOurs(v.Type().Elem()) && named(v.Type().Elem()):
		var names []string
		for i := range v.Len() {
			name := v.Index(i).FieldByName("Name").String()
			if kind == "servers" && !slices.Contains(servers, name) {
				continue
			}
			names = append(names, name)
			f.ofFields(v.Index(i), kind, path+"."+name, servers)
		}
		f.add(path, strings.Join(names, ", "))
	default:
		f.add(path, canonical(v))
	}
}

// chartOf identifies a chart by its name and digest: one chart can be in several registries.
func chartOf(store v1beta1.StoreSpec) string {
	if digest := store.ChartDigest(); digest != "" {
		return store.Name() + "@" + digest
	}
	return store.Chart
}

// nothing stands for a field that is not set; given for a struct that is set, whose fields are listed separately.
const (
	nothing = "none"
	given   = "given"
)

// isOurs reports whether a type is a struct of the API, with fields to compare one by one.
func isOurs(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[v1beta1.ExperimentSpec]().PkgPath()
}

func named(t reflect.Type) bool {
	_, has := t.FieldByName("Name")
	return has
}

// canonical returns the value as JSON with sorted keys, without the quotes of a plain string; nothing for an empty value.
func canonical(v reflect.Value) string {
	if v.IsZero() || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0 {
		return nothing
	}
	text, err := json.Marshal(v.Interface())
	if err != nil {
		return fmt.Sprint(v.Interface()) // still comparable with the same value of another run
	}
	var parsed any
	if json.Unmarshal(text, &parsed) != nil {
		return string(text)
	}
	if plain, is := parsed.(string); is {
		return plain
	}
	if text, err = json.Marshal(parsed); err != nil {
		return fmt.Sprint(parsed)
	}
	return string(text)
}
