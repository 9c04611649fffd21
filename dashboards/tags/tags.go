// Package tags defines the tags of a dashboard: that it is one of Ringside's, and which stores it is for. Programs that evaluate
// dashboards read them from the JSON.
package tags

import (
	"slices"
	"strings"
)

// Ringside is on every dashboard, and is how they link to each other.
const Ringside = "ringside"

const ofStore = "store:"

// Of returns the tags of a dashboard that is for these stores only, or for every store where none is named.
func Of(stores ...string) []string {
	tags := []string{Ringside}
	for _, store := range stores {
		tags = append(tags, ofStore+store)
	}
	return tags
}

// Stores returns the only stores that a dashboard with these tags is for; none where it is for every store.
func Stores(tags []string) []string {
	var stores []string
	for _, tag := range tags {
		if store, own := strings.CutPrefix(tag, ofStore); own {
			stores = append(stores, store)
		}
	}
	return stores
}

// For reports whether a dashboard with these tags is for a store.
func For(tags []string, store string) bool {
	own := Stores(tags)
	return len(own) == 0 || slices.Contains(own, store)
}
