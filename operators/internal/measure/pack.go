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

// LogName of the ConfigMap that holds a chunk of a load pod's log. Its end is a digest of the chunk: what is there under the name
// already, from a try whose answer was lost, is the same, and nobody needs the right to read it to know.
func LogName(measurement string, attempt, index int32, chunk int, data []byte) string {
	digest := sha256.Sum256(data)
	return fmt.Sprintf("%s-a%d-p%d-log-%d-%s", measurement, attempt, index, chunk, hex.EncodeToString(digest[:8]))
}

// PackLog joins a log's intervals to MaxIntervals at most, compresses it, and cuts it into chunks that fit into
// ConfigMaps. Concatenated they are one gzip stream of an HdrHistogram log. Equal logs give equal bytes.
func PackLog(l *Log) ([][]byte, error) {
	short, err := Coalesce(l, MaxIntervals)
	if err != nil {
		return nil, err
	}
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
	return Chunks(packed.Bytes()), nil
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
	l, err := ReadLog(z)
	if err != nil {
		return nil, fmt.Errorf("unpack log: %w", err)
	}
	return l, z.Close()
}
