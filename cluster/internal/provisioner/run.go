package provisioner

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/sig-storage-lib-external-provisioner/v13/controller"
)

// Run provisions volumes until the context ends.
func Run(ctx context.Context, kubeconfig, machines string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return fmt.Errorf("read kubeconfig: %w", err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("make client: %w", err)
	}
	c := controller.NewProvisionController(ctx, client, Name, Local{Machines: machines},
		controller.LeaderElection(false), // there is only one provisioner
		controller.ResyncPeriod(15*time.Minute),
	)
	c.Run(ctx)
	return nil
}
