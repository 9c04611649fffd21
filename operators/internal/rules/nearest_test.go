package rules

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNearest(t *testing.T) {
	known := []string{"hsha", "disruptor", "xedin", "operations", "keys"}
	for word, want := range map[string]string{
		"hsah": "hsha", "disruptr": "disruptor", "operatons": "operations", "Keys": "keys", "x": "", "": "", "threadpool": "", "xedni": "xedin",
	} {
		assert.Equal(t, want, Nearest(word, known), word)
	}
}
