package textfmt

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func small() *Table {
	t := &Table{Columns: []Column{{Title: "SERVER", Name: "server"}, {Title: "OP RATE", Name: "op_rate", Right: true}}}
	t.Add(Plain, "hsha", "8176.0")
	t.Add(Warn, "threadedselector", "9.5")
	return t
}

func print(t *testing.T, table *Table, format string, colour bool) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, table.Write(&out, format, colour))
	return out.String()
}

func TestAlignsTextLeftAndFiguresRight(t *testing.T) {
	assert.Equal(t, ""+
		"SERVER            OP RATE\n"+
		"hsha               8176.0\n"+
		"threadedselector      9.5\n", print(t, small(), "table", false))
}

func TestColoursOnlyWhereAsked(t *testing.T) {
	assert.Contains(t, print(t, small(), "table", true), "\x1b[33mthreadedselector      9.5\x1b[0m\n")
	assert.NotContains(t, print(t, small(), "table", false), "\x1b")
}

func TestPrintsForSpreadsheetsAndPrograms(t *testing.T) {
	assert.Equal(t, "server,op_rate\nhsha,8176.0\nthreadedselector,9.5\n", print(t, small(), "csv", true))
	assert.Equal(t, "server\top_rate\nhsha\t8176.0\nthreadedselector\t9.5\n", print(t, small(), "tsv", true))
	assert.JSONEq(t, `[{"server":"hsha","op_rate":"8176.0"},{"server":"threadedselector","op_rate":"9.5"}]`, print(t, small(), "json", true))
	assert.EqualError(t, small().Write(&strings.Builder{}, "xml", false), `unknown format "xml": choose from table, wide, csv, tsv, json`)
}
