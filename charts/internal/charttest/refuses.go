package charttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Refuses tests that a chart rejects values. The key of each case describes the problem; Says is part of the expected
// message.
func Refuses(t *testing.T, folder string, cases map[string]struct{ Values, Says string }) {
	t.Helper()
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Render(t, folder, test.Values)
			assert.ErrorContains(t, err, test.Says)
		})
	}
}
