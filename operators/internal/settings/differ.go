package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const (
	// Default stands for the default value of a setting that a store does not report.
	Default = "default"
	// Unrecorded stands for the value of a setting for which a Measurement has no room.
	Unrecorded = "not recorded"
)

// Difference is a setting that has different values on two running servers.
type Difference struct{ Name, Base, Other string }

// String returns the name and both values.
func (d Difference) String() string { return fmt.Sprintf("%s %s, %s", d.Name, d.Base, d.Other) }

// Differ returns the settings in which two servers differ, in order.
func Differ(base, other map[string]string) []Difference {
	var out []Difference
	for _, name := range Names(base, other) {
		if values := Values(name, base, other); Vary(values) {
			out = append(out, Difference{name, values[0], values[1]})
		}
	}
	return out
}

// Vary reports whether some of the recorded values differ.
func Vary(values []string) bool {
	recorded := slices.DeleteFunc(slices.Clone(values), func(value string) bool { return value == Unrecorded })
	return slices.ContainsFunc(recorded, func(value string) bool { return value != recorded[0] })
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

// Values returns the value of a setting on each of several servers. One that is missing is Default, or Unrecorded if the bounds of Kept leave no room
// for it.
func Values(name string, all ...map[string]string) []string {
	size := 0
	for _, settings := range all {
		size = max(size, len(name)+len(settings[name]))
	}
	values := make([]string, len(all))
	for i, settings := range all {
		value, told := settings[name]
		switch {
		case told:
			values[i] = value
		case hasRoom(settings, size):
			values[i] = Default
		default:
			values[i] = Unrecorded
		}
	}
	return values
}

func hasRoom(settings map[string]string, more int) bool {
	for name, value := range settings {
		more += len(name) + len(value)
	}
	return len(settings) < maxKept && more <= maxBytes
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
