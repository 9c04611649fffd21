package inflict

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// arrived of so many datagrams, each of which is a packet that leaves and one that comes.
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
		// Of those that leave 70% come, and of those 70%: 980, and by chance some 22 more or less. Of 1 in a billion runs it is 6 times that.
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
