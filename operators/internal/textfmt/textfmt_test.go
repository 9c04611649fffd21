package textfmt

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFormatsTextForPeople(t *testing.T) {
	for want, got := range map[string]string{
		"1 round":             Count(1, "round"),
		"0 rounds":            Count(0, "round"),
		"21 rounds":           Count(21, "round"),
		"-7":                  Int(-7),
		"98.7%":               Percent(0.987, 1),
		"95.0%":               Percent(0.95, 1),
		"0.50%":               Percent(0.005, 2),
		"3%":                  ShortPercent(0.03, 1),
		"3.5%":                ShortPercent(0.035, 1),
		"10%":                 ShortPercent(0.1, 0),
		"100.00%":             ShortPercent(1, 2),
		"a message of lines":  OneLine("a message\n\tof  lines\n"),
		"the first of two":    FirstLine(errors.New("the first of two\nand the second")),
		"the only one in all": FirstLine(errors.New("the only one in all")),
	} {
		assert.Equal(t, want, got)
	}
}
