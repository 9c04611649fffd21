package imagebuild

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A separate POM fetches Cassandra's jars. The plugin must run with the version that it was compiled with.
func TestCassandraBringsTheProfilerThatItsPluginWasBuiltWith(t *testing.T) {
	for _, image := range []string{"cassandra", "cassandra-cql"} {
		assert.Equal(t, version(t, "../../pom.xml", `<async-profiler.version>(.+)</async-profiler.version>`),
			version(t, "../../"+image+"/pom.xml", `<artifactId>async-profiler</artifactId>\s*<version>(.+)</version>`))
	}
}

// The broker also has the version of the clients in store and load.
func TestTheBrokerIsOfTheVersionOfItsClients(t *testing.T) {
	const property = `<kafka.version>(.+)</kafka.version>`
	assert.Equal(t, version(t, "../../pom.xml", property), version(t, "../../kafka/pom.xml", property))
}

// The load of the published comparison is older than the server that it drives, which readers must know.
func TestTheReadmeNamesTheCassandraStressThatIsStaged(t *testing.T) {
	assert.Equal(t, version(t, "../../stress/stage.sh", `archive=apache-cassandra-([\d.]+)-bin`),
		version(t, "../../../README.md", `cassandra-stress is ([\d.]+[\d])`))
}

func version(t *testing.T, file, pattern string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	found := regexp.MustCompile(pattern).FindSubmatch(text)
	require.Len(t, found, 2, file)
	return string(found[1])
}
