package v1beta1

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Loads name the kinds in Java, the CRD lists them, and docs/reference/load-contract.md explains them.
func TestKindsOfErrorsAreTheSameWhereverTheyAreNamed(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(text)
	}
	all := func(pattern, text string) []string {
		var found []string
		for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			found = append(found, strings.ReplaceAll(strings.ToLower(match[1]), "_", "-"))
		}
		return found
	}
	var kinds []string
	for _, kind := range ErrorKinds() {
		kinds = append(kinds, string(kind))
	}
	assert.IsIncreasing(t, kinds)
	assert.ElementsMatch(t, kinds, all(`(?m)^  ([A-Z_]+)[,;]$`, read("../../../images/load-kit/src/main/java/dev/ringside/load/ErrorKind.java")))
	assert.ElementsMatch(t, kinds, all("(?m)^\\| `error\\.([a-z-]+)` \\|", read("../../../docs/reference/load-contract.md")))
	listed := regexp.MustCompile(`ErrorKind is (?:.*\n)*?//.*Enum=(.*)`).FindStringSubmatch(read("errorkind_types.go"))
	require.NotNil(t, listed)
	assert.Equal(t, kinds, strings.Split(listed[1], ";"))
}

func TestErrorsAreAddedUpByKind(t *testing.T) {
	one := []ErrorCount{{ErrorRefused, 3}, {ErrorTimedOut, 12}}
	other := []ErrorCount{{ErrorBroken, 1}, {ErrorTimedOut, 5}}
	assert.Equal(t, []ErrorCount{{ErrorBroken, 1}, {ErrorRefused, 3}, {ErrorTimedOut, 17}}, AddErrors(one, other, nil))
	assert.Equal(t, []ErrorCount{{ErrorRefused, 3}, {ErrorTimedOut, 12}}, one)
}
