package results

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTellsOnceWhatWasPublishedInWords(t *testing.T) {
	row := func(server, phase string) Row {
		return Row{Store: "udp-echo", Server: server, ServerType: server, Phase: phase}
	}
	rows := []Row{row("disruptor-sleeping", "echo"), row("blocking", "echo"), row("disruptor-sleeping", "idle"), row("blocking", "idle"), row("disruptor-sleeping", "idle")}
	assert.Equal(t, []string{
		"disruptor: steady percentiles 50 and 99; above 4 client threads the 99th rises, as requests queue",
		"disruptor: 4 to 6% CPU a core at rest",
	}, Said(rows))
	assert.Equal(t, []string{"disruptor against disruptor that spins has better percentiles, and threads that migrate were suspected"},
		Said([]Row{row("disruptor-sleeping", "echo"), row("disruptor-busyspin", "echo")})[1:])
	assert.Empty(t, Said([]Row{row("inline", "idle")}))
}
