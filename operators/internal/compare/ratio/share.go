package ratio

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// sharePattern is the same as that of the API.
var sharePattern = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)\s*(%?)$`)

// ParseShare parses a share of at least 0% and less than 100%: 3% and 0.03 are the same.
func ParseShare(text string) (float64, error) {
	wrong := fmt.Errorf("%q: use a share of at least 0%% and less than 100%%, as in 3%%", text)
	parts := sharePattern.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return 0, wrong
	}
	value, err := strconv.ParseFloat(parts[1], 64)
	if parts[2] == "%" {
		value /= 100
	}
	if err != nil || value >= 1 {
		return 0, wrong
	}
	return value, nil
}
