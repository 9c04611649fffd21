//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/websocket"
)

// browser is a page of a headless Chromium, driven by the DevTools protocol.
type browser struct {
	page *websocket.Conn
	sent int
}

// openBrowser starts Chromium with a window so tall that a whole dashboard is in view: Grafana draws no panel that is not.
func openBrowser(ctx context.Context, t *testing.T) *browser {
	t.Helper()
	profile := t.TempDir()
	chromium := exec.CommandContext(ctx, "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1600,4800",
		"--user-data-dir="+profile, "--remote-debugging-port=0", "--remote-allow-origins=http://127.0.0.1", "--disable-background-networking", "--disable-component-update", "--no-first-run", "about:blank")
	require.NoError(t, chromium.Start(), "start a browser; make browser installs one")
	t.Cleanup(func() {
		_ = chromium.Process.Kill()
		_ = chromium.Wait()
	})
	var port string
	require.Eventually(t, func() bool {
		content, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		port, _, _ = strings.Cut(string(content), "\n")
		return port != ""
	}, time.Minute, 100*time.Millisecond, "Chromium opens a port")
	response, err := http.Get("http://127.0.0.1:" + port + "/json")
	require.NoError(t, err)
	defer response.Body.Close()
	var pages []struct {
		Type    string
		Address string `json:"webSocketDebuggerUrl"`
	}
	require.NoError(t, json.NewDecoder(response.Body).Decode(&pages))
	for _, page := range pages {
		if page.Type == "page" {
			connection, err := websocket.Dial(page.Address, "", "http://127.0.0.1")
			require.NoError(t, err)
			t.Cleanup(func() { _ = connection.Close() })
			return &browser{page: connection}
		}
	}
	require.FailNow(t, "Chromium has no page")
	return nil
}

// call calls a method of the protocol and reads its result.
func (b *browser) call(method string, parameters, result any) error {
	b.sent++
	if err := websocket.JSON.Send(b.page, map[string]any{"id": b.sent, "method": method, "params": parameters}); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	for {
		var answer struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := websocket.JSON.Receive(b.page, &answer); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case answer.ID != b.sent: // an event, or a late answer
		case answer.Error != nil:
			return fmt.Errorf("%s: %s", method, answer.Error.Message)
		case result == nil:
			return nil
		default:
			return json.Unmarshal(answer.Result, result)
		}
	}
}

// evaluate reads the value of a JavaScript expression in the page.
func (b *browser) evaluate(expression string, value any) error {
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct{ Text string }
	}
	if err := b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &answer); err != nil {
		return err
	}
	if answer.ExceptionDetails != nil {
		return fmt.Errorf("evaluate in the page: %s", answer.ExceptionDetails.Text)
	}
	return json.Unmarshal(answer.Result.Value, value)
}

// screenshot writes what the page shows to a PNG file.
func (b *browser) screenshot(file string) error {
	var picture struct{ Data []byte }
	if err := b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &picture); err != nil {
		return err
	}
	return os.WriteFile(file, picture.Data, 0o600)
}
