package orders

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestManyPodsTogetherAskAndTellNoMoreThanFew(t *testing.T) {
	for pods, want := range map[int32][3]time.Duration{
		1:  {500 * time.Millisecond, 0, 5 * time.Second},
		2:  {500 * time.Millisecond, 2 * time.Second, 5 * time.Second},
		16: {500 * time.Millisecond, 2 * time.Second, 5 * time.Second},
		64: {500 * time.Millisecond, 2 * time.Second, 5 * time.Second},
	} {
		t.Run(fmt.Sprintf("%d pods", pods), func(t *testing.T) {
			assert.Equal(t, want, [3]time.Duration{StartPoll(pods), StartNotice(pods), ProgressEvery(pods)})
		})
	}
}
