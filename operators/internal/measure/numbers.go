package measure

import (
	"fmt"
	"strconv"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Millis formats nanoseconds as milliseconds with three decimals, rounding half away from zero. Integer arithmetic makes the last digit
// exact.
func Millis(ns int64) v1beta1.Decimal {
	sign := ""
	if ns < 0 {
		sign, ns = "-", -ns
	}
	micros := ns/1000 + ns%1000/500
	if micros == 0 {
		sign = ""
	}
	return v1beta1.Decimal(fmt.Sprintf("%s%d.%03d", sign, micros/1000, micros%1000))
}

// Rate formats a rate per second with one decimal.
func Rate(perSecond float64) v1beta1.Decimal {
	return v1beta1.Decimal(strconv.FormatFloat(perSecond, 'f', 1, 64))
}

// Seconds formats a duration in seconds with one decimal.
func Seconds(d time.Duration) v1beta1.Decimal {
	return v1beta1.Decimal(strconv.FormatFloat(d.Seconds(), 'f', 1, 64))
}

// Float parses a Decimal. An empty one is an error, because a missing figure is not zero.
func Float(d v1beta1.Decimal) (float64, error) {
	f, err := strconv.ParseFloat(string(d), 64)
	if err != nil {
		return 0, fmt.Errorf("decimal %q is not a number", string(d))
	}
	return f, nil
}

// perSecond returns n per second of d; 0 for an empty duration.
func perSecond(n int64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}
