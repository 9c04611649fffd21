package imagebuild

import (
	"crypto/sha256"
	"fmt"
)

// tagLength is the length of a digest in a tag. It is sufficient for the few hundred images of a name in a registry.
const tagLength = 16

// tagOf returns a digest of all inputs of an image: its description, and for each platform the digests of its base and of
// what is added.
func tagOf(inputs []string) string {
	sum := sha256.New()
	for _, input := range inputs {
		fmt.Fprintf(sum, "%q\n", input) // quoted, so that different lists have different digests
	}
	return fmt.Sprintf("%x", sum.Sum(nil))[:tagLength]
}
