package sbom

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var commit = time.Date(2026, 11, 25, 21, 0, 0, 0, time.FixedZone("", 3600))

func bill(serial, timestamp, component string) []byte {
	return fmt.Appendf(nil, `{"bomFormat": "CycloneDX", "serialNumber": %q, "metadata": {"timestamp": %q, "tools": {}}, "components": [{"name": %q}]}`, serial, timestamp, component)
}

func TestTwoBillsOfTheSameContentAreEqual(t *testing.T) {
	first, err := Fix(bill("urn:uuid:1", "2026-01-01T00:00:00Z", "<a>"), commit)
	require.NoError(t, err)
	second, err := Fix(bill("urn:uuid:2", "2027-01-01T00:00:00Z", "<a>"), commit)
	require.NoError(t, err)
	assert.Equal(t, string(first), string(second))
	var read struct {
		SerialNumber string
		Metadata     map[string]any
		Components   []struct{ Name string }
	}
	require.NoError(t, json.Unmarshal(first, &read))
	assert.Regexp(t, `^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, read.SerialNumber)
	assert.Equal(t, map[string]any{"timestamp": "2026-11-25T20:00:00Z", "tools": map[string]any{}}, read.Metadata)
	assert.Equal(t, "<a>", read.Components[0].Name)
}

func TestBillsOfOtherContentHaveOtherNumbers(t *testing.T) {
	first, err := Fix(bill("urn:uuid:1", "2026-01-01T00:00:00Z", "a"), commit)
	require.NoError(t, err)
	second, err := Fix(bill("urn:uuid:1", "2026-01-01T00:00:00Z", "b"), commit)
	require.NoError(t, err)
	number := func(text []byte) string {
		var read struct{ SerialNumber string }
		require.NoError(t, json.Unmarshal(text, &read))
		return read.SerialNumber
	}
	assert.NotEqual(t, number(first), number(second))
}

func TestRejectsWhatIsNoBillOfMaterials(t *testing.T) {
	for _, text := range []string{``, `[]`, `{}`, `{"bomFormat": "SPDX", "metadata": {}}`, `{"bomFormat": "CycloneDX"}`} {
		_, err := Fix([]byte(text), commit)
		assert.Error(t, err, text)
	}
}
