package document

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
)

var (
	hump  = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	other = regexp.MustCompile(`[^a-z0-9]+`)
)

// slug returns text as part of a server's name.
func slug(text string) string {
	return strings.Trim(other.ReplaceAllString(strings.ToLower(text), "-"), "-")
}

// serverNames returns a valid name for each combination, with room for the suffix of an A/A arm: the last words of each path and its value.
// Names that are still too long are cut; equal ones get a number.
func serverNames(all []varied, chosen [][]int) []string {
	fields := make([]string, len(all))
	for i, v := range all {
		if !v.of(typeField) && !v.of(chartField) {
			fields[i] = slug(hump.ReplaceAllString(v.path[len(v.path)-1].key, "$1-$2"))
		}
	}
	most := v1beta1.MaxServerName - len(againSuffix)
	for longest(all, chosen, fields) > most {
		at := 0
		for i := range fields {
			if strings.Count(fields[i], "-") > strings.Count(fields[at], "-") {
				at = i
			}
		}
		_, rest, several := strings.Cut(fields[at], "-")
		if !several {
			break
		}
		fields[at] = rest
	}
	var names []string
	for _, indices := range chosen {
		whole := serverName(all, indices, fields)
		name := strings.Trim(whole[:min(most, len(whole))], "-")
		for n := 2; slices.Contains(names, name); n++ {
			suffix := fmt.Sprintf("-%d", n)
			name = strings.Trim(whole[:min(most-len(suffix), len(whole))], "-") + suffix
		}
		names = append(names, name)
	}
	return names
}

// label returns a value as part of a name: of a chart in a registry, its own name and the beginning of its digest.
func (v varied) label(i int) string {
	store := v1beta1.StoreSpec{Chart: v.texts[i]}
	if digest := strings.TrimPrefix(store.ChartDigest(), "sha256:"); v.of(chartField) && digest != "" {
		return store.Name() + "-" + digest[:min(6, len(digest))]
	}
	return v.texts[i]
}

func longest(all []varied, chosen [][]int, fields []string) int {
	out := 0
	for _, indices := range chosen {
		out = max(out, len(serverName(all, indices, fields)))
	}
	return out
}

func serverName(all []varied, indices []int, fields []string) string {
	var parts []string
	for n, v := range all {
		parts = append(parts, fields[n], slug(v.label(indices[n])))
	}
	name := strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "-")
	if name == "" || name[0] < 'a' {
		name = "v" + name // a name begins with a letter
	}
	return name
}
