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
	// annotationSettings lists, separated by commas, the tables of values that are settings of the store, by their names in its proof.
	annotationSettings = "ringside.dev/settings"
	// annotationJVMOptions lists, separated by commas, the values that are lists of JVM options.
	annotationJVMOptions = "ringside.dev/jvm-options"
	// jvmSetting is the prefix of the JVM's settings in proofs.
	jvmSetting = "jvm."
	// set is the value of a JVM option without a value.
	set = "set"
)

// Proves returns the chart values whose effect the settings in a store's proof show, sorted.
func (c *Chart) Proves() []string {
	names := slices.Concat(c.listed(annotationSettings), c.listed(annotationJVMOptions))
	slices.Sort(names)
	return names
}

// Asked returns the settings that values ask for, by their names in the store's proof. Tables and lists within settings are left out.
func (c *Chart) Asked(values map[string]any) map[string]string {
	asked := map[string]string{}
	for _, table := range c.listed(annotationSettings) {
		settings, _ := values[table].(map[string]any)
		for name, value := range settings {
			if text, single := scalar(value); single {
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

// AskedNames returns the names of the settings that any of the values ask for, sorted.
func (c *Chart) AskedNames(all ...map[string]any) []string {
	names := map[string]bool{}
	for _, values := range all {
		for name := range c.Asked(values) {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
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
