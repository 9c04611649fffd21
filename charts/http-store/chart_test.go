package httpstore_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/charts/internal/charttest"
)

var store = charttest.Store{Name: "http-store", TestPod: "write-read", FirstPort: 8080}

func TestKeepsTheContractOfStores(t *testing.T) { store.HoldToContract(t) }

func TestRefusesValuesThatMakeNoSense(t *testing.T) {
	charttest.Refuses(t, ".", map[string]struct{ Values, Says string }{
		"no worker":                   {`workers: 0`, "minimum"},
		"no room to wait":             {`queue: 0`, "minimum"},
		"a flush of nothing":          {`rocksdb: {memtableMiB: 0}`, "minimum"},
		"no block cache":              {`rocksdb: {blockCacheMiB: 0}`, "minimum"},
		"a sync nobody knows":         {`sync: sometimes`, "value must be one of 'always'"},
		"a value of another store":    {`replicationFactor: 3`, "additional properties 'replicationFactor' not allowed"},
		"an instance of no type":      {`server: {instances: [{name: netty-2}]}`, "does not match pattern"},
		"an instance without workers": {`server: {instances: [{name: inline-2, options: {workers: "0"}}]}`, "does not match pattern"},
		"an option nobody knows":      {`server: {instances: [{name: inline-2, options: {color: red}}]}`, "additional properties 'color' not allowed"},
		"one name for two servers":    {`server: {instances: [{name: inline-2}, {name: inline-2, options: {workers: "3"}}]}`, " names a server twice; give each server its own name"},
		"a misspelt value":            {`rocksdb: {blooms: true}`, "additional properties 'blooms' not allowed"},
	})
}

func TestHostsFurtherServersOfATypeWithOptionsOfTheirOwn(t *testing.T) {
	objects := charttest.MustRender(t, ".", `server: {types: [arrayqueue], instances: [{name: arrayqueue-256, options: {workers: "256"}}, {name: inline-again}]}`)
	store.HostsServers(t, objects, "arrayqueue", "arrayqueue-256", "inline-again")
	env := charttest.Environment(charttest.StatefulSet(t, objects).Spec.Template.Spec.Containers[0])
	assert.Equal(t, "256", env["RINGSIDE_ARRAYQUEUE_256_WORKERS"])
	assert.Equal(t, "16", env["RINGSIDE_WORKERS"])
}

func TestTellsTheStoreHowToServeAndToKeep(t *testing.T) {
	objects := charttest.MustRender(t, ".", `{workers: 256, queue: 1048576, selectors: 4, sync: always, rocksdb: {memtableMiB: 64, blockCacheMiB: 1048576, bloom: true, compaction: false}}`)
	env := charttest.Environment(charttest.StatefulSet(t, objects).Spec.Template.Spec.Containers[0])
	for name, value := range map[string]string{
		"WORKERS": "256", "QUEUE": "1048576", "SELECTORS": "4", "SYNC": "always", "SYNC_MS": "100", "MEMTABLE_MIB": "64",
		"BLOCK_CACHE_MIB": "1048576", "BLOOM": "true", "COMPACTION": "false",
	} {
		assert.Equal(t, value, env["RINGSIDE_"+name], name)
	}
}
