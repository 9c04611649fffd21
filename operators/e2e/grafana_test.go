//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/dashboards/tags"
)

// requireDashboardsShow opens every dashboard of the run's store in a Grafana that is provisioned by the chart: every panel draws data, or says
// why it has none. GRAFANA_HOME names the folder of a Grafana, and KEEP_SCREENSHOTS one to look at the pages afterwards.
func requireDashboardsShow(ctx context.Context, t *testing.T, store, experiment string, run run) {
	t.Helper()
	t.Run("dashboards in Grafana", func(t *testing.T) {
		home := os.Getenv("GRAFANA_HOME")
		if home == "" {
			t.Skip("left out: GRAFANA_HOME does not name the folder of a Grafana")
		}
		address := startGrafana(ctx, t, home, forwardPrometheus(ctx, t))
		browser := openBrowser(ctx, t)
		for _, d := range dashboardsOf(t, store) {
			page := fmt.Sprintf("%s/d/%s?from=now-1h&to=now&var-experiment=%s&var-run=%s", address, d.UID, experiment, run.id)
			require.NoError(t, browser.call("Page.navigate", map[string]any{"url": page}, nil))
			shown := browser.awaitPanels(t, len(d.Panels)-d.rows())
			if keep := os.Getenv("KEEP_SCREENSHOTS"); keep != "" {
				require.NoError(t, browser.screenshot(filepath.Join(keep, store+"-"+d.UID+".png")))
			}
			drawn := 0
			for _, panel := range shown {
				if panel.Drawn {
					drawn++
					continue
				}
				assert.True(t, d.explains(panel.Text), "%s: %s draws nothing and does not say why: %q", d.Title, panel.Title, panel.Text)
			}
			t.Logf("%s: %d of %d panels drew data", d.Title, drawn, len(shown))
			assert.Positive(t, drawn, d.Title)
		}
	})
}

// startGrafana starts a Grafana with the settings and the provisioning of the chart, and returns its address.
func startGrafana(ctx context.Context, t *testing.T, home, prometheus string) string {
	t.Helper()
	var deployment appsv1.Deployment
	var files corev1.ConfigMap
	for _, object := range strings.Split(house{ctx, t}.render("monitoring", "monitoring", "templates/grafana.yaml"), "\n---\n") {
		var kind struct{ Kind string }
		require.NoError(t, yaml.Unmarshal([]byte(object), &kind))
		switch kind.Kind {
		case "Deployment":
			require.NoError(t, yaml.Unmarshal([]byte(object), &deployment))
		case "ConfigMap":
			require.NoError(t, yaml.Unmarshal([]byte(object), &files))
		}
	}
	dashboards, err := filepath.Abs(filepath.Join(root, "charts/monitoring/dashboards"))
	require.NoError(t, err)
	here := strings.NewReplacer("http://monitoring-prometheus."+namespace+".svc:9090", prometheus, "/var/lib/ringside/dashboards", dashboards)
	folder := t.TempDir()
	for name, content := range files.Data {
		kind := strings.TrimSuffix(name, ".yaml")
		require.NoError(t, os.MkdirAll(filepath.Join(folder, "provisioning", kind), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "provisioning", kind, name), []byte(here.Replace(content)), 0o600))
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(free.Addr().String())
	require.NoError(t, err)
	require.NoError(t, free.Close())

	grafana := exec.CommandContext(ctx, filepath.Join(home, "bin/grafana"), "server", "--homepath", home)
	grafana.Env = append(os.Environ(), "GF_PATHS_DATA="+folder, "GF_PATHS_LOGS="+folder, "GF_PATHS_PLUGINS="+filepath.Join(folder, "plugins"),
		"GF_PATHS_PROVISIONING="+filepath.Join(folder, "provisioning"), "GF_SERVER_HTTP_ADDR=127.0.0.1", "GF_SERVER_HTTP_PORT="+port)
	for _, variable := range deployment.Spec.Template.Spec.Containers[0].Env {
		grafana.Env = append(grafana.Env, variable.Name+"="+here.Replace(variable.Value))
	}
	require.NoError(t, grafana.Start())
	t.Cleanup(func() {
		_ = grafana.Process.Kill()
		_ = grafana.Wait()
	})
	address := "http://127.0.0.1:" + port
	require.Eventually(t, func() bool {
		response, err := http.Get(address + "/api/health")
		if err != nil {
			return false
		}
		defer response.Body.Close()
		return response.StatusCode == http.StatusOK
	}, 3*time.Minute, time.Second, "Grafana answers")
	return address
}

// dashboard is what a test reads of a dashboard's JSON.
type dashboard struct {
	UID, Title string
	Tags       []string
	Panels     []struct {
		Type        string
		FieldConfig struct{ Defaults struct{ NoValue string } }
	}
}

func dashboardsOf(t *testing.T, store string) []dashboard {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "charts/monitoring/dashboards/*.json"))
	require.NoError(t, err)
	var all []dashboard
	for _, path := range paths {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		var d dashboard
		require.NoError(t, json.Unmarshal(content, &d))
		if tags.For(d.Tags, store) {
			all = append(all, d)
		}
	}
	require.NotEmpty(t, all)
	return all
}

func (d dashboard) rows() int {
	rows := 0
	for _, panel := range d.Panels {
		if panel.Type == "row" {
			rows++
		}
	}
	return rows
}

// explains reports whether a text has why a panel of the dashboard has no data.
func (d dashboard) explains(text string) bool {
	for _, panel := range d.Panels {
		if why := panel.FieldConfig.Defaults.NoValue; why != "" && strings.Contains(text, why) {
			return true
		}
	}
	return false
}

// shown is a panel in the browser.
type shown struct {
	Title, Text    string
	Loading, Drawn bool
}

// panels is JavaScript that reads the panels of a page. A graph is drawn if its canvas has coloured pixels: axes and grids are grey.
const panels = `[...document.querySelectorAll('section[data-testid^="data-testid Panel header"]')].map(panel => {
  const coloured = [...panel.querySelectorAll('canvas')].some(canvas => {
    if (!canvas.width || !canvas.height) return false;
    const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    for (let i = 0, found = 0; i < data.length; i += 4) {
      const spread = Math.max(data[i], data[i+1], data[i+2]) - Math.min(data[i], data[i+1], data[i+2]);
      if (data[i+3] > 100 && spread > 60 && ++found > 20) return true;
    }
    return false;
  });
  const title = panel.getAttribute('data-testid').replace('data-testid Panel header ', '');
  const text = panel.innerText.replace(title, '').trim();
  return {
    Title: title, Text: text, Loading: !!panel.querySelector('[aria-label="Panel loading bar"]'),
    Drawn: coloured || !panel.querySelector('canvas') && /\d/.test(text),
  };
})`

// awaitPanels waits until the page has at least this number of panels and none changes any more.
func (b *browser) awaitPanels(t *testing.T, least int) []shown {
	t.Helper()
	var now []shown
	before, same := "", 0
	require.Eventually(t, func() bool {
		if err := b.evaluate(panels, &now); err != nil {
			return false // the page is not there yet
		}
		state, busy := fmt.Sprint(len(now)), len(now) < least
		for _, panel := range now {
			busy = busy || panel.Loading || !panel.Drawn && panel.Text == ""
			state += fmt.Sprint(panel.Title, panel.Drawn)
		}
		if same++; busy || state != before {
			same = 0
		}
		before = state
		return same >= 3
	}, 3*time.Minute, time.Second, "the panels of the page are drawn")
	return now
}
