// Package schemas merges the schemas of a store's settings, one file per version of the store, into the schema of its
// chart's values, because Helm reads no other file.
package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:generate go run ./generate ../../cassandra ../../cassandra-cql

const (
	// File is the file name of the schema of a chart's values.
	File = "values.schema.json"
	// pattern matches the files in a chart's folder. The part of the name before suffix becomes the name of a
	// definition.
	pattern = "settings/*" + suffix
	suffix  = ".schema.json"
)

// definitions begins the last member of the schema, which is generated.
var definitions = []byte(",\n  \"$defs\": {")

// Of returns the schema of the chart in a folder with the definitions from its files.
func Of(folder string) ([]byte, error) {
	path := filepath.Join(folder, File)
	schema, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the schema of values: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		return nil, fmt.Errorf("look for schemas of settings: %w", err)
	}
	own, _, _ := bytes.Cut(schema, definitions)
	out := bytes.NewBuffer(bytes.TrimSuffix(own, []byte("\n}\n")))
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read a schema of settings: %w", err)
		}
		separator := string(definitions)
		if i > 0 {
			separator = ","
		}
		indented := strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", "\n    ")
		fmt.Fprintf(out, "%s\n    %q: %s", separator, strings.TrimSuffix(filepath.Base(file), suffix), indented)
	}
	if len(files) > 0 {
		out.WriteString("\n  }")
	}
	out.WriteString("\n}\n")
	if !json.Valid(out.Bytes()) {
		return nil, fmt.Errorf("put the schemas of settings into %s: the result is no JSON; correct the files of %s", path, filepath.Dir(pattern))
	}
	return out.Bytes(), nil
}
