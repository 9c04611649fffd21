// Package tags defines the tags of a dashboard: the tag of all of Ringside's dashboards, and the stores that it is for.
// Programs that evaluate dashboards read them from the JSON.
package tags

import (
	"slices"
	"strings"
)

// Ringside is the tag of every dashboard. Links between dashboards use it.
const Ringside = "ringside"

// History is the tag of dashboards that show many runs of an experiment, and nothing of a run by itself.
const History = "history"

const ofStore = "store:"

// Of returns the tags of a dashboard for the given stores; without stores, for every store.
func Of(stores ...string) []string {
	tags := []string{Ringside}
	for _, store := range stores {
		tags = append(tags, ofStore+store)
	}
	return tags
}

// Stores returns the stores that a dashboard with these tags is for; nil means every store.
func Stores(tags []string) []string {
	var stores []string
	for _, tag := range tags {
		if store, own := strings.CutPrefix(tag, ofStore); own {
			stores = append(stores, store)
		}
	}
	return stores
}

// For reports whether a dashboard with these tags is for a run of a store.
func For(tags []string, store string) bool {
	own := Stores(tags)
	return !slices.Contains(tags, History) && (len(own) == 0 || slices.Contains(own, store))
}
