package accept

import "ringside.dev/ringside/operators/api/v1alpha1"

// checkFaultNodes counts the store's nodes in the rendered chart, and refuses a fault of one beyond them. A store whose pods the manifest
// does not show has none that the operator could tell by its number.
func checkFaultNodes(spec *v1alpha1.ExperimentSpec, manifest string) error {
	sets, err := storeSets(manifest)
	if err != nil {
		return err
	}
	nodes := int32(0)
	for _, set := range sets {
		replicas := int32(1)
		if set.Spec.Replicas != nil {
			replicas = *set.Spec.Replicas
		}
		nodes = max(nodes, replicas)
	}
	for _, phase := range spec.Phases {
		for i, fault := range phase.Faults {
			switch {
			case nodes == 0:
				return refuse("phase %s has faults, and the pods of store %s are no StatefulSet's, which would bring them back: take spec.phases.%s.faults out", phase.Name, spec.Store.Chart, phase.Name)
			case fault.Node >= nodes:
				return refuse("fault %d of phase %s is for node %d, and store %s has the nodes 0 to %d: choose one of them", i, phase.Name, fault.Node, spec.Store.Chart, nodes-1)
			}
		}
	}
	return nil
}
