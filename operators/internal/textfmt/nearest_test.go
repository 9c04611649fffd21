package textfmt

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNearest(t *testing.T) {
	known := []string{"hsha", "disruptor", "xedin", "operations", "keys", "compaction_throughput_mb_per_sec"}
	for word, want := range map[string]string{
		"hsah": "hsha", "disruptr": "disruptor", "operatons": "operations", "Keys": "keys", "x": "", "": "", "threadpool": "", "xedni": "xedin", "compaction_throughput": "compaction_throughput_mb_per_sec", "abc": "",
	} {
		assert.Equal(t, want, Nearest(word, known), word)
	}
}

func TestTheNearestNameTakesFewChanges(t *testing.T) {
	known := []string{"compaction_throughput_mb_per_sec", "concurrent_reads", "concurrent_writes", "heap"}
	for name, want := range map[string]string{
		"concurent_reads": "concurrent_reads", "concurrentReads": "concurrent_reads", "CONCURRENT_WRITES": "concurrent_writes",
		"compaction_throughput": "compaction_throughput_mb_per_sec", "heap_size": "heap", "audit_logging": "", "": "",
	} {
		assert.Equal(t, want, Nearest(name, known), name)
	}
	assert.Equal(t, 3, edits("kitten", "sitting"))
	assert.Equal(t, 4, edits("", "heap"))
}
