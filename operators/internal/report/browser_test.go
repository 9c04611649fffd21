package report

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/archive"
)

// TestRendersInChromium draws the reports as a browser does. KEEP_SCREENSHOTS names a folder to look at them afterwards.
func TestRendersInChromium(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("left out: there is no chromium here (apt-get install chromium)")
	}
	keep := os.Getenv("KEEP_SCREENSHOTS")
	if keep == "" {
		keep = t.TempDir()
	}
	for name, folder := range map[string]archive.Folder{"dedicated": dedicated(t, nil), "paired": paired(t), "sweep": bySweep(t), "profiled": profiled(t, nil),
		"faults": faulted(t, 5, "hsha", "disruptor", "xedin"), "faults-many": faulted(t, 5, "hsha", "hsha-again", "disruptor", "xedin", "threadpool")} {
		text, _ := render(t, folder)
		file := filepath.Join(keep, name+".html")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		for view, flags := range map[string][]string{
			"desktop": {"--window-size=1280,4800"},
			"dark":    {"--window-size=1280,4800", "--force-dark-mode", "--enable-features=WebContentsForceDark:inversion_method/0", "--blink-settings=preferredColorScheme=0"},
			"phone":   {"--window-size=500,9000"},
		} {
			picture := filepath.Join(keep, name+"-"+view+".png")
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			args := append([]string{
				"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr", "--user-data-dir=" + t.TempDir(),
				"--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--screenshot=" + picture,
			}, flags...)
			said, err := exec.CommandContext(ctx, chromium, append(args, "file://"+file)...).CombinedOutput()
			require.NoError(t, err, "%s", said)
			assert.NotContains(t, string(said), ":CONSOLE", "nothing on the console")
			info, err := os.Stat(picture)
			require.NoError(t, err)
			assert.Greater(t, info.Size(), int64(20_000), "a picture with something in it")
		}
	}
}
