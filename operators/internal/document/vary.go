package document

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/problem"
)

const (
	howToVary = "write it as path=value,value, as in heap.max=1G,2G"
	// againSuffix makes the name of an A/A arm.
	againSuffix = "-again"
	// typeField and chartField are the paths that vary the servers' type and chart; all others are values of the chart.
	typeField  = "type"
	chartField = "chart"
)

// varied is an argument of --vary: a path with its values.
type varied struct {
	argument string
	path     []step
	texts    []string
	values   []any
}

// Vary replaces the servers by one for each value of a path, or for each combination of the values of several paths. The servers are like the
// baseline in all else. The first is the new baseline unless baseline names another, and has an A/A arm. They run side by side where the
// experiment is of servers that run at once, else on fresh stores in turn, in enough rounds for intervals unless keepRounds. Vary returns a line
// that describes what it changed.
func (d *Document) Vary(arguments []string, baseline string, keepRounds bool) (string, error) {
	experiment, err := d.Experiment()
	if err != nil {
		return "", err
	}
	all := make([]varied, len(arguments))
	for i, argument := range arguments {
		if all[i], err = readVaried(argument); err != nil {
			return "", err
		}
	}
	spec := &experiment.Spec
	if len(spec.Servers) == 0 {
		return "", problem.New("give it one server, which the values are of", "--vary: the experiment has no servers")
	}
	like := spec.Servers[max(0, slices.IndexFunc(spec.Servers, func(s v1beta1.ServerSpec) bool { return s.Name == spec.BaselineName() }))]
	if err := checkVariable(like, all); err != nil {
		return "", err
	}
	servers, err := variants(like, all)
	if err != nil {
		return "", err
	}
	if baseline == "" {
		baseline = spec.Baseline
	}
	if slices.ContainsFunc(spec.Servers, func(s v1beta1.ServerSpec) bool { return s.Name == baseline }) || baseline == "" {
		baseline = servers[0].Name
	}
	if at := slices.IndexFunc(servers, func(s v1beta1.ServerSpec) bool { return s.Name == baseline }); at >= 0 { // else CheckBaseline lists the names
		again := servers[at]
		again.Name, again.Type = baseline+againSuffix, again.ServerType()
		servers = slices.Insert(servers, at+1, again)
	}
	hosting, how := v1beta1.HostingDedicated, "on fresh stores in turn"
	turns := func(p v1beta1.PhaseSpec) bool { return p.Interleave != nil }
	if spec.Store.Hosting == v1beta1.HostingSideBySide || slices.ContainsFunc(spec.Phases, turns) {
		hosting, how = v1beta1.HostingSideBySide, "in stores side by side"
	}
	line := fmt.Sprintf("varied: %s of server %s, %s", strings.Join(arguments, " "), like.Name, how)
	if spec.Store.Hosting == v1beta1.HostingShared {
		line += fmt.Sprintf(" (hosting %s instead of %s: the servers of one release cannot have different values)", hosting, spec.Store.Hosting)
	}
	rounds := max(spec.Rounds, 1)
	if least := spec.WarmupRounds + ratio.MinRounds; rounds < least && !keepRounds {
		line += fmt.Sprintf("; rounds %d instead of %d, which intervals need", least, rounds)
		rounds = least
	}
	return line, d.edit(func(tree any) (any, error) {
		out := tree.(map[string]any)["spec"].(map[string]any) // it was decoded
		out["servers"], out["baseline"], out["rounds"] = servers, baseline, rounds
		out["store"].(map[string]any)["hosting"] = hosting
		return tree, nil
	})
}

