package report

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/profiles"
)

func TestTellsFramesApartByKind(t *testing.T) {
	for name, want := range map[string]struct {
		event v1beta1.ProfileEvent
		shown string
		kind  frameKind
	}{
		"java/lang/Thread.run":                  {v1beta1.ProfileCPU, "java/lang/Thread.run", javaFrame},
		"java.util.HashMap.put_[j]":             {v1beta1.ProfileCPU, "java.util.HashMap.put", javaFrame},
		"a/B.c_[0]":                             {v1beta1.ProfileCPU, "a/B.c", javaFrame},
		"a/B.<init>":                            {v1beta1.ProfileCPU, "a/B.<init>", javaFrame},
		"a/B$$Lambda$14/0x0000000800066840.run": {v1beta1.ProfileCPU, "a/B$$Lambda.run", javaFrame},
		"a/B$$Lambda.0x00007f1c.run":            {v1beta1.ProfileCPU, "a/B$$Lambda.run", javaFrame},
		"jdk/internal/reflect/GeneratedMethodAccessor7.invoke": {v1beta1.ProfileCPU, "jdk/internal/reflect/GeneratedMethodAccessor.invoke", javaFrame},
		"do_syscall_64_[k]":    {v1beta1.ProfileWall, "do_syscall_64", kernelFrame},
		"byte[]_[k]":           {v1beta1.ProfileAlloc, "byte[]", javaFrame},
		"java.lang.String_[i]": {v1beta1.ProfileAlloc, "java.lang.String", javaFrame},
		"__libc_read":          {v1beta1.ProfileCPU, "__libc_read", nativeFrame},
		"G1ParScanThreadState::trim_queue(unsigned int)": {v1beta1.ProfileCPU, "G1ParScanThreadState::trim_queue(unsigned int)", nativeFrame},
		"libjvm.so": {v1beta1.ProfileCPU, "libjvm.so", nativeFrame},
		"[unknown]": {v1beta1.ProfileCPU, "[unknown]", nativeFrame},
		"[folded]":  {v1beta1.ProfileCPU, "[folded]", nativeFrame},
	} {
		shown, kind := frameOf(name, want.event)
		assert.Equal(t, want.shown, shown, name)
		assert.Equal(t, want.kind, kind, name)
	}
}

func example() profiles.Stacks {
	return profiles.Stacks{
		"worker-#;a/B.run;a/B.get":         60,
		"worker-#;a/B.run;a/B.put":         20,
		"worker-#;a/B.run;read_[k]":        10,
		"gc;G1::collect":                   9,
		"main;a/Main.<main> & \"friends\"": 1,
	}
}

func TestAFramesWidthIsItsShare(t *testing.T) {
	d := layFlame(newFlameTree(example(), v1beta1.ProfileCPU), nil, defaultLimits())
	var drawn []string
	for _, f := range d.Frames {
		drawn = append(drawn, fmt.Sprintf("%d %s %.2f+%.2f k%d", f.Depth, f.Name, f.Left, f.Share, f.Kind))
		assert.True(t, math.IsNaN(f.Base))
	}
	assert.Equal(t, []string{
		"0 all 0.00+1.00 k0", "1 gc 0.00+0.09 k0", "2 G1::collect 0.00+0.09 k2", "1 main 0.09+0.01 k0", `2 a/Main.<main> & "friends" 0.09+0.01 k2`,
		"1 worker-# 0.10+0.90 k0", "2 a/B.run 0.10+0.90 k1", "3 a/B.get 0.10+0.60 k1", "3 a/B.put 0.70+0.20 k1", "3 read 0.90+0.10 k3",
	}, drawn)
	assert.Equal(t, 3, d.Deepest)
	assert.Zero(t, d.Narrow+d.Deep)
	assert.Empty(t, layFlame(newFlameTree(nil, v1beta1.ProfileCPU), nil, defaultLimits()).Frames)
}

func TestADrawingIsBounded(t *testing.T) {
	s := profiles.Stacks{}
	for i := range 5000 {
		s["pool;"+strings.Repeat("a/B.c;", 5)+"a/B.m"+strconv.Itoa(i)] = int64(10_000 + i)
	}
	limits := flameLimits{Share: 0.00001, Depth: 6, Frames: 300}
	d := layFlame(newFlameTree(s, v1beta1.ProfileCPU), nil, limits)
	assert.LessOrEqual(t, len(d.Frames), 300)
	assert.Equal(t, 6, d.Deepest)
	assert.Positive(t, d.Deep, "what is too deep is counted")
	limits.Depth = 10
	d = layFlame(newFlameTree(s, v1beta1.ProfileCPU), nil, limits)
	assert.InDelta(t, 300, len(d.Frames), 1, "as many as there may be")
	assert.Equal(t, 5000+7-len(d.Frames), d.Narrow)
	assert.Greater(t, d.Least, limits.Share)
	for _, f := range d.Frames {
		assert.GreaterOrEqual(t, f.Share, d.Least)
	}
	narrow := layFlame(newFlameTree(profiles.Stacks{"a;b": 9991, "a;c": 9}, v1beta1.ProfileCPU), nil, defaultLimits())
	assert.Len(t, narrow.Frames, 3)
	assert.Equal(t, 1, narrow.Narrow, "below a thousandth")
}

// drawnFrame is a frame as it stands in the SVG.
type drawnFrame struct {
	Class  string `xml:"class,attr"`
	X      string `xml:"x,attr"`
	Y      int    `xml:"y,attr"`
	Width  string `xml:"width,attr"`
	Title  string `xml:"title"`
	Text   string `xml:"text"`
	Height int    `xml:"height,attr"`
}

