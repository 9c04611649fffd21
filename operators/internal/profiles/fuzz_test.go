package profiles

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Profiles come from the store's pods and from bundles, which are not trusted.
func FuzzStacks(f *testing.F) {
	f.Add([]byte("worker-#;java/lang/Thread.run;a/B.c 3\n\nworker-#;int main(int, char**) 4\n"))
	f.Add([]byte("a 9223372036854775807\na 1\n"))
	f.Add([]byte("\xff\xfe;b 1\r\n [folded] 2"))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = Unpack(text)
		s := Stacks{}
		if s.Read(bytes.NewReader(text)) != nil {
			return
		}
		for stack, count := range s {
			require.GreaterOrEqual(t, count, int64(0), stack)
		}
		packed, _, err := Pack(s, 1<<20)
		require.NoError(t, err)
		back, err := Unpack(packed)
		require.NoError(t, err)
		assert.Equal(t, s, back)
		assert.Equal(t, s.Total(), back.Total())
		small, _, err := Pack(s, 64)
		require.NoError(t, err)
		back, err = Unpack(small)
		require.NoError(t, err)
		assert.Equal(t, s.Total(), back.Total(), "folding loses no count")
	})
}

func FuzzPacked(f *testing.F) {
	for _, text := range []string{"", "a;b 1\n", strings.Repeat("a;b 1\n", 1000)} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, err := z.Write([]byte(text))
		require.NoError(f, err)
		require.NoError(f, z.Close())
		f.Add(packed.Bytes())
	}
	f.Fuzz(func(_ *testing.T, packed []byte) { _, _ = Unpack(packed) })
}
