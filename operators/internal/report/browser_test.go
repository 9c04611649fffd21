//go:build e2e

package report

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/history/planted"
)

// browser returns the path of Chromium.
func browser(t *testing.T) string {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	require.NoError(t, err, "find a browser; run make test-e2e, which installs one")
	return chromium
}

// browse runs Chromium without a window, and returns what it printed.
func browse(t *testing.T, chromium, address string, flags ...string) (printed, said string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr", "--user-data-dir=" + t.TempDir(),
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
	}, flags...)
	var out, log strings.Builder
	cmd := exec.CommandContext(ctx, chromium, append(args, address)...)
	cmd.Stdout, cmd.Stderr = &out, &log
	require.NoError(t, cmd.Run(), "%s", log.String())
	return out.String(), log.String()
}

// reports of all kinds, and fewWide of those that have the widest tables and the longest answers: a browser takes seconds for each.
func reports(t *testing.T) map[string]archive.Folder {
	t.Helper()
	return map[string]archive.Folder{"dedicated": dedicated(t, nil), "paired": paired(t), "single": single(t), "sweep": bySweep(t), "profiled": profiled(t, nil),
		"faults": faulted(t, 5, "hsha", "disruptor", "xedin"), "faults-many": faulted(t, 5, "hsha", "hsha-again", "disruptor", "xedin", "threadpool")}
}

func fewWide(t *testing.T) map[string]archive.Folder {
	t.Helper()
	return map[string]archive.Folder{"paired": paired(t), "single": single(t), "profiled": profiled(t, nil), "faults-many": faulted(t, 5, "hsha", "hsha-again", "disruptor", "xedin", "threadpool")}
}

// TestInBrowserEveryReportIsDrawn draws the reports as a browser does. KEEP_SCREENSHOTS names a folder to look at them afterwards.
func TestInBrowserEveryReportIsDrawn(t *testing.T) {
	chromium := browser(t)
	keep := os.Getenv("KEEP_SCREENSHOTS")
	if keep == "" {
		keep = t.TempDir()
	}
	for name, folder := range reports(t) {
		text, page := render(t, folder)
		file := filepath.Join(keep, name+".html")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		views := map[string]string{"desktop": file, "dark": file}
		if page.Answer.Forest != nil {
			views["forest"] = filepath.Join(keep, name+".svg")
			var drawn strings.Builder
			require.NoError(t, WriteForest(&drawn, page))
			require.NoError(t, os.WriteFile(views["forest"], []byte(drawn.String()), 0o600))
		}
		for view, shown := range views {
			picture := filepath.Join(keep, name+"-"+view+".png")
			flags := []string{"--screenshot=" + picture, "--window-size=1280,4800"}
			if view == "dark" {
				flags = append(flags, "--force-dark-mode", "--enable-features=WebContentsForceDark:inversion_method/0", "--blink-settings=preferredColorScheme=0")
			}
			_, said := browse(t, chromium, "file://"+shown, flags...)
			assert.NotContains(t, said, ":CONSOLE", "nothing on the console")
			info, err := os.Stat(picture)
			require.NoError(t, err)
			assert.Greater(t, info.Size(), int64(20_000), "a picture with something in it")
		}
	}
}

// measures is a page that frames a report at a size and writes down how it is laid out there. Chromium's own window is never narrower than
// 500 pixels.
const measures = `<!DOCTYPE html><body style="margin:0"><iframe src="%s" style="border:0" width="%d" height="%d"></iframe><pre id="found"></pre><script>
onload = () => {
  const page = document.querySelector('iframe').contentDocument, wide = page.documentElement.clientWidth;
  const beyond = [...page.querySelectorAll('main *')].filter(e => {
    const box = e.getBoundingClientRect();
    return box.width && box.right > wide + 1 && !e.closest('.wide, svg, .drawing, pre') && getComputedStyle(e).visibility != 'hidden';
  }).map(e => e.tagName + '.' + e.className + ' ' + e.textContent.slice(0, 40));
  const cut = [...page.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.trim().slice(0, 40));
  const first = page.querySelector('#answer li, #answer p');
  document.querySelector('#found').textContent = JSON.stringify({
    scroll: page.documentElement.scrollWidth, heading: page.querySelector('h1').getBoundingClientRect().bottom,
    answer: first ? first.getBoundingClientRect().bottom : -1, beyond: beyond.slice(0, 5), cut: cut,
  });
};
</script></body>`

type layout struct {
	Scroll, Heading, Answer float64
	// Beyond are elements that reach beyond the page, Cut are tables that reach beyond their box.
	Beyond, Cut []string
}

