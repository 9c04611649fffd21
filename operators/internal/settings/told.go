package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
)

// Bounds of the settings in a Measurement: a cluster may hold thousands of them.
const (
	maxKept  = 128
	maxBytes = 8 << 10
)

// Told holds the settings that a store reports: those that differ from its defaults, and the defaults.
type Told struct{ Changed, Defaults map[string]string }

// Digest returns a digest of all settings; empty if there are none.
func (t Told) Digest() string {
	all := maps.Clone(t.Defaults)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, t.Changed)
	if len(all) == 0 {
		return ""
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(sum, "%q=%q\n", name, all[name])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Kept returns the requested settings, followed by those that differ from the defaults, within the bounds; nil if there
// are none.
func (t Told) Kept(asked []string) map[string]string {
	var kept map[string]string
	bytes := 0
	keep := func(name, value string) {
		if _, already := kept[name]; already || len(kept) == maxKept || bytes+len(name)+len(value) > maxBytes {
			return
		}
		if kept == nil {
			kept = map[string]string{}
		}
		kept[name] = value
		bytes += len(name) + len(value)
	}
	for _, name := range asked {
		if value, told := t.Changed[name]; told {
			keep(name, value)
		} else if value, told := t.Defaults[name]; told {
			keep(name, value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Changed)) {
		keep(name, t.Changed[name])
	}
	return kept
}
