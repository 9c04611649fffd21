package results

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A CSV of results may come from anywhere, be truncated, or be edited by hand. Rows that were read can be written, and then read as the
// same.
func FuzzCSV(f *testing.F) {
	header := strings.Join(Header(), ",") + "\n"
	f.Add(header)
	f.Add(header + strings.Repeat(",", len(Header())-1) + "\n")
	f.Add(header + strings.Repeat("1,", len(Header())-1) + "1\n")
	f.Add("experiment,run\n\"a")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		rows, _, err := ReadCSV(strings.NewReader(text))
		if err != nil || len(rows) == 0 {
			return
		}
		var first, second bytes.Buffer
		require.NoError(t, WriteCSV(&first, rows, ','))
		back, notes, err := ReadCSV(bytes.NewReader(first.Bytes()))
		require.NoError(t, err)
		assert.Empty(t, notes)
		require.Len(t, back, len(rows))
		require.NoError(t, WriteCSV(&second, back, ','))
		assert.Equal(t, first.String(), second.String())
	})
}