func readVaried(argument string) (varied, error) {
	path, values, _ := strings.Cut(argument, "=")
	parts, ok := steps(strings.TrimPrefix(strings.TrimSpace(path), "spec.store.values."))
	if !ok || strings.TrimSpace(values) == "" {
		return varied{}, problem.New(howToVary, "--vary %q", argument)
	}
	out := varied{argument: argument, path: parts}
	switch first := parts[0].key; {
	case first == "spec" || first == "phases":
		return varied{}, problem.New("vary a value of the store's chart, the servers' type or their chart; a phase sweeps threads, connections and rates, as in --set spec.phases.read.sweep.threads={8,32}",
			"--vary %q: %s is not a value of the store's chart", argument, strings.TrimSpace(path))
	case slices.ContainsFunc(parts, func(s step) bool { return s.indexed }):
		return varied{}, problem.New("vary the whole list, as in {a,b},{c,d}", "--vary %q names an element of a list", argument)
	}
	for text := range splitList(strings.TrimSpace(values)) {
		text = strings.TrimSpace(text)
		value, err := valueOf(text, nil)
		if err != nil {
			return varied{}, problem.New(err.Error(), "--vary %q", argument)
		}
		if slices.ContainsFunc(out.values, func(other any) bool { return encoded(other) == encoded(value) }) { // 4 and 4.0
			return varied{}, problem.New("give each value once: the baseline gets its A/A arm by itself", "--vary %q has %s twice", argument, text)
		}
		out.texts, out.values = append(out.texts, text), append(out.values, value)
	}
	if len(out.texts) < 2 {
		return varied{}, problem.New("give two or more, or use --set for a value that all servers have", "--vary %q has one value", argument)
	}
	return out, nil
}

// encoded returns a value as JSON.
func encoded(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

// of reports whether the values are of a field of the servers.
func (v varied) of(field string) bool { return len(v.path) == 1 && v.path[0].key == field }

// checkVariable rejects what no store of one server can have, and more servers than an experiment may have.
func checkVariable(like v1beta1.ServerSpec, all []varied) error {
	var factors []string
	count, seen := 1, map[string]bool{}
	for _, v := range all {
		path := fmt.Sprint(v.path)
		if seen[path] {
			return problem.New("give all values of a path in one --vary", "--vary %q: another --vary has the same path", v.argument)
		}
		seen[path] = true
		count *= len(v.texts)
		factors = append(factors, fmt.Sprint(len(v.texts)))
	}
	switch {
	case len(like.Options) > 0:
		return problem.New("vary another server with --server (SERVER=)", "--vary gives each server a store of its own, but server %s has options, which are for a store that hosts all servers", like.Name)
	case count+1 > v1beta1.MaxServers:
		return problem.New("use fewer values", "--vary gives %s servers and an A/A arm, but an experiment may have %d servers", strings.Join(factors, " × "), v1beta1.MaxServers).
			Because(v1beta1.RefusedInvalidField)
	}
	return nil
}

// variants returns a server like another one for each combination of values, with the last path's values next to each other.
func variants(like v1beta1.ServerSpec, all []varied) ([]v1beta1.ServerSpec, error) {
	chosen := [][]int{{}}
	for _, v := range all {
		var longer [][]int
		for _, indices := range chosen {
			for i := range v.values {
				longer = append(longer, append(slices.Clone(indices), i))
			}
		}
		chosen = longer
	}
	names := serverNames(all, chosen)
	servers := make([]v1beta1.ServerSpec, len(chosen))
	for i, indices := range chosen {
		server := v1beta1.ServerSpec{Name: names[i], Type: like.ServerType(), Chart: like.Chart, Values: like.Values}
		for n, v := range all {
			switch text := v.texts[indices[n]]; {
			case v.of(typeField):
				server.Type = text
			case v.of(chartField):
				server.Chart = text
			default:
				if err := setValue(&server, v, v.values[indices[n]]); err != nil {
					return nil, err
				}
			}
		}
		if server.Type == server.Name {
			server.Type = ""
		}
		servers[i] = server
	}
	return servers, nil
}

// setValue gives a server its own value of the chart.
func setValue(server *v1beta1.ServerSpec, v varied, value any) error {
	var tree any
	if server.Values != nil {
		if err := utiljson.Unmarshal(server.Values.Raw, &tree); err != nil {
			return fmt.Errorf("decoding the values of server %s: %w", server.Name, err)
		}
	}
	tree, err := setAt(tree, v.path, value)
	if err != nil {
		return problem.New(err.Error(), "--vary %q does not match the values of the server", v.argument)
	}
	raw, err := json.Marshal(tree)
	if err != nil {
		return fmt.Errorf("encoding the values of server %s: %w", server.Name, err)
	}
	server.Values = &apiextensionsv1.JSON{Raw: raw}
	return nil
}
