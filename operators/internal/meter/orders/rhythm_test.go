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
		20: {625 * time.Millisecond, 2125 * time.Millisecond, 5 * time.Second},
		64: {2 * time.Second, 3500 * time.Millisecond, 16 * time.Second},
	} {
		t.Run(fmt.Sprintf("%d pods", pods), func(t *testing.T) {
			assert.Equal(t, want, [3]time.Duration{StartPoll(pods), StartNotice(pods), ProgressEvery(pods)})
		})
	}
}
