package problem

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestSaysWhatIsWrongAndWhatToDoInOneLine(t *testing.T) {
	assert.EqualError(t, New("use 3", "there are %d\n  rounds", 2), "there are 2 rounds: use 3")
	assert.EqualError(t, Problem{What: "there is none"}, "there is none")
}

func TestKeepsTheReasonThatWasGivenFirst(t *testing.T) {
	problems := Because("Second", []Problem{New("", "a").Because("First"), New("", "b")})
	assert.Equal(t, []v1beta1.Reason{"First", "Second"}, []v1beta1.Reason{problems[0].Reason, problems[1].Reason})
}

func TestFindsAllProblemsOfAnError(t *testing.T) {
	a, b := New("x", "a is wrong").Because("A"), New("y", "b is wrong").Because("B")
	for name, test := range map[string]struct {
		err  error
		want []Problem
	}{
		"none":         {errors.New("other"), nil},
		"no error":     {nil, nil},
		"one":          {a, []Problem{a}},
		"several":      {Join([]Problem{a, b}), []Problem{a, b}},
		"lists":        {errors.Join(Join([]Problem{a}), errors.New("other"), b), []Problem{a, b}},
		"wrapped":      {fmt.Errorf("profile kind: %w", a), []Problem{{Reason: "A", What: "profile kind: a is wrong", Fix: "x"}}},
		"with more":    {fmt.Errorf("%w; try again", a), []Problem{a}},
		"an empty one": {Join(nil), nil},
		"marked":       {fmt.Errorf("%w", Join([]Problem{a, b})), []Problem{a, b}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, All(test.err)) })
	}
}

func TestDistinguishesWhatIsUnavailableFromBadInput(t *testing.T) {
	for reason, want := range map[v1beta1.Reason]bool{
		ClusterUnavailable: true, OperatorUnavailable: true, ArchiveUnavailable: true, PrometheusUnavailable: true, v1beta1.RefusedChartUnavailable: true, "": false, "UnknownServer": false,
	} {
		assert.Equal(t, want, IsUnavailable(fmt.Errorf("try: %w", Problem{Reason: reason})), reason)
	}
	assert.False(t, IsUnavailable(nil))
	assert.False(t, IsUnavailable(errors.New("other")))
}
