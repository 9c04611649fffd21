package document

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/source"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// readYAML reads the YAML documents of a file, as JSON. It skips empty ones, as after a separator at the end.
func readYAML(file source.File) ([][]byte, error) {
	path := file.Path
	text, err := file.Read()
	var reading *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, problem.New("check the path", "there is no file %s", path)
	case errors.As(err, &reading):
		return nil, problem.New("use a readable file", "%s cannot be read (%v)", path, reading.Err)
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	var documents [][]byte
	for {
		part, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, problem.New("fix the YAML", "%s is not valid YAML (%v)", path, err)
		}
		asJSON, err := yaml.YAMLToJSONStrict(part)
		if err != nil {
			return nil, problem.New("fix the YAML", "%s is not valid YAML (%s)", place(path, len(documents), len(documents) > 0), yamlProblem(err))
		}
		if string(asJSON) != "null" {
			documents = append(documents, asJSON)
		}
	}
	if len(documents) == 0 {
		return nil, problem.New("write one, as in experiments/", "%s is empty", path)
	}
	return documents, nil
}

// place names a document: the file, and its number if the file has several.
func place(path string, index int, several bool) string {
	if !several {
		return path
	}
	return fmt.Sprintf("%s (document %d)", path, index+1)
}

// yamlProblem returns the parser's message without its prefixes.
func yamlProblem(err error) string {
	text := strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")
	return textfmt.OneLine(strings.TrimPrefix(text, "yaml: "))
}
