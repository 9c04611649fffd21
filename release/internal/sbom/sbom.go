// Package sbom makes bills of materials reproducible.
package sbom

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"
)

// Fix replaces what differs between two CycloneDX bills of materials of the same content: the time, by that of the commit, and the random serial
// number, by one that is derived from the rest.
func Fix(document []byte, at time.Time) ([]byte, error) {
	var bill map[string]json.RawMessage
	if err := json.Unmarshal(document, &bill); err != nil {
		return nil, fmt.Errorf("decode a bill of materials: %w", err)
	}
	if string(bill["bomFormat"]) != `"CycloneDX"` {
		return nil, fmt.Errorf("decode a bill of materials: bomFormat is %s; write it as CycloneDX JSON", bill["bomFormat"])
	}
	var metadata map[string]json.RawMessage
	if err := json.Unmarshal(bill["metadata"], &metadata); err != nil {
		return nil, fmt.Errorf("decode the metadata of a bill of materials: %w", err)
	}
	metadata["timestamp"] = quoted(at.UTC().Format(time.RFC3339))
	var err error
	if bill["metadata"], err = json.Marshal(metadata); err != nil {
		return nil, fmt.Errorf("encode a bill of materials: %w", err)
	}
	delete(bill, "serialNumber")
	rest, err := json.Marshal(bill)
	if err != nil {
		return nil, fmt.Errorf("encode a bill of materials: %w", err)
	}
	bill["serialNumber"] = quoted("urn:uuid:" + uuid(rest))
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(bill); err != nil {
		return nil, fmt.Errorf("encode a bill of materials: %w", err)
	}
	return out.Bytes(), nil
}

// uuid returns a UUID of version 8, whose bits are free, from the digest of a text.
func uuid(text []byte) string {
	digest := sha256.Sum256(text)
	digest[6] = digest[6]&0x0f | 0x80
	digest[8] = digest[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", digest[0:4], digest[4:6], digest[6:8], digest[8:10], digest[10:16])
}

func quoted(text string) json.RawMessage { return json.RawMessage(`"` + text + `"`) }
