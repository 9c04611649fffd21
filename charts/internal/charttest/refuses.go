package charttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Refuses tries values that a chart must not take, each under a name that says what is wrong with them, and what the refusal has to say.
func Refuses(t *testing.T, folder string, cases map[string]struct{ Values, Says string }) {
	t.Helper()
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Render(t, folder, test.Values)
			assert.ErrorContains(t, err, test.Says)
		})
	}
}
