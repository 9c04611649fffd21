package inflict

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// arrived returns how many of the sent datagrams arrive. Each is one outgoing and one incoming packet.
func arrived(t *testing.T, sent int) (count int) {
	for range sent {
		if passes(t) {
			count++
		}
	}
	return count
}

func TestAShareOfThePacketsIsLostEachWay(t *testing.T) {
	ownNetwork(t)
	const none, sent, percent = 99, 2000, 30
	ctx, end := context.WithCancel(context.Background())
	defer end()
	require.NoError(t, Lose(ctx, none, percent, func() {
		// 70% of outgoing packets pass, and 70% of those on the way in: 980, with a standard deviation of 22. Only one run in a billion
		// deviates by 6 times that.
		assert.InDelta(t, 980, arrived(t, sent), 6*22.4)
		end()
	}))
	assert.Equal(t, 10, arrived(t, 10))
}

func TestALossSparesTheInterfaceThatItIsToldTo(t *testing.T) {
	ownNetwork(t)
	ctx, end := context.WithCancel(context.Background())
	defer end()
	require.NoError(t, Lose(ctx, Loopback, 99, func() {
		assert.Equal(t, 100, arrived(t, 100))
		end()
	}))
}
