package convert

import (
	"fmt"
	"strconv"
	"strings"
)

// permille is the codec of shares: whole permille in v1alpha1, percent with at most one decimal in v1beta1.
func permille(value any, way direction) (any, bool) {
	if way == toBeta {
		number, is := value.(int64)
		return percentOf(number), is
	}
	text, is := value.(string)
	if !is {
		return nil, false
	}
	return permilleOf(text)
}

// somePermille is the codec of shares for which 0 means the default in v1alpha1.
func somePermille(value any, way direction) (any, bool) {
	if way == toBeta && zero(value) {
		return nil, false
	}
	return permille(value, way)
}

func percentOf(permille int64) string {
	whole, tenths := permille/10, permille%10
	switch {
	case tenths == 0:
		return fmt.Sprintf("%d%%", whole)
	case tenths < 0 && whole == 0:
		return fmt.Sprintf("-0.%d%%", -tenths)
	}
	return fmt.Sprintf("%d.%d%%", whole, max(tenths, -tenths))
}

func permilleOf(percent string) (int64, bool) {
	digits, is := strings.CutSuffix(percent, "%")
	whole, tenths, decimal := strings.Cut(digits, ".")
	if !decimal {
		tenths = "0"
	}
	if !is || len(tenths) != 1 {
		return 0, false
	}
	number, err := strconv.ParseInt(whole+tenths, 10, 64)
	return number, err == nil
}

// percent is the codec of a share in whole percent.
func percent(value any, way direction) (any, bool) {
	if way == toBeta {
		number, is := value.(int64)
		return fmt.Sprintf("%d%%", number), is && number != 0
	}
	text, is := value.(string)
	digits, suffixed := strings.CutSuffix(text, "%")
	number, err := strconv.ParseInt(digits, 10, 64)
	return number, is && suffixed && err == nil
}

// percentText is the codec of a decimal in percent, which v1beta1 writes with its unit.
func percentText(value any, way direction) (any, bool) {
	text, is := value.(string)
	switch {
	case !is || text == "":
		return value, true
	case way == toBeta:
		return text + "%", true
	}
	return strings.TrimSuffix(text, "%"), true
}
