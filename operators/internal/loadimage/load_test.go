package loadimage

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const toy = `{
  "type": "object", "additionalProperties": false,
  "properties": {
    "operation": {"enum": ["read", "write"]},
    "interleave": {"enum": ["windows"]},
    "parameters": {
      "type": "object", "additionalProperties": false,
      "ordered": [["least", "most"]],
      "properties": {
        "share": {"type": "number", "minimum": 0, "maximum": 1},
        "least": {"type": "integer", "minimum": 1},
        "most": {"type": "integer", "maximum": 100},
        "mode": {"enum": ["fast", "slow"]},
        "heap": {"type": "string", "pattern": "^[0-9]+m$", "examples": ["64m"]}
      }
    }
  }
}`

func TestSaysWhatALoadRefusesAndWhatItTakes(t *testing.T) {
	for name, test := range map[string]struct {
		asked Orders
		want  []Refusal
	}{
		"all of it": {asked: Orders{Operation: "read", Interleave: "windows",
			Parameters: map[string]string{"share": "0.965", "least": "1", "most": " 100 ", "mode": "slow", "heap": "64m"}}},
		"nothing but the operation":        {asked: Orders{Operation: "write"}},
		"a blank, which is not said":       {asked: Orders{Operation: "write", Parameters: map[string]string{"share": " "}}},
		"another spelling of one variable": {asked: Orders{Operation: "read", Parameters: map[string]string{"SHARE": "1"}}},
		"an operation that it lacks":       {Orders{Operation: "scan"}, []Refusal{{What: `load toy has no operation "scan"`, Fix: "choose from read, write"}}},
		"what it cannot do": {Orders{Operation: "read", Consistency: "QUORUM", Connections: 8, Capacity: "99"}, []Refusal{
			{What: "load toy does not support capacity", Fix: "remove it, or choose another load"},
			{What: "load toy does not support connections", Fix: "remove it, or choose another load"},
			{What: "load toy does not support consistency", Fix: "remove it, or choose another load"}}},
		"a search by the queue": {Orders{Operation: "read", Queue: true}, []Refusal{{What: "load toy does not support queue", Fix: "remove it, or choose another load"}}},
		"a mode that it lacks":  {Orders{Operation: "read", Interleave: "duet"}, []Refusal{{What: `load toy has no interleave "duet"`, Fix: "choose from windows"}}},
		"a parameter that it lacks": {Orders{Operation: "read", Parameters: map[string]string{"shear": "1"}}, []Refusal{
			{What: "load toy has no parameter shear", Fix: "choose from heap, least, mode, most, share", Parameter: "shear"}}},
		"too much": {Orders{Operation: "read", Parameters: map[string]string{"share": "1.5"}}, []Refusal{
			{What: `load toy does not accept share "1.5"`, Fix: "use a number from 0 to 1", Parameter: "share"}}},
		"too little": {Orders{Operation: "read", Parameters: map[string]string{"least": "0"}}, []Refusal{
			{What: `load toy does not accept least "0"`, Fix: "use a whole number from 1 on", Parameter: "least"}}},
		"no whole number": {Orders{Operation: "read", Parameters: map[string]string{"most": "1e1"}}, []Refusal{
			{What: `load toy does not accept most "1e1"`, Fix: "use a whole number up to 100", Parameter: "most"}}},
		"no number": {Orders{Operation: "read", Parameters: map[string]string{"share": "NaN"}}, []Refusal{
			{What: `load toy does not accept share "NaN"`, Fix: "use a number from 0 to 1", Parameter: "share"}}},
		"none of those known": {Orders{Operation: "read", Parameters: map[string]string{"mode": "fats"}}, []Refusal{
			{What: `load toy does not accept mode "fats"`, Fix: "choose from fast, slow", Parameter: "mode"}}},
		"text of another form": {Orders{Operation: "read", Parameters: map[string]string{"heap": "much"}}, []Refusal{
			{What: `load toy does not accept heap "much"`, Fix: "use text as in 64m", Parameter: "heap"}}},
		"the larger one first": {Orders{Operation: "read", Parameters: map[string]string{"least": "50", "most": "40"}}, []Refusal{
			{What: "load toy does not accept least 50 with most 40", Fix: "swap them"}}},
		"several at once": {Orders{Operation: "red", Parameters: map[string]string{"share": "2", "mode": "fats"}}, []Refusal{
			{What: `load toy does not accept mode "fats"`, Fix: "choose from fast, slow", Parameter: "mode"},
			{What: `load toy does not accept share "2"`, Fix: "use a number from 0 to 1", Parameter: "share"},
			{What: `load toy has no operation "red"`, Fix: "choose from read, write"}}},
	} {
		t.Run(name, func(t *testing.T) {
			load, err := newLoad("toy", []byte(toy))
			require.NoError(t, err)
			assert.Equal(t, test.want, load.Check(test.asked))
		})
	}
}

func TestASchemaThatSaysTooLittleIsRefused(t *testing.T) {
	for name, test := range map[string]struct{ text, says string }{
		"no JSON":   {"operation: read", "load toy cannot be used: its orders.schema.json is not valid JSON: "},
		"no schema": {`{"type": "thing"}`, "load toy cannot be used: its orders.schema.json is not a valid schema: "},
		"no bounds": {`{"properties": {"operation": {}, "parameters": {}}}`, "load toy cannot be used: its orders.schema.json must have operation and parameters, and allow nothing else"},
		"open parameters": {`{"additionalProperties": false, "properties": {"operation": {}, "parameters": {}}}`,
			"load toy cannot be used: its orders.schema.json must have operation and parameters, and allow nothing else"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newLoad("toy", []byte(test.text))
			assert.ErrorContains(t, err, test.says)
		})
	}
}

func TestALoadIsAnImageThatSaysWhatItTakes(t *testing.T) {
	images := t.TempDir()
	assert.False(t, NewCatalogue(images).AtHand())
	for name, text := range map[string]string{"toy/orders.schema.json": toy, "store/image.yaml": "entrypoint: [/store]"} {
		require.NoError(t, os.MkdirAll(filepath.Join(images, filepath.Dir(name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(images, name), []byte(text), 0o600))
	}
	catalogue := NewCatalogue(images)
	assert.True(t, catalogue.AtHand())
	load, err := catalogue.Open("toy")
	require.NoError(t, err)
	assert.Equal(t, []string{"heap", "least", "mode", "most", "share"}, load.Parameters())
	_, err = catalogue.Open("store")
	assert.EqualError(t, err, `unknown load "store": choose from toy`)
	load, err = catalogue.Open("registry.example/team/load:1")
	require.NoError(t, err)
	assert.Nil(t, load, "of an image that others made nothing is known")
}