type drawnGraph struct {
	ID     string       `xml:"id,attr"`
	Height int          `xml:"height,attr"`
	Label  string       `xml:"aria-labelledby,attr"`
	Title  string       `xml:"title"`
	Frames []drawnFrame `xml:"svg"`
}

func parseGraph(t *testing.T, text string) drawnGraph {
	t.Helper()
	var graph drawnGraph
	decoder := xml.NewDecoder(strings.NewReader(text))
	require.NoError(t, decoder.Decode(&graph), "it is well formed")
	_, err := decoder.Token()
	require.ErrorIs(t, err, io.EOF)
	require.False(t, errors.Is(err, io.ErrUnexpectedEOF))
	return graph
}

func TestDrawsAFlameGraph(t *testing.T) {
	tree := newFlameTree(example(), v1beta1.ProfileCPU)
	text := layFlame(tree, nil, defaultLimits()).SVG(flameWords{ID: "p1", Title: "CPU of <hsha>", Unit: "ns"})
	assert.Equal(t, text, layFlame(newFlameTree(example(), v1beta1.ProfileCPU), nil, defaultLimits()).SVG(flameWords{ID: "p1", Title: "CPU of <hsha>", Unit: "ns"}), "the same each time")
	graph := parseGraph(t, text)
	assert.Equal(t, "p1", graph.ID)
	assert.Equal(t, "CPU of <hsha>", graph.Title)
	assert.Equal(t, "p1-t", graph.Label)
	assert.Equal(t, 4*17, graph.Height)
	require.Len(t, graph.Frames, 10)
	assert.Equal(t, drawnFrame{Class: "k0", X: "0%", Y: 51, Width: "100%", Title: "all — 100.00%, 100 ns", Text: "all", Height: 16}, graph.Frames[0], "the root is at the foot")
	assert.Equal(t, drawnFrame{Class: "k1", X: "10%", Y: 0, Width: "60%", Title: "a/B.get — 60.00%, 60 ns", Text: "B.get", Height: 16}, graph.Frames[7], "its package is in its title")
	assert.Equal(t, drawnFrame{Class: "k2", X: "9%", Y: 17, Width: "1%", Title: `a/Main.<main> & "friends" — 1.00%, 1 ns`, Height: 16}, graph.Frames[4], "no name where there is no room")
	assert.Equal(t, "k3", graph.Frames[9].Class)
}

func TestAGraphIsHeldAgainstTheBaselines(t *testing.T) {
	base := newFlameTree(profiles.Stacks{"worker-#;a/B.run;a/B.get": 300, "worker-#;a/B.run;a/B.put": 680, "gc;G1::collect": 20}, v1beta1.ProfileCPU)
	graph := parseGraph(t, layFlame(newFlameTree(example(), v1beta1.ProfileCPU), base, defaultLimits()).SVG(flameWords{ID: "p", Unit: "samples", Base: "hsha"}))
	classes := map[string]string{}
	for _, frame := range graph.Frames {
		name, _, _ := strings.Cut(frame.Title, " — ")
		classes[name] = frame.Class
		if name == "a/B.get" {
			assert.Equal(t, "a/B.get — 60.00%, 60 samples; hsha 30.00%, +30.00 points", frame.Title)
		}
		if name == "read" {
			assert.Equal(t, "read — 10.00%, 10 samples; hsha 0.00%, +10.00 points", frame.Title, "it is not in the baseline's")
		}
	}
	assert.Equal(t, map[string]string{"all": "k0", "gc": "k0 more4", "G1::collect": "k2 more4", "main": "k0 more2", `a/Main.<main> & "friends"`: "k2 more2",
		"worker-#": "k0 less4", "a/B.run": "k1 less4", "a/B.get": "k1 more4", "a/B.put": "k1 less4", "read": "k3 more4"}, classes)
}

func TestWhatOnlyTheOtherHasIsInNoDrawing(t *testing.T) {
	tree := newFlameTree(example(), v1beta1.ProfileCPU)
	assert.Zero(t, tree.Missing(tree))
	assert.Zero(t, tree.Missing(newFlameTree(nil, v1beta1.ProfileCPU)))
	other := newFlameTree(profiles.Stacks{"worker-#;a/B.run;a/B.get;a/B.own": 30, "worker-#;a/B.run;a/B.put": 50, "own;a/B.c": 20}, v1beta1.ProfileCPU)
	assert.InDelta(t, 0.5, tree.Missing(other), 1e-9, "a call of its own, and a group of threads of its own")
}

func TestSharesOfThreadGroups(t *testing.T) {
	groups := newFlameTree(example(), v1beta1.ProfileCPU).Groups()
	assert.Equal(t, []groupShare{{"worker-#", 0.9}, {"gc", 0.09}, {"main", 0.01}}, groups)
}

func TestTellsAmountsInUnitsThatFit(t *testing.T) {
	for want, of := range map[string]struct {
		value float64
		unit  string
	}{
		"999 ns": {999, "ns"}, "1.50 µs": {1500, "ns"}, "12.3 ms": {12_345_678, "ns"}, "1.23 s": {1_234_567_890, "ns"}, "20000 s": {20_000_000_000_000, "ns"},
		"1 bytes": {1, "bytes"}, "2 MiB": {2 << 20, "bytes"}, "7 samples": {7, "samples"}, "0.05 samples": {0.05, "samples"}, "0 ns": {0, "ns"},
	} {
		assert.Equal(t, want, amount(of.value, of.unit))
	}
}
