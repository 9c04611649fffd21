package measure

import (
	"errors"
	"fmt"
)

// Bounds on what a log may hold. A load's log is written by a tool that nobody trusts, and is read by meter, the operator and the report: without
// bounds one load could fill their memory, or etcd. They are far beyond what an honest log needs.
const (
	// MaxTags of one server: kinds of operations times three latency kinds. The steps of a search count once.
	MaxTags = 64
	// MaxLine in bytes: an interval's histogram takes one to three kilobytes.
	MaxLine = 1 << 20
	// maxText is what a packed log may unpack to.
	maxText = 64 << 20
	// maxEntries is the number of intervals in a log, and of lines of counters.
	maxEntries = 1 << 18
	// maxBuckets is the number of different values in the histogram of one interval; maxAllBuckets in those of all.
	maxBuckets    = 1 << 18
	maxAllBuckets = 1 << 24
	// maxCounterNames in a line of counters.
	maxCounterNames = 256
	// maxStep of a search, as in a load's summary.
	maxStep = 1000
)

var errLongLine = fmt.Errorf("a line is longer than %d bytes; end it, or record less in an interval", MaxLine)

// TagSet counts different tags. The zero value is empty.
type TagSet struct{ seen map[Tag]struct{} }

// Add a tag; it fails when there are more than MaxTags.
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

// budget is what is left of a log's bounds while it is read whole.
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
