package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Default stands for the default value of a setting that a store does not report.
const Default = "default"

// Difference is a setting that has different values on two running servers.
type Difference struct{ Name, Base, Other string }

// String returns the name and both values.
func (d Difference) String() string { return fmt.Sprintf("%s %s, %s", d.Name, d.Base, d.Other) }

// Differ returns the settings in which two servers differ, in order.
func Differ(base, other map[string]string) []Difference {
	var out []Difference
	for _, name := range Names(base, other) {
		if x, y := Of(base, name), Of(other, name); x != y {
			out = append(out, Difference{name, x, y})
		}
	}
	return out
}

// Names returns the names of all settings, in order.
func Names(all ...map[string]string) []string {
	names := map[string]bool{}
	for _, settings := range all {
		for name := range settings {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Of returns the value of a setting; Default if it was not reported.
func Of(settings map[string]string, name string) string {
	if value, told := settings[name]; told {
		return value
	}
	return Default
}

// Text describes differences. It names at most the given number of them.
func Text(differences []Difference, most int) string {
	parts := make([]string, 0, most+1)
	for i, d := range differences {
		if i == most {
			parts = append(parts, fmt.Sprintf("%d more", len(differences)-most))
			break
		}
		parts = append(parts, d.String())
	}
	return strings.Join(parts, "; ")
}
