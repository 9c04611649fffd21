package measure

import (
	"errors"
	"fmt"
)

// Limits of a log. A load's log is written by an untrusted tool, and read by meter, the operator and the report. Without limits, one load
// could fill their memory, or etcd. The limits far exceed the needs of a correct log.
const (
	// MaxTags is the most tags of one server: kinds of operations times three latency kinds. The steps of a search count once.
	MaxTags = 64
	// MaxLine is the longest line in bytes. An interval's histogram takes one to three kilobytes.
	MaxLine = 1 << 20
	// maxText is the largest size of an unpacked log.
	maxText = 64 << 20
	// maxEntries is the most intervals of a log, and the most lines of counters.
	maxEntries = 1 << 18
	// maxBuckets is the most distinct values in the histogram of one interval; maxAllBuckets in those of all.
	maxBuckets    = 1 << 18
	maxAllBuckets = 1 << 24
	// maxCounterNames is the most counters in a line.
	maxCounterNames = 256
	// maxStep is the highest step of a search, as in a load's summary.
	maxStep = 1000
)

var errLongLine = fmt.Errorf("a line is longer than %d bytes; end it, or record less in an interval", MaxLine)

// TagSet counts distinct tags. The zero value is empty.
type TagSet struct{ seen map[Tag]struct{} }

// Add adds a tag. It returns an error if there are more than MaxTags.
func (s *TagSet) Add(tag Tag) error {
	tag, _ = tag.Step()
	if _, known := s.seen[tag]; known {
		return nil
	}
	if len(s.seen) == MaxTags {
		return fmt.Errorf("the log has more than %d tags, %q among them; give each kind of operation a tag, not each key", MaxTags, tag)
	}
	if s.seen == nil {
		s.seen = map[Tag]struct{}{}
	}
	s.seen[tag] = struct{}{}
	return nil
}

// budget tracks the limits of a log while the whole log is read.
type budget struct {
	tags              TagSet
	entries, counters int
	buckets           int64
}

func (b *budget) take(iv Interval) error {
	if err := b.tags.Add(iv.Tag); err != nil {
		return err
	}
	if b.entries++; b.entries > maxEntries {
		return fmt.Errorf("the log has more than %d intervals; make them longer", maxEntries)
	}
	if b.buckets += int64(iv.Histogram.Populated()); b.buckets > maxAllBuckets {
		return fmt.Errorf("the log's histograms hold more than %d values; use fewer tags, or fewer significant digits", maxAllBuckets)
	}
	return nil
}

func (b *budget) takeCounters() error {
	if b.counters++; b.counters > maxEntries {
		return errors.New("the log has more lines of counters than windows")
	}
	return nil
}
