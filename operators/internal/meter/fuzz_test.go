package meter

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Answers are datagrams, which anyone may send.
func FuzzAnswer(f *testing.F) {
	for _, text := range []string{"id 1\ncpu_ns 2\nreads 3", "id 18446744073709551615", "id 1\nx -1", "id 1\n\n", "", "id 1\na 1\na 2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, values, err := parseCounters(text)
		if err != nil {
			require.Nil(t, values)
			return
		}
		for name, value := range values {
			assert.GreaterOrEqual(t, value, int64(0), name)
		}
	})
}
