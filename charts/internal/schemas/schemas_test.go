package schemas

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheChartsSchemaHasTheSettingsOfEachVersion(t *testing.T) {
	for _, chart := range []string{"../../cassandra/", "../../cassandra-cql/"} {
		want, err := Of(chart)
		require.NoError(t, err)
		is, err := os.ReadFile(chart + File)
		require.NoError(t, err)
		assert.Equal(t, string(want), string(is), "run make generate")
	}
}

func TestPutsTheFilesIntoTheSchema(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	write(File, "{\n  \"type\": \"object\"\n}\n")
	write("settings/a-1.schema.json", "{\n  \"type\": \"object\"\n}\n")
	write("settings/a-2.schema.json", "{}\n")
	const want = `{
  "type": "object",
  "$defs": {
    "a-1": {
      "type": "object"
    },
    "a-2": {}
  }
}
`
	for range 2 { // the second time on its own output
		schema, err := Of(folder)
		require.NoError(t, err)
		assert.Equal(t, want, string(schema))
		write(File, string(schema))
	}
	write("settings/a-2.schema.json", "{")
	_, err := Of(folder)
	assert.ErrorContains(t, err, "the result is no JSON; correct the files of settings")
}
