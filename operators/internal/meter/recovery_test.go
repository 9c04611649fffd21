package meter

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

const bookkept = "recovery.first_micros=2100000\nrecovery.all_micros=2200000\nrecovery.sent=1000\nrecovery.acknowledged=990\nrecovery.kept=600\n" +
	"recovery.lost=300\nrecovery.refused=90\nrecovery.wrong=0\n"

func TestReadsWhatALoadTellsOfAStoreThatWasKilled(t *testing.T) {
	told, err := parseSummary("operations=990\nerrors=0\n"+bookkept, []string{""})
	require.NoError(t, err)
	s := told[""]
	assert.Equal(t, &v1beta1.Recovery{FirstMicros: 2_100_000, AllMicros: 2_200_000, Sent: 1000, Acknowledged: 990, Kept: 600, Lost: 300, Refused: 90}, s.recovery.found())
	assert.Empty(t, s.recovery.doubt())
	told, err = parseSummary("operations=990\n", []string{""})
	require.NoError(t, err)
	s = told[""]
	assert.Nil(t, s.recovery.found())
	assert.Empty(t, s.recovery.doubt())
}

func TestDoubtsBooksThatDoNotComeOutEven(t *testing.T) {
	for name, test := range map[string]struct{ change, to, says string }{
		"a missing word":                {"recovery.lost=300\n", "", "the load tool tells of a recovery, and not its lost"},
		"points that nobody has":        {"lost=300", "lost=299", "the books of a recovery do not come out even: 1000 sent, 990 acknowledged, of them 600 kept, 299 lost, 90 refused, 0 wrong; back after 2100000 to 2200000 µs"},
		"more than was sent":            {"sent=1000", "sent=900", "the books of a recovery do not come out even: 900 sent"},
		"all are back before the first": {"all_micros=2200000", "all_micros=1", "back after 2100000 to 1 µs"},
	} {
		t.Run(name, func(t *testing.T) {
			told, err := parseSummary(strings.Replace(bookkept, test.change, test.to, 1), []string{""})
			require.NoError(t, err)
			s := told[""]
			assert.Contains(t, s.recovery.doubt(), test.says)
		})
	}
	for line, says := range map[string]string{
		"recovery.lost=-1":  `the load's summary says "recovery.lost=-1", not a count`,
		"recovery.found=12": `the load's summary has "recovery.found", but for a recovery it may have acknowledged, all_micros, first_micros, kept, lost, refused, sent, wrong`,
	} {
		_, err := parseSummary(line, []string{""})
		assert.EqualError(t, err, says)
	}
}
