package gates

import (
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Variant verifies the store's proofs, and what the nodes ran, against the experiment and the build: the servers, their classes and ports,
// the settings, and one build on all pods. A pod that the experiment had upgraded must prove what it became.
func Variant(e Evidence) Findings {
	var findings Findings
	proved := map[string]v1beta1.Proof{}
	for _, proof := range e.Proofs {
		proved[proof.Pod] = proof
	}
	var first *v1beta1.Proof
	type judgement struct {
		settings string
		upgraded bool
	}
	judged := map[judgement]bool{}
	for _, pod := range e.ServerPods {
		proof, ok := proved[pod]
		promise := e.promiseOf(pod)
		switch {
		case !ok:
			findings = append(findings, finding(v1beta1.GateProofMissing, "variant: store pod %s logged no proof for server %s", pod, e.Spec.HostedAs()))
			continue
		case proof.Server != e.Spec.HostedAs():
			findings = append(findings, finding(v1beta1.GateServerMismatch, "variant: store pod %s proves server %s, not %s", pod, proof.Server, e.Spec.HostedAs()))
		case promise.Class != "" && proof.Class != promise.Class:
			findings = append(findings, finding(v1beta1.GateClassMismatch, "variant: store pod %s runs %s, but %s was expected", pod, proof.Class, promise.Class))
		case proof.Port != 0 && len(e.Ports) > 0 && !slices.Contains(e.Ports, proof.Port):
			findings = append(findings, finding(v1beta1.GatePortMismatch, "variant: server %s of pod %s listens on port %d, but the load was sent to %v", proof.Server, pod, proof.Port, e.Ports))
		}
		findings = append(findings, storeBuild(e.StoreBuilt, proof)...)
		_, upgraded := e.Upgraded[pod]
		if like := (judgement{proof.SettingsSHA256, upgraded}); !judged[like] { // pods with the same settings lack the same ones
			judged[like] = true
			findings = append(findings, notArrived(promise.Asked, proof)...)
		}
		if first == nil {
			first = &proof
		} else if proof.Class != first.Class || proof.PluginSHA256 != first.PluginSHA256 || !sameImage(e.StoreBuilt, proof.ImageDigest, first.ImageDigest) {
			findings = append(findings, finding(v1beta1.GateBuildsDiffer, "variant: store pods %s and %s do not run the same build", first.Pod, pod))
		}
	}
	if len(e.ServerPods) == 0 {
		findings = append(findings, finding(v1beta1.GateProofMissing, "variant: no store pod logged a proof"))
	}
	return findings
}

// storeBuild compares what a store pod ran with what was built. Unknown builds are not compared; a missing digest counts as different.
func storeBuild(built *v1beta1.Build, proof v1beta1.Proof) Findings {
	if built == nil {
		return nil
	}
	var findings Findings
	if len(built.ImageDigests) > 0 && !slices.ContainsFunc(built.ImageDigests, same(proof.ImageDigest)) {
		findings = append(findings, finding(v1beta1.GateImageMismatch, "variant: store pod %s runs image %s, but %s was built", proof.Pod, orNone(proof.ImageDigest), strings.Join(built.ImageDigests, " or ")))
	}
	if built.PluginSHA256 != "" && !same(proof.PluginSHA256)(built.PluginSHA256) {
		findings = append(findings, finding(v1beta1.GatePluginMismatch, "variant: store pod %s runs plugin %s, but %s was built", proof.Pod, orNone(proof.PluginSHA256), built.PluginSHA256))
	}
	return findings
}

// loadBuild compares the load's image likewise. All load pods must run the same image.
func loadBuild(load *v1beta1.LoadImage) Findings {
	if load == nil {
		return nil
	}
	var findings Findings
	if slices.ContainsFunc(load.Digests, func(ran string) bool { return !sameImage(load.Built, ran, load.Digests[0]) }) {
		findings = append(findings, finding(v1beta1.GateLoadImagesDiffer, "variant: load pods ran different images under %s: %s", load.Reference, strings.Join(load.Digests, ", ")))
	}
	if load.Built == nil || len(load.Built.ImageDigests) == 0 {
		return findings
	}
	if len(load.Digests) == 0 {
		findings = append(findings, finding(v1beta1.GateLoadImageUnknown, "variant: no node reported which image %s it ran", load.Reference))
	}
	for _, ran := range load.Digests {
		if !slices.ContainsFunc(load.Built.ImageDigests, same(ran)) {
			findings = append(findings, finding(v1beta1.GateLoadImageMismatch, "variant: the load ran image %s, but %s was built", ran, strings.Join(load.Built.ImageDigests, " or ")))
		}
	}
	return findings
}

// sameImage reports whether two digests are of one image. Nodes of different architectures or runtimes report one image under different
// digests, and so does CRI-O before and after a restart. All of them are digests of the build.
func sameImage(built *v1beta1.Build, one, other string) bool {
	if same(one)(other) {
		return true
	}
	return built != nil && slices.ContainsFunc(built.ImageDigests, same(one)) && slices.ContainsFunc(built.ImageDigests, same(other))
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
