package storechart

import (
	"fmt"
	"regexp"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// operationsWord is the same as the pattern of the API.
var operationsWord = regexp.MustCompile(`^[a-z]([a-z -]{0,29}[a-z])?$`)

// Units returns the units for output to people; nil if the chart uses the defaults.
func (c *Chart) Units() *v1beta1.Units { return c.units }

func unitsOf(annotations map[string]string) (*v1beta1.Units, error) {
	latency, known := map[string]v1beta1.LatencyUnit{"": "", "ms": v1beta1.LatencyMillis, "us": v1beta1.LatencyMicros}[annotations[annotationLatency]]
	if !known {
		return nil, fmt.Errorf("its annotation %s is %q: use ms or us", annotationLatency, annotations[annotationLatency])
	}
	units := v1beta1.Units{Operations: annotations[annotationOperations], Latency: latency}
	if units == (v1beta1.Units{}) {
		return nil, nil
	}
	if units.Operations != "" && !operationsWord.MatchString(units.Operations) {
		return nil, fmt.Errorf("its annotation %s is %q: use a plural in lowercase letters, such as requests", annotationOperations, units.Operations)
	}
	return &units, nil
}
