package gates

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestImpossible_figuresAreNamed(t *testing.T) {
	e := good()
	e.Impossible = []string{"opRate=NaN", "faults[1].availability=+Inf"}
	assert.Equal(t, []string{"counts: no measurement can have opRate=NaN, faults[1].availability=+Inf"}, judged(t, e).Reasons)
}

func TestQueriesThatFindNothing_areNotFast(t *testing.T) {
	for name, test := range map[string]struct {
		found, empty      int64
		invalid, warnings []v1beta1.Reason
	}{
		"all found something": {1000, 0, nil, nil},
		"some found nothing":  {990, 10, nil, nil},
		"many found nothing":  {900, 100, nil, []v1beta1.Reason{v1beta1.GateLittleFound}},
		"none found anything": {0, 1000, []v1beta1.Reason{v1beta1.GateNothingFound}, nil},
	} {
		e := good()
		e.Result.Outcomes = []v1beta1.Outcome{{Name: "by-author", Count: test.found}, {Name: "by-author-empty", Count: test.empty}, {Name: "insert", Count: 7}, {Name: "miss", Count: 9}}
		verdict := Judge(e)
		assert.Equal(t, test.invalid, verdict.Invalid.Reasons(), name)
		assert.Equal(t, test.warnings, verdict.Warnings.Reasons(), name)
		messages(t, verdict.Invalid)
		messages(t, verdict.Warnings)
	}
}
