package measure

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
)

// LogKey is the key of a chunk in its ConfigMap's binaryData.
const LogKey = "log"

// MaxChunk keeps a ConfigMap with one chunk below etcd's limit of about a megabyte also when it travels as base64.
const MaxChunk = 700_000

// MaxChunks of a load pod's log. The API says the same. etcd holds two gigabytes by default, and a load decides what it writes.
const MaxChunks = 12

// ChunksOf a load pod's log for one server, of so many pods and servers that share MaxChunks. An honest log takes one or two, and
// one of windows, which cannot be joined to fewer, up to four.
func ChunksOf(pods int32, servers int) int {
	if servers > 1 {
		return max(MaxChunks/servers, 4)
	}
	return max(MaxChunks/int(max(pods, 1)), 2)
}

// LogName of the ConfigMap that holds a chunk of a load pod's log. Its end is a digest of the chunk: what is there under the name
// already, from a try whose answer was lost, is the same, and nobody needs the right to read it to know.
func LogName(measurement string, attempt, index int32, chunk int, data []byte) string {
	digest := sha256.Sum256(data)
	return fmt.Sprintf("%s-a%d-p%d-log-%d-%s", measurement, attempt, index, chunk, hex.EncodeToString(digest[:8]))
}

// PackLog joins a log's intervals to MaxIntervals at most, compresses it, and cuts it into chunks that fit into
// ConfigMaps. Concatenated they are one gzip stream of an HdrHistogram log. Equal logs give equal bytes.
//
// A log that takes more than most chunks is joined to fewer intervals, half as many each time. Windows stay as they are, for those of servers
// are compared one by one. What is too large nevertheless is refused.
func PackLog(l *Log, most int) ([][]byte, error) {
	packed, err := packWithin(l, most*MaxChunk)
	return Chunks(packed), err
}

// packWithin so many bytes.
func packWithin(l *Log, most int) ([]byte, error) {
	for intervals := MaxIntervals; ; intervals /= 2 {
		short, err := Coalesce(l, intervals)
		if err != nil {
			return nil, err
		}
		packed, err := packed(short)
		if err != nil {
			return nil, err
		}
		if len(packed) <= most {
			return packed, nil
		}
		if l.Windowed || intervals <= leastIntervals {
			return nil, fmt.Errorf("the log has %d bytes compressed, but the maximum is %d; use fewer tags, or fewer significant digits", len(packed), most)
		}
	}
}

// leastIntervals that a log is joined to for want of space.
const leastIntervals = 20

func packed(short *Log) ([]byte, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("pack log: %w", err)
	}
	if err := WriteLog(z, short); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("pack log: %w", err)
	}
	return packed.Bytes(), nil
}

// Chunks of what was packed, each of which fits into a ConfigMap.
func Chunks(packed []byte) [][]byte { return slices.Collect(slices.Chunk(packed, MaxChunk)) }

// UnpackLog reads what PackLog wrote; chunks come in order. A missing or damaged chunk is an error.
func UnpackLog(chunks [][]byte) (*Log, error) {
	readers := make([]io.Reader, len(chunks))
	for i, c := range chunks {
		readers[i] = bytes.NewReader(c)
	}
	z, err := gzip.NewReader(io.MultiReader(readers...))
	if err != nil {
		return nil, fmt.Errorf("unpack log: %w", err)
	}
	bounded := &io.LimitedReader{R: z, N: maxText}
	l, err := ReadLog(bounded)
	if bounded.N <= 0 { // whatever the line says at which it was cut off
		return nil, fmt.Errorf("unpack log: it holds more than %d bytes", maxText)
	}
	if err != nil {
		return nil, fmt.Errorf("unpack log: %w", err)
	}
	return l, z.Close()
}
