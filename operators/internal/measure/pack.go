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

// MaxChunk is the size of a chunk for which its ConfigMap stays below etcd's limit of about a megabyte even in base64.
const MaxChunk = 700_000

// MaxChunks is the most chunks of a load pod's log, as in the API. A load decides what it writes, and etcd holds two gigabytes by default.
const MaxChunks = 12

// ChunksOf returns the most chunks of a load pod's log for one server, if the pods and servers share MaxChunks. A typical log takes one or
// two; one of windows, which cannot be joined, up to four.
func ChunksOf(pods int32, servers int) int {
	if servers > 1 {
		return max(MaxChunks/servers, 4)
	}
	return max(MaxChunks/int(max(pods, 1)), 2)
}

// LogName returns the name of the ConfigMap of a chunk of a load pod's log. It ends with a digest of the chunk: an existing object of that
// name, from an attempt with a lost answer, has the same content, so the pod needs no permission to read it.
func LogName(measurement string, attempt, index int32, chunk int, data []byte) string {
	digest := sha256.Sum256(data)
	return fmt.Sprintf("%s-a%d-p%d-log-%d-%s", measurement, attempt, index, chunk, hex.EncodeToString(digest[:8]))
}

// PackLog joins a log's intervals to at most MaxIntervals, compresses the log, and splits it into chunks that fit into ConfigMaps.
// Concatenated, the chunks are one gzip stream of an HdrHistogram log. Equal logs give equal bytes.
//
// If a log needs more than most chunks, its intervals are halved until it fits. Windows are not joined, because servers are compared window
// by window. PackLog rejects a log that is still too large.
func PackLog(l *Log, most int) ([][]byte, error) {
	packed, err := packWithin(l, most*MaxChunk)
	return Chunks(packed), err
}

// packWithin packs the log into at most most bytes.
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

// leastIntervals is the least number of intervals to which a log is joined to save space.
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

// Chunks splits packed bytes into chunks that fit into a ConfigMap.
func Chunks(packed []byte) [][]byte { return slices.Collect(slices.Chunk(packed, MaxChunk)) }

// UnpackLog reads the output of PackLog, with chunks in order. A missing or damaged chunk is an error.
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
	if bounded.N <= 0 { // takes precedence over an error in the truncated line
		return nil, fmt.Errorf("unpack log: it holds more than %d bytes", maxText)
	}
	if err != nil {
		return nil, fmt.Errorf("unpack log: %w", err)
	}
	return l, z.Close()
}
