package document

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/internal/problem"
)

// assignment is path=value of --set, with Helm's syntax: dots separate the parts of a path, [index] names an element of a list, and a backslash
// escapes a dot, a comma or an equals sign.
type assignment struct {
	path []step
	text string
}

// step is a step of a path: a key, or an index of a list.
type step struct {
	key     string
	indexed bool
	// escaped reports whether the key was written with a backslash, so that its dots are part of it.
	escaped bool
}

func (s step) String() string {
	if s.indexed {
		return "[" + s.key + "]"
	}
	return s.key
}

const howToSet = "write it as path=value, as in spec.phases.read.threads=16"

// assignments parses one --set. A comma begins another assignment only if a path of the document follows it: values may have commas.
func assignments(argument string) ([]assignment, error) {
	var out []assignment
	for rest := argument; ; {
		at := unescaped(rest, "=")
		if at < 0 {
			return nil, problem.New(howToSet, "--set %q", argument)
		}
		path, ok := steps(strings.TrimSpace(rest[:at]))
		if !ok {
			return nil, problem.New(howToSet, "--set %q", argument)
		}
		value := rest[at+1:]
		end, ambiguous := endOf(value)
		if ambiguous != "" {
			return nil, problem.New(`write \, for a comma in the value, or begin a further path with spec.`,
				"--set %q: %q may be a further path=value, or belong to the value", argument, ambiguous)
		}
		out = append(out, assignment{path: path, text: strings.TrimSpace(value[:end])})
		if end == len(value) {
			return out, nil
		}
		rest = value[end+1:]
	}
}

// furtherPath matches the begin of path=value after a comma.
var furtherPath = regexp.MustCompile(`^\s*([A-Za-z_][A-Za-z0-9_./\[\]\\-]*)=`)

// endOf returns the end of a value: its length, or the comma before another assignment. Text that may be either is ambiguous.
func endOf(value string) (end int, ambiguous string) {
	for from := flowEnd(value); ; {
		comma := unescaped(value[from:], ",")
		if comma < 0 {
			return len(value), ""
		}
		after := value[from+comma+1:]
		if path := furtherPath.FindStringSubmatch(after); path != nil {
			if root, _, _ := strings.Cut(path[1], "."); slices.Contains([]string{"spec", "metadata"}, root) {
				return from + comma, ""
			}
			return 0, strings.TrimSpace(after)
		}
		from += comma + 1
	}
}

// flowEnd returns the end of a list, a table or quoted text; 0 for any other value.
func flowEnd(value string) int {
	depth, quote, escaped := 0, byte(0), false
	for i := range len(value) {
		c := value[i]
		switch {
		case escaped:
			escaped = false
			continue
		case c == '\\' && quote != '\'':
			escaped = true
			continue
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			if depth == 0 && strings.TrimSpace(value[:i]) != "" {
				return 0 // an apostrophe in plain text
			}
			quote = c
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if depth <= 0 && quote == 0 {
			if strings.TrimSpace(value[:i+1]) == "" {
				continue // blanks before it
			}
			if first := strings.TrimSpace(value)[0]; strings.IndexByte(`{["'`, first) < 0 {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

// unescaped returns the index of the first of the characters without a backslash before it; -1 if there is none.
func unescaped(text, characters string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case strings.IndexByte(characters, text[i]) >= 0:
			return i
		}
	}
	return -1
}

// steps splits a path; false if a step is empty.
func steps(path string) ([]step, bool) {
	var out []step
	for first := true; path != "" || first; first = false {
		if path[:min(1, len(path))] == "[" && !first {
			index, rest, closed := strings.Cut(path[1:], "]")
			if _, err := strconv.ParseUint(index, 10, 31); err != nil || !closed {
				return nil, false
			}
			out, path = append(out, step{key: index, indexed: true}), rest
		} else {
			if !first {
				if path[0] != '.' {
					return nil, false
				}
				path = path[1:]
			}
			end := unescaped(path, ".[")
			if end < 0 {
				end = len(path)
			}
			if end == 0 {
				return nil, false
			}
			out = append(out, step{key: plain(path[:end]), escaped: strings.Contains(path[:end], `\`)})
			path = path[end:]
		}
	}
	return out, true
}

// plain returns text without its backslashes.
func plain(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		out.WriteByte(text[i])
	}
	return out.String()
}

// labelKey matches the begin of the last part of a label's key that was split at its dots: io/zone.
var labelKey = regexp.MustCompile(`^[a-z0-9-]+/`)

// dotted reports whether a step seems to be part of a key with dots.
func dotted(path []step) bool {
	return slices.ContainsFunc(path[1:], func(s step) bool { return !s.escaped && labelKey.MatchString(s.key) })
}
