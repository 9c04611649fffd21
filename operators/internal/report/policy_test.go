package report

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/profiles"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

var (
	policyElement = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)
	scriptElement = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

func TestABrowserMayRunOurScriptAndFetchNothing(t *testing.T) {
	text, _ := render(t, dedicated(t, nil))
	said := policyElement.FindStringSubmatch(text)
	require.NotNil(t, said)
	assert.Contains(t, said[1], "default-src 'none'")
	assert.Contains(t, said[1], "script-src 'none'")
	assert.Less(t, strings.Index(text, said[0]), strings.Index(text, "<style"), "before all that it rules")

	text, _ = render(t, profiled(t, nil))
	script := scriptElement.FindStringSubmatch(text)
	require.NotNil(t, script)
	sum := sha256.Sum256([]byte(script[1]))
	said = policyElement.FindStringSubmatch(text)
	require.NotNil(t, said)
	assert.Contains(t, said[1], "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
}

// A client that is sent a bundle opens what somebody else wrote.
func TestWhatARunSaysIsTextOnThePage(t *testing.T) {
	const hostile = `</script></style><img src=x onerror=alert(1)><script>alert("` + "`" + `")</script><a href="javascript:alert(1)">`
	folder := profiled(t, func(_ int, m *v1beta1.Measurement) {
		simulated.Invalidate(m, hostile)
		m.Status.Warnings = append(m.Status.Warnings, hostile)
	})
	run, err := archive.Read(folder.Path)
	require.NoError(t, err)
	run.Experiment.Spec.Description = hostile
	run.Notes = append(run.Notes, hostile)
	for i := range run.Rows {
		run.Rows[i].Server += hostile
	}
	for name := range run.Profiles {
		run.Profiles[name] = profiles.Stacks{hostile + ";" + hostile: 100}
	}
	var out strings.Builder
	require.NoError(t, Write(&out, Build(run)))
	require.Contains(t, out.String(), "alert(1)", "it is told")
	document, err := html.Parse(strings.NewReader(out.String()))
	require.NoError(t, err)
	scripts := 0
	for node := range document.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		assert.NotEqual(t, "img", node.Data)
		if node.Data == "script" {
			scripts++
		}
		for _, attribute := range node.Attr {
			assert.False(t, strings.HasPrefix(attribute.Key, "on"), "<%s %s=%q>", node.Data, attribute.Key, attribute.Val)
			assert.False(t, strings.HasPrefix(attribute.Val, "javascript:"), "<%s %s=%q>", node.Data, attribute.Key, attribute.Val)
		}
	}
	assert.LessOrEqual(t, scripts, 1, "none but ours")
}
