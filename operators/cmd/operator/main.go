// Command operator runs the experiments of one namespace. `operator check` verifies that the cluster and the operator's
// rights allow it.
package main

import (
	"fmt"
	"os"

	_ "golang.org/x/crypto/x509roots/fallback" // for registries: the image of this program has no certificates of authorities
	ctrl "sigs.k8s.io/controller-runtime"

	"ringside.dev/ringside/operators/internal/operator"
)

func main() {
	if err := operator.Main(ctrl.SetupSignalHandler(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "operator: %v\n", err)
		os.Exit(1)
	}
}
