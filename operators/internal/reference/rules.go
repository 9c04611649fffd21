package reference

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"sigs.k8s.io/yaml"
)

// ruleFile is a file of Prometheus rules.
type ruleFile struct {
	Groups []struct {
		Rules []struct {
			Record, Alert, For string
			Labels             map[string]string
			Annotations        map[string]string
		}
	}
}

// ruleSections documents the recording rules and alerts of charts/monitoring.
func ruleSections(p *page, root string) error {
	names, err := constantsOf(root, metricNames+"rules.go")
	if err != nil {
		return err
	}
	recording, err := readRules(root, "recording.yaml")
	if err != nil {
		return err
	}
	alerts, err := readRules(root, "alerts.yaml")
	if err != nil {
		return err
	}
	about := map[string]string{}
	for _, c := range names {
		about[c.Value] = c.about(names)
	}
	var records, alarms [][]string
	for _, group := range recording.Groups {
		for _, rule := range group.Rules {
			records = append(records, []string{code(rule.Record), about[rule.Record]})
		}
	}
	for _, group := range alerts.Groups {
		for _, rule := range group.Rules {
			alarms = append(alarms, []string{code(rule.Alert), rule.Labels["severity"], rule.For, prose(placeholders(sentence(rule.Annotations["summary"]))),
				prose(placeholders(sentence(rule.Annotations["description"])))})
		}
	}
	p.heading(2, "Recording rules")
	p.paragraph("`charts/monitoring/rules/recording.yaml` has their expressions.")
	p.table([]string{"Rule", "Meaning"}, records)
	p.heading(2, "Alerts")
	p.paragraph("`charts/monitoring/rules/alerts.yaml` has their expressions.")
	p.table([]string{"Alert", "Severity", "After", "Summary", "Description"}, alarms)
	return nil
}

func readRules(root, name string) (ruleFile, error) {
	var rules ruleFile
	content, err := os.ReadFile(filepath.Join(root, "charts/monitoring/rules", name))
	if err != nil {
		return rules, fmt.Errorf("read the rules: %w", err)
	}
	if err := yaml.Unmarshal(content, &rules); err != nil {
		return rules, fmt.Errorf("decode %s: %w", name, err)
	}
	return rules, nil
}

var placeholder = regexp.MustCompile(`\{\{ \$(?:labels\.)?(\w+)[^}]*\}\}`)

// placeholders writes the variables of an alert's text as <name>.
func placeholders(text string) string { return placeholder.ReplaceAllString(text, "<$1>") }
