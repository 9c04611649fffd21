package storechart

import (
	"fmt"
	"regexp"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// operationsWord is the same as the pattern of the API.
var operationsWord = regexp.MustCompile(`^[a-z]([a-z -]{0,29}[a-z])?$`)

// Units returns the units for output to people; nil if the chart uses the defaults.
func (c *Chart) Units() *v1beta1.Units { return c.units }

func unitsOf(annotations map[string]string) (*v1beta1.Units, error) {
	units := v1beta1.Units{Operations: annotations[annotationOperations], Latency: v1beta1.LatencyUnit(annotations[annotationLatency])}
	if units == (v1beta1.Units{}) {
		return nil, nil
	}
	if units.Operations != "" && !operationsWord.MatchString(units.Operations) {
		return nil, fmt.Errorf("its annotation %s is %q: use a plural in lowercase letters, such as requests", annotationOperations, units.Operations)
	}
	if !slices.Contains([]v1beta1.LatencyUnit{"", v1beta1.LatencyMillis, v1beta1.LatencyMicros}, units.Latency) {
		return nil, fmt.Errorf("its annotation %s is %q: use %s or %s", annotationLatency, units.Latency, v1beta1.LatencyMillis, v1beta1.LatencyMicros)
	}
	return &units, nil
}
