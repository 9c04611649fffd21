package main

import (
	"fmt"
	"os"
	"strings"
)

// render replaces ${NAME} by a value, and two dollar signs by one. A name without a value is an error, as is any other use of the dollar
// sign.
func render(template string, values map[string]string) (string, error) {
	var unknown []string
	text := os.Expand(template, func(name string) string {
		if name == "$" {
			return name
		}
		value, found := values[name]
		if !found {
			unknown = append(unknown, name)
		}
		return value
	})
	if len(unknown) > 0 {
		return "", fmt.Errorf("no value for ${%s}", strings.Join(unknown, "}, ${"))
	}
	return text, nil
}
