package v1beta1

// Undisturbed returns annotations by which autoscalers of nodes leave a pod where it is: an eviction would end the run.
func Undisturbed() map[string]string {
	return map[string]string{
		"cluster-autoscaler.kubernetes.io/safe-to-evict": "false",
		"karpenter.sh/do-not-disrupt":                    "true",
	}
}
