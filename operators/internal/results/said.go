package results

import (
	"slices"

	"ringside.dev/ringside/operators/internal/compare/published"
)

// Said returns published statements about the rows' servers, without duplicates.
func Said(rows []Row) []string {
	var subjects []published.Subject // few, even if there are thousands of rows
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
