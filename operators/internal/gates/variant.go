package gates

import (
	"fmt"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Variant holds the store's own word, and what the nodes ran, against what was asked for and what was built: the servers, their
// classes and ports, the settings, one build on all pods.
func Variant(e Evidence) []string {
	var reasons []string
	proved := map[string]v1alpha1.Proof{}
	for _, proof := range e.Proofs {
		proved[proof.Pod] = proof
	}
	var first *v1alpha1.Proof
	judged := map[string]bool{}
	for _, pod := range e.StorePods {
		proof, ok := proved[pod]
		switch {
		case !ok:
			reasons = append(reasons, fmt.Sprintf("variant: store pod %s logged no proof for server %s", pod, e.Spec.HostedAs()))
			continue
		case proof.Server != e.Spec.HostedAs():
			reasons = append(reasons, fmt.Sprintf("variant: store pod %s proves server %s, not %s", pod, proof.Server, e.Spec.HostedAs()))
		case e.ExpectedClass != "" && proof.Class != e.ExpectedClass:
			reasons = append(reasons, fmt.Sprintf("variant: store pod %s runs %s, where %s was expected", pod, proof.Class, e.ExpectedClass))
		case proof.Port != 0 && len(e.Ports) > 0 && !slices.Contains(e.Ports, proof.Port):
			reasons = append(reasons, fmt.Sprintf("variant: server %s of pod %s listens on port %d, the load went to %v", proof.Server, pod, proof.Port, e.Ports))
		}
		reasons = append(reasons, storeBuild(e.StoreBuilt, proof)...)
		if !judged[proof.SettingsSHA256] { // pods that run alike lack the same
			judged[proof.SettingsSHA256] = true
			reasons = append(reasons, notArrived(e.Asked, proof)...)
		}
		if first == nil {
			first = &proof
		} else if proof.Class != first.Class || proof.PluginSHA256 != first.PluginSHA256 || proof.ImageDigest != first.ImageDigest {
			reasons = append(reasons, fmt.Sprintf("variant: store pods %s and %s do not run the same build", first.Pod, pod))
		}
	}
	if len(e.StorePods) == 0 {
		reasons = append(reasons, "variant: no store pod proved what it runs")
	}
	return reasons
}

// storeBuild holds what a store pod ran against what was built. What was not told is not compared; what was told and did not
// show itself counts as something else.
func storeBuild(built *v1alpha1.Build, proof v1alpha1.Proof) []string {
	if built == nil {
		return nil
	}
	var reasons []string
	if len(built.ImageDigests) > 0 && !slices.ContainsFunc(built.ImageDigests, same(proof.ImageDigest)) {
		reasons = append(reasons, fmt.Sprintf("variant: store pod %s runs image %s, built was %s", proof.Pod, orNone(proof.ImageDigest), strings.Join(built.ImageDigests, " or ")))
	}
	if built.PluginSHA256 != "" && !same(proof.PluginSHA256)(built.PluginSHA256) {
		reasons = append(reasons, fmt.Sprintf("variant: store pod %s runs plugin %s, built was %s", proof.Pod, orNone(proof.PluginSHA256), built.PluginSHA256))
	}
	return reasons
}

// loadBuild does the same for the load's image, which all load pods must share.
func loadBuild(load *v1alpha1.LoadImage) []string {
	if load == nil {
		return nil
	}
	var reasons []string
	if len(load.Digests) > 1 {
		reasons = append(reasons, "variant: load pods ran different images under "+load.Reference+": "+strings.Join(load.Digests, ", "))
	}
	if load.Built == nil || len(load.Built.ImageDigests) == 0 {
		return reasons
	}
	if len(load.Digests) == 0 {
		reasons = append(reasons, fmt.Sprintf("variant: no node told which image %s it ran", load.Reference))
	}
	for _, ran := range load.Digests {
		if !slices.ContainsFunc(load.Built.ImageDigests, same(ran)) {
			reasons = append(reasons, fmt.Sprintf("variant: the load ran image %s, built was %s", ran, strings.Join(load.Built.ImageDigests, " or ")))
		}
	}
	return reasons
}

// same compares digests whether or not they name their algorithm.
func same(digest string) func(string) bool {
	const algorithm = "sha256:"
	return func(other string) bool {
		return strings.EqualFold(strings.TrimPrefix(digest, algorithm), strings.TrimPrefix(other, algorithm))
	}
}

func orNone(digest string) string {
	if digest == "" {
		return "without a digest"
	}
	return digest
}
