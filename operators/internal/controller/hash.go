package controller

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// specHash is a digest of all that fixes a run: the spec apart from suspend.
func specHash(spec v1alpha1.ExperimentSpec) (string, error) {
	spec.Suspend = false
	text, err := json.Marshal(spec)
	if err != nil {
		return "", fmt.Errorf("digest the spec: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
