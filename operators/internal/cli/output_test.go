package cli

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/internal/results"
)

func TestGroupsRowsByServerThenByOperation(t *testing.T) {
	var rows []results.Row
	for _, round := range []int{1, 2} {
		for _, server := range []string{"slow", "quick"} {
			for _, operation := range []string{"write", "read"} {
				rows = append(rows, results.Row{Round: round, Server: server, Operation: operation})
			}
		}
	}
	var order []string
	for _, row := range byServer(rows, []string{"quick"}) { // slow is not in the document, so it comes after those that are
		order = append(order, fmt.Sprintf("%s %s %d", row.Server, row.Operation, row.Round))
	}
	assert.Equal(t, []string{
		"quick write 1", "quick write 2", "quick read 1", "quick read 2",
		"slow write 1", "slow write 2", "slow read 1", "slow read 2",
	}, order)
}
