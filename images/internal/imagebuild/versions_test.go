package imagebuild

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Cassandra's jars are fetched by a POM of their own. What its plugin is compiled against must be what runs with it.
func TestCassandraBringsTheProfilerThatItsPluginWasBuiltWith(t *testing.T) {
	version := func(file, pattern string) string {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		require.Len(t, found, 2, file)
		return string(found[1])
	}
	assert.Equal(t, version("../../pom.xml", `<async-profiler.version>(.+)</async-profiler.version>`),
		version("../../cassandra/pom.xml", `<artifactId>async-profiler</artifactId>\s*<version>(.+)</version>`))
}