var found = regexp.MustCompile(`(?s)<pre id="found">(.*?)</pre>`)

// laidOut is how a report is laid out at a size.
func laidOut(t *testing.T, chromium, text string, width, height int) layout {
	t.Helper()
	pages := http.NewServeMux()
	pages.HandleFunc("/report", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) })
	pages.HandleFunc("/measures", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, measures, "/report", width, height) })
	server := httptest.NewServer(pages)
	defer server.Close()
	printed, said := browse(t, chromium, server.URL+"/measures", "--dump-dom", "--window-size=1400,1200")
	match := found.FindStringSubmatch(printed)
	require.NotNil(t, match, "%s", said)
	var l layout
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(match[1])), &l), "%s\n%s", match[1], said)
	return l
}

func TestInBrowserTheAnswerIsSeenWithoutScrolling(t *testing.T) {
	chromium := browser(t)
	for name, folder := range fewWide(t) {
		text, _ := render(t, folder)
		phone := laidOut(t, chromium, text, 390, 844)
		assert.LessOrEqual(t, phone.Scroll, 390.0, "%s scrolls sideways on a phone: %q", name, phone.Beyond)
		assert.Empty(t, phone.Beyond, name)
		desk := laidOut(t, chromium, text, 1280, 800)
		assert.Less(t, desk.Heading, 800.0, name)
		assert.Less(t, desk.Answer, 800.0, "%s: the first sentence is on the first screen", name)
		assert.Positive(t, desk.Answer, name)
		assert.LessOrEqual(t, desk.Scroll, 1280.0, name)
	}
}

// TestInBrowserAHistoryIsDrawnAndFitsAPhone draws a history as a browser does, and measures its layout.
func TestInBrowserAHistoryIsDrawnAndFitsAPhone(t *testing.T) {
	chromium := browser(t)
	text := historyText(t, historyOf(t, planted.Plan{Runs: 30, Seed: 1, Slow: 17, Share: 0.05}))
	keep := cmp.Or(os.Getenv("KEEP_SCREENSHOTS"), t.TempDir())
	file := filepath.Join(keep, "history.html")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	picture := filepath.Join(keep, "history.png")
	_, said := browse(t, chromium, "file://"+file, "--screenshot="+picture, "--window-size=1280,1200")
	assert.NotContains(t, said, ":CONSOLE", "nothing on the console")
	info, err := os.Stat(picture)
	require.NoError(t, err)
	assert.Greater(t, info.Size(), int64(20_000), "a picture with something in it")
	for _, width := range []int{390, 1280} {
		shown := laidOut(t, chromium, text, width, 800)
		assert.LessOrEqual(t, shown.Scroll, float64(width), "%q", shown.Beyond)
		assert.Empty(t, shown.Beyond)
		assert.Less(t, shown.Answer, 800.0)
		assert.Positive(t, shown.Answer)
	}
}

// screens are the rules for screens, and for narrow ones.
var screens = regexp.MustCompile(`@media (screen|\(max-width)[^{]*`)

// asPrinted makes a report look on a screen as it does on paper: Chromium has no flag for that.
func asPrinted(text string) string {
	return strings.ReplaceAll(screens.ReplaceAllString(text, "@media not all "), "@media print", "@media all")
}

func TestInBrowserNothingIsCutOffOnPaper(t *testing.T) {
	chromium := browser(t)
	const paper = 703 // pixels between the margins of A4
	for name, folder := range fewWide(t) {
		text, _ := render(t, folder)
		printed := laidOut(t, chromium, asPrinted(text), paper, 1000)
		assert.LessOrEqual(t, printed.Scroll, float64(paper), "%s: %q", name, printed.Beyond)
		assert.Empty(t, printed.Beyond, name)
		assert.Empty(t, printed.Cut, "%s: tables that are wider than the paper", name)
		file := filepath.Join(t.TempDir(), "report.html")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		document := filepath.Join(t.TempDir(), "report.pdf")
		if keep := os.Getenv("KEEP_SCREENSHOTS"); keep != "" {
			document = filepath.Join(keep, name+".pdf")
		}
		browse(t, chromium, "file://"+file, "--print-to-pdf="+document, "--no-pdf-header-footer")
		pdf, err := os.ReadFile(document)
		require.NoError(t, err)
		assert.Regexp(t, `/MediaBox\s*\[0 0 59[45]\.?\d* 84[12]\.?\d*\]`, string(pdf), "%s is on A4", name)
	}
}
