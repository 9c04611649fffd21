package results

import (
	"slices"

	"ringside.dev/ringside/operators/internal/published"
)

// Said is what was published in words of the rows' servers, each once.
func Said(rows []Row) []string {
	var told []string
	for x := range rows {
		for y := range rows {
			if rows[x].Phase != rows[y].Phase {
				continue
			}
			for _, said := range published.Said(rows[x].Published(), rows[y].Published()) {
				if about := said.About(); !slices.Contains(told, about) {
					told = append(told, about)
				}
			}
		}
	}
	return told
}
