package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestKnowsTheNamesOfAJobsPods(t *testing.T) {
	for _, test := range []struct {
		name, job string
		index     int32
		is        bool
	}{
		{"m-a1-0-x7k2p", "m-a1", 0, true},
		{"m-a1-12-x7k2p", "m-a1", 12, true},
		{"m-a1-1-x7k2p", "m-a1", 0, false},
		{"m-a10-0-x7k2p", "m-a1", 0, false},
		{"m-a1-0-a1-0-x7k2p", "m-a1", 0, false},
		{"m-a1-0-", "m-a1", 0, false},
		{"", "m-a1", 0, false},
	} {
		assert.Equal(t, test.is, IsLoadPod(test.name, test.job, test.index), "%s of %s", test.name, test.job)
	}
}
