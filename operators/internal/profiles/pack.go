package profiles

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Folded is the frame that replaces stacks too small to keep, below their first frame, so that the shares of thread groups do not change.
const Folded = "[folded]"

// maxText is the limit of an unpacked profile: the largest answer of a pod, times the pods of a large store.
const maxText = 256 << 20

// Pack returns the stacks as gzipped text, which is the same for equal stacks. To fit into the limit in bytes, it folds the smallest
// stacks; folded is their number.
func Pack(s Stacks, most int) (packed []byte, folded int, err error) {
	bySize := bySize(s)
	for keep := len(bySize); ; {
		kept := fold(s, bySize[:keep])
		if packed, err = write(kept); err != nil {
			return nil, 0, err
		}
		if len(packed) <= most || keep == 0 {
			return packed, len(bySize) - keep, nil
		}
		// Slightly less than in proportion, because small stacks take as much text as large ones.
		keep = min(keep-1, int(0.95*float64(keep)*float64(most)/float64(len(packed))))
	}
}

// Unpack reads the output of Pack.
func Unpack(packed []byte) (Stacks, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack stacks: %w", err)
	}
	bounded := &io.LimitedReader{R: z, N: maxText}
	s := Stacks{}
	if err := s.Read(bounded); err != nil {
		return nil, fmt.Errorf("unpack stacks: %w", err)
	}
	if bounded.N <= 0 {
		return nil, errors.New("unpack stacks: there is more text than a profile has")
	}
	return s, nil
}

// bySize returns the stacks by decreasing count.
func bySize(s Stacks) []string {
	return slices.SortedFunc(maps.Keys(s), func(a, b string) int { return cmp.Or(cmp.Compare(s[b], s[a]), cmp.Compare(a, b)) })
}

// fold joins all stacks but the kept ones into one stack for each first frame.
func fold(s Stacks, kept []string) Stacks {
	if len(kept) == len(s) {
		return s
	}
	out := make(Stacks, len(kept))
	for _, stack := range kept {
		out[stack] = s[stack]
	}
	small := Stacks{}
	for stack, count := range s {
		if _, keeps := out[stack]; !keeps {
			first, _, _ := strings.Cut(stack, Separator)
			small[first+Separator+Folded] += count
		}
	}
	out.Add(small)
	return out
}

func write(s Stacks) ([]byte, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("pack stacks: %w", err)
	}
	for _, stack := range slices.Sorted(maps.Keys(s)) {
		if _, err := fmt.Fprintf(z, "%s %d\n", stack, s[stack]); err != nil {
			return nil, fmt.Errorf("pack stacks: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("pack stacks: %w", err)
	}
	return packed.Bytes(), nil
}
