package results

import (
	"slices"

	"ringside.dev/ringside/operators/internal/published"
)

// Said is what was published in words of the rows' servers, each once.
func Said(rows []Row) []string {
	var subjects []published.Subject // few, where rows may be thousands
	for i := range rows {
		if of := rows[i].Published(); !slices.Contains(subjects, of) {
			subjects = append(subjects, of)
		}
	}
	var told []string
	for _, of := range subjects {
		for _, beside := range subjects {
			if of.Phase != beside.Phase {
				continue
			}
			for _, said := range published.Said(of, beside) {
				if about := said.About(); !slices.Contains(told, about) {
					told = append(told, about)
				}
			}
		}
	}
	return told
}
