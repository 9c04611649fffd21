package report

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/internal/textfmt"
)

const (
	// row is the height of a frame, with the gap to the next.
	row = 17
	gap = 1
	// lettered is the share from which a frame bears its name: a narrower one has no room on any screen.
	lettered = 0.02
	// baseline of the text in its frame, and indent.
	textY, textX = 12, 3
)

// flameWords are what a drawing says of itself.
type flameWords struct {
	// ID of the drawing in its page, Title for those who do not see it.
	ID, Title string
	// Unit of the counts, and Base, the name of what it is held against; empty where it is not.
	Unit, Base string
}

// SVG of the drawing, for a page that has the colours: frames are drawings of their own, placed in percent, so that a name keeps its size
// and is cut off where its frame ends, however wide the page. A frame's title tells all of it.
func (d flameDrawing) SVG(words flameWords) string {
	var out strings.Builder
	height := (d.Deepest + 1) * row
	fmt.Fprintf(&out, `<svg id="%s" class="frames" width="100%%" height="%d" role="img" aria-labelledby="%[1]s-t"><title id="%[1]s-t">%[3]s</title>`,
		html.EscapeString(words.ID), height, html.EscapeString(words.Title))
	for i := range d.Frames {
		d.Frames[i].write(&out, d.Deepest, words)
	}
	out.WriteString("</svg>")
	return out.String()
}

func (f *flameFrame) write(out *strings.Builder, deepest int, words flameWords) {
	name := html.EscapeString(f.Name)
	fmt.Fprintf(out, `<svg class="k%d%s" x="%s" y="%d" width="%s" height="%d"><title>%s`,
		f.Kind, f.change(), percent(f.Left), (deepest-f.Depth)*row, percent(f.Share), row-gap, name)
	out.WriteString(html.EscapeString(f.says(words)))
	out.WriteString(`</title><rect width="100%" height="100%"/>`)
	if f.Share >= lettered {
		fmt.Fprintf(out, `<text x="%d" y="%d">%s</text>`, textX, textY, html.EscapeString(frameLabel(f.Name, f.Kind)))
	}
	out.WriteString("</svg>")
}

// frameLabel is the short name of a Java frame: class and method, without the package, which its title has.
func frameLabel(name string, kind frameKind) string {
	if kind == javaFrame {
		return name[strings.LastIndexByte(name, '/')+1:]
	}
	return name
}

// says what follows the frame's name: its share and its count, and how it differs.
func (f *flameFrame) says(words flameWords) string {
	said := fmt.Sprintf(" — %s, %s", textfmt.Percent(f.Share, 2), amount(float64(f.Value), words.Unit))
	if math.IsNaN(f.Base) {
		return said
	}
	return said + fmt.Sprintf("; %s %s, %+.2f points", words.Base, textfmt.Percent(f.Base, 2), 100*(f.Share-f.Base))
}

// changeSteps of a difference, in shares of the whole, from which on it has a stronger colour.
var changeSteps = []float64{0.001, 0.005, 0.02, 0.05}

// change is the class of a difference: more or less of it, in four strengths; none where it is as good as equal, or held against nothing.
func (f *flameFrame) change() string {
	if math.IsNaN(f.Base) {
		return ""
	}
	difference, strength := f.Share-f.Base, 0
	for _, step := range changeSteps {
		if math.Abs(difference) >= step {
			strength++
		}
	}
	switch {
	case strength == 0:
		return ""
	case difference > 0:
		return " more" + strconv.Itoa(strength)
	}
	return " less" + strconv.Itoa(strength)
}

// percent of the width; a thousandth of it is finer than any screen.
func percent(share float64) string {
	text := strconv.FormatFloat(100*share, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + "%"
}

// amount of a unit that a profile counts in, for people.
func amount(value float64, unit string) string {
	scaled := func(v float64, per float64, names ...string) string {
		at := 0
		for ; v >= per && at < len(names)-1; at++ {
			v /= per
		}
		return threeDigits(v) + " " + names[at]
	}
	switch unit {
	case "ns":
		return scaled(value, 1000, "ns", "µs", "ms", "s")
	case "bytes":
		return scaled(value, 1024, "bytes", "KiB", "MiB", "GiB", "TiB")
	}
	return threeDigits(value) + " " + unit
}

// threeDigits are all that a sampled figure can be relied on for.
func threeDigits(v float64) string {
	places := 2
	switch {
	case v >= 100 || v == math.Trunc(v):
		places = 0
	case v >= 10:
		places = 1
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}
