package nodeclient_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/images/internal/nodeclient"
)

func TestSaysWhatIsMissingFromTheRing(t *testing.T) {
	for name, test := range map[string]struct {
		versions map[string][]string
		missing  string
	}{
		"whole":          {map[string][]string{"a": {"1", "2", "3"}}, ""},
		"a node is away": {map[string][]string{"a": {"1", "2"}, nodeclient.Unreachable: {"3"}}, "1 of 3 nodes do not answer: 3"},
		"two schemas":    {map[string][]string{"a": {"1", "2"}, "b": {"3"}}, "the nodes hold 2 schema versions"},
		"still joining":  {map[string][]string{"a": {"1", "2"}}, "2 of 3 nodes are in the ring"},
		"nothing":        {nil, "no node tells its schema version"},
	} {
		t.Run(name, func(t *testing.T) {
			err := nodeclient.Whole(test.versions, 3)
			if test.missing == "" {
				assert.NoError(t, err)
			} else {
				assert.EqualError(t, err, test.missing)
			}
		})
	}
}

func TestPollsUntilItSucceeds(t *testing.T) {
	tries := 0
	err := nodeclient.Poll(t.Context(), time.Millisecond, func() error {
		if tries++; tries < 3 {
			return errors.New("not yet")
		}
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, 3, tries)
}

func TestPollingEndsWithTheLastReason(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := nodeclient.Poll(ctx, time.Millisecond, func() error {
		cancel()
		return errors.New("the seed is away")
	})
	assert.ErrorContains(t, err, "the seed is away")
	assert.ErrorIs(t, err, context.Canceled)
}
