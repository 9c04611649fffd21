package profiles

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadsAndAddsUpStacks(t *testing.T) {
	s := Stacks{}
	require.NoError(t, s.Read(strings.NewReader("worker-#;java/lang/Thread.run;a/B.c 3\n\nworker-#;int main(int, char**) 4\n")))
	require.NoError(t, s.Read(strings.NewReader("worker-#;java/lang/Thread.run;a/B.c 2\r\n")))
	assert.Equal(t, Stacks{"worker-#;java/lang/Thread.run;a/B.c": 5, "worker-#;int main(int, char**)": 4}, s, "a frame may have spaces")
	assert.Equal(t, int64(9), s.Total())
	s.Add(Stacks{"gc": 1})
	assert.Equal(t, int64(10), s.Total())
}

func TestRefusesWhatIsNoStack(t *testing.T) {
	for text, says := range map[string]string{
		"a;b":                      `line 1 is "a;b", not a stack and its count`,
		"a 1\na;b x":               `line 2 counts "x", which is no number`,
		"a;b -1":                   `line 1 counts "-1", which is no number`,
		"a;b 99999999999999999999": `line 1 counts "99999999999999999999", which is no number`,
	} {
		assert.EqualError(t, Stacks{}.Read(strings.NewReader(text)), says)
	}
	assert.Error(t, Stacks{}.Read(strings.NewReader(strings.Repeat("x", maxLine+1))))
}

func many(n int) Stacks {
	s := Stacks{}
	for i := range n {
		s[fmt.Sprintf("pool-%d-#;com/example/Service.handle;com/example/Table%d.get", i%2, i*7919%100003)] = int64(i + 1)
	}
	return s
}

func TestPacksStacksSoThatTheyComeBack(t *testing.T) {
	s := many(100)
	packed, folded, err := Pack(s, 1<<20)
	require.NoError(t, err)
	assert.Zero(t, folded)
	again, _, err := Pack(many(100), 1<<20)
	require.NoError(t, err)
	assert.Equal(t, packed, again, "equal stacks give equal bytes")
	got, err := Unpack(packed)
	require.NoError(t, err)
	assert.Equal(t, s, got)
	_, err = Unpack(packed[:len(packed)/2])
	require.Error(t, err)
	_, err = Unpack([]byte("a;b 1"))
	require.Error(t, err)
}

func TestFoldsTheSmallestStacksAwayWhereNotAllFit(t *testing.T) {
	s := many(5000)
	packed, folded, err := Pack(s, 8000)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(packed), 8000)
	assert.Greater(t, len(packed), 6000, "as much as fits")
	require.Positive(t, folded)
	got, err := Unpack(packed)
	require.NoError(t, err)
	assert.Equal(t, s.Total(), got.Total(), "nothing is lost but what is said by frames")
	assert.Len(t, got, 5000-folded+2, "one stack for each group of threads stands for the rest")
	assert.Positive(t, got["pool-0-#;[folded]"])
	for stack, count := range s {
		if _, kept := got[stack]; !kept {
			assert.LessOrEqual(t, count, int64(folded), "%s is one of the smallest", stack)
		}
	}
	packed, folded, err = Pack(s, 10)
	require.NoError(t, err)
	assert.Equal(t, 5000, folded, "what cannot fit at all is the groups alone")
	assert.NotEmpty(t, packed)
}
