package storechart

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

const (
	// annotationSettings lists, separated by commas, the paths of values that are settings of the store. A table has settings by their names in
	// the store's proof. A single value is the setting that follows it, as in heap=jvm.-Xmx, or the one with the last name of its path.
	annotationSettings = "ringside.dev/settings"
	// anyServer in a path stands for the name of the release's server type.
	anyServer = "*"
	// annotationJVMOptions lists, separated by commas, the values that are lists of JVM options.
	annotationJVMOptions = "ringside.dev/jvm-options"
	// jvmSetting is the prefix of the JVM's settings in proofs.
	jvmSetting = "jvm."
	// set is the value of a JVM option without a value.
	set = "set"
)

// Proves returns the paths of the chart values whose effect the settings in a store's proof show, sorted.
func (c *Chart) Proves() []string {
	var paths []string
	for _, entry := range c.listed(annotationSettings) {
		path, _, _ := strings.Cut(entry, "=")
		paths = append(paths, path)
	}
	paths = append(paths, c.listed(annotationJVMOptions)...)
	slices.Sort(paths)
	return paths
}

// Asked returns the settings that values ask for, by their names in the store's proof. Lists within settings are left out.
func (c *Chart) Asked(values map[string]any) map[string]string {
	asked := map[string]string{}
	for _, entry := range c.listed(annotationSettings) {
		path, name, named := strings.Cut(entry, "=")
		if !named {
			name = path[strings.LastIndex(path, ".")+1:]
		}
		for _, value := range c.valuesAt(path, values) {
			if table, isTable := value.(map[string]any); isTable {
				askTable(asked, "", table)
			} else if text, single := scalar(value); single {
				asked[name] = text
			}
		}
	}
	for _, list := range c.listed(annotationJVMOptions) {
		options, _ := values[list].([]any)
		for _, option := range options {
			if text, isText := option.(string); isText {
				askJVM(asked, text)
			}
		}
	}
	return asked
}

// valuesAt returns the values at a path; for each server of the release if the path has a place for its name. These include the chart's own
// values, which make the server what its name promises.
func (c *Chart) valuesAt(path string, values map[string]any) []any {
	names := strings.Split(path, ".")
	place := slices.Index(names, anyServer)
	if place < 0 {
		return []any{valueAt(names, values)}
	}
	hosted, _ := values["server"].(map[string]any)
	servers, _ := hosted["types"].([]any)
	merged := overlay(c.chart.Values, values)
	var found []any
	for _, server := range servers {
		names[place] = fmt.Sprint(server)
		found = append(found, valueAt(names, merged))
	}
	return found
}

func valueAt(names []string, values any) any {
	for _, name := range names {
		table, _ := values.(map[string]any)
		values = table[name]
	}
	return values
}

// askTable adds the settings of a table. Those of tables within it have the names of both, with a dot between them.
func askTable(asked map[string]string, prefix string, table map[string]any) {
	for name, value := range table {
		if deeper, isTable := value.(map[string]any); isTable {
			askTable(asked, prefix+name+".", deeper)
		} else if text, single := scalar(value); single {
			asked[prefix+name] = text
		}
	}
}

// AskedNames returns the names of the settings that values ask for.
func (c *Chart) AskedNames(values map[string]any) []string {
	return slices.Collect(maps.Keys(c.Asked(values)))
}

// askJVM adds a JVM option under the name by which store-contract's JvmSettings reports it. Agents and heap sizes are left out, because
// JvmSettings does not report them this way.
func askJVM(asked map[string]string, option string) {
	flag, isFlag := strings.CutPrefix(option, "-XX:")
	name, value, hasValue := strings.Cut(flag, "=")
	switch {
	case strings.HasPrefix(option, "-javaagent:"), strings.HasPrefix(option, "-agent"),
		strings.HasPrefix(option, "-Xmx"), strings.HasPrefix(option, "-Xms"), strings.HasPrefix(option, "-Xmn"):
	case isFlag && strings.HasPrefix(flag, "+"):
		asked[jvmSetting+flag[1:]] = "true"
	case isFlag && strings.HasPrefix(flag, "-"):
		asked[jvmSetting+flag[1:]] = "false"
	case isFlag && hasValue:
		asked[jvmSetting+name] = value
	case strings.HasPrefix(option, "-D") && hasValue:
		asked[jvmSetting+name] = value
	default:
		asked[jvmSetting+option] = set
	}
}

func scalar(value any) (string, bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case bool:
		return strconv.FormatBool(value), true
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64), true
	case int, int64, json.Number:
		return fmt.Sprint(value), true
	}
	return "", false
}
