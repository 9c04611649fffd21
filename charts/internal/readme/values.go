package readme

import (
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// longest is the length of the longest default that is shown; for others see values.yaml.
const longest = 60

// values are the values of a chart, in the order of its file.
type values struct {
	about string
	rows  []row
}

// row is a value with its default, or a group of values with its own comment.
type row struct {
	path     string
	standard string
	about    string
}

func valuesOf(text []byte) (values, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return values{}, fmt.Errorf("decode it: %w", err)
	}
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return values{}, errNoMap
	}
	rows, err := rowsOf(document.Content[0], "")
	return values{about: prose(document.HeadComment), rows: rows}, err
}

func rowsOf(group *yaml.Node, prefix string) ([]row, error) {
	var rows []row
	for i := 0; i+1 < len(group.Content); i += 2 {
		key, value := group.Content[i], group.Content[i+1]
		path := prefix + key.Value
		about := strings.TrimSpace(prose(key.HeadComment) + " " + prose(key.LineComment) + " " + prose(value.LineComment))
		if value.Kind == yaml.MappingNode && value.Style&yaml.FlowStyle == 0 && len(value.Content) > 0 {
			if about != "" {
				rows = append(rows, row{path: path, about: about})
			}
			inner, err := rowsOf(value, path+".")
			if err != nil {
				return nil, err
			}
			rows = append(rows, inner...)
			continue
		}
		standard, err := standardOf(value)
		if err != nil {
			return nil, fmt.Errorf("the default of %s: %w", path, err)
		}
		rows = append(rows, row{path: path, standard: standard, about: about})
	}
	return rows, nil
}

// standardOf returns the default of a value as JSON.
func standardOf(value *yaml.Node) (string, error) {
	var decoded any
	if err := value.Decode(&decoded); err != nil {
		return "", err
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(decoded); err != nil {
		return "", err
	}
	short := strings.TrimSpace(text.String())
	if len(short) > longest {
		return "see `values.yaml`", nil
	}
	return "`" + short + "`", nil
}

// prose returns the text of a comment without its markers.
func prose(comment string) string {
	var words []string
	for line := range strings.SplitSeq(comment, "\n") {
		words = append(words, strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "#"))...)
	}
	return strings.Join(words, " ")
}
