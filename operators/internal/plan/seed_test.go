package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSeeded_eachLoadByItself(t *testing.T) {
	seeds := map[int64]string{}
	cells := Build(example(), 1).Cells()
	for _, cell := range cells {
		assert.Empty(t, seeds[cell.Spec.Seed], cell.Name)
		seeds[cell.Spec.Seed] = cell.Name
	}
	for _, cell := range Build(example(), 2).Cells() {
		assert.NotContains(t, seeds, cell.Spec.Seed, "of another run seed")
	}
}
