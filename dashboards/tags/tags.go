// Package tags says on a dashboard what it is for: that it is one of Ringside's, and of which stores. Dashboards are made with them, and
// who asks their queries reads them from the JSON.
package tags

import (
	"slices"
	"strings"
)

// Ringside is on every dashboard, and is how they link to each other.
const Ringside = "ringside"

const ofStore = "store:"

// Of a dashboard that is for these stores alone; for every store where none is named.
func Of(stores ...string) []string {
	tags := []string{Ringside}
	for _, store := range stores {
		tags = append(tags, ofStore+store)
	}
	return tags
}

// Stores that a dashboard with these tags is for alone; none where it is for every store.
func Stores(tags []string) []string {
	var stores []string
	for _, tag := range tags {
		if store, own := strings.CutPrefix(tag, ofStore); own {
			stores = append(stores, store)
		}
	}
	return stores
}

// For tells whether a dashboard with these tags is for a store.
func For(tags []string, store string) bool {
	own := Stores(tags)
	return len(own) == 0 || slices.Contains(own, store)
}
