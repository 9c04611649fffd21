// Package operator assembles the controller, its clients and its servers.
package operator

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/storechart"
)

// Options are those of the operator's command line.
type Options struct {
	Namespace string
	ChartsDir string
	// StoreCharts are the places in registries from which experiments may install charts. StoreMirrors are addresses of registries.
	StoreCharts    []string
	StoreMirrors   map[string]string
	LoadsDir       string
	Images         storechart.Images
	MeterImage     string
	MetricsAddress string
	HealthAddress  string
	LeaderElection bool
	OtherRuns      bool
	Verbose        bool
}

// ParseOptions parses the command line. An error names the flag and its allowed values.
func ParseOptions(args []string) (Options, error) {
	var o Options
	var digests string
	flags := pflag.NewFlagSet("operator", pflag.ContinueOnError)
	flags.StringVar(&o.Namespace, "namespace", os.Getenv("POD_NAMESPACE"), "namespace whose experiments are run")
	flags.StringVar(&o.ChartsDir, "charts-dir", "/charts", "folder of the store charts")
	flags.StringSliceVar(&o.StoreCharts, "store-charts", nil, "places in registries from which experiments may install store charts, as in oci://registry.example/team")
	flags.StringToStringVar(&o.StoreMirrors, "store-chart-mirrors", nil, "addresses at which registries of store charts are reached, as in localhost:5000=10.0.0.1:5000")
	flags.StringVar(&o.LoadsDir, "loads-dir", "/loads", "folder of the load contracts, one folder per load")
	flags.StringVar(&o.Images.Registry, "image-registry", "", "registry of Ringside's images")
	flags.StringVar(&o.Images.Tag, "image-tag", "", "tag of Ringside's images")
	flags.StringVar(&o.Images.PullPolicy, "image-pull-policy", "IfNotPresent", "when nodes pull images")
	flags.StringSliceVar(&o.Images.PullSecrets, "image-pull-secrets", nil, "image pull Secrets of store pods; load pods get theirs from their service account")
	flags.StringVar(&digests, "image-digests", "", `digests of the built images, as JSON: {"<image>": {"image": ["sha256:..."], "plugin": "..."}}`)
	flags.StringVar(&o.MeterImage, "meter-image", "", "image that installs meter in load pods (the operator's image)")
	flags.StringVar(&o.MetricsAddress, "metrics-address", ":9401", "address of /metrics")
	flags.StringVar(&o.HealthAddress, "health-address", ":8081", "address of /healthz and /readyz")
	flags.BoolVar(&o.LeaderElection, "leader-election", false, "elect a leader among several operators")
	flags.BoolVar(&o.OtherRuns, "other-runs", false, "check for runs of other namespaces on the nodes of a measurement")
	flags.BoolVar(&o.Verbose, "verbose", false, "log more")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	var err error
	if o.Images.Digests, err = storechart.ParseDigests(digests); err != nil {
		return o, fmt.Errorf("--image-digests: %w", err)
	}
	return o, o.check()
}

// catalogue returns the charts of stores.
func (o Options) catalogue() storechart.Catalogue {
	return storechart.NewCatalogue(o.ChartsDir).With(storechart.NewRegistries(o.StoreCharts, o.StoreMirrors))
}

func (o Options) check() error {
	switch {
	case o.Namespace == "":
		return errors.New("--namespace (or POD_NAMESPACE) is missing: use the namespace of the experiments")
	case o.MeterImage == "":
		return errors.New("--meter-image is missing: use the operator's own image, which installs meter in load pods")
	}
	switch o.Images.PullPolicy {
	case "Always", "IfNotPresent", "Never":
	default:
		return fmt.Errorf("--image-pull-policy is %q, use Always, IfNotPresent or Never", o.Images.PullPolicy)
	}
	stores, err := storechart.NewCatalogue(o.ChartsDir).Stores()
	if err != nil {
		return fmt.Errorf("--charts-dir %s: %w", o.ChartsDir, err)
	}
	if len(stores) == 0 {
		return fmt.Errorf("--charts-dir %s has no store chart (with annotation ringside.dev/kind: store)", strings.TrimSuffix(o.ChartsDir, "/"))
	}
	return o.checkLoads()
}

func (o Options) checkLoads() error {
	loads := loadgen.NewCatalogue(o.LoadsDir)
	if !loads.AtHand() {
		return fmt.Errorf("--loads-dir %s has no load (a folder with orders.schema.json)", strings.TrimSuffix(o.LoadsDir, "/"))
	}
	names, err := loads.Loads()
	if err != nil {
		return fmt.Errorf("--loads-dir %s: %w", o.LoadsDir, err)
	}
	for _, name := range names {
		if _, err := loads.Open(name); err != nil {
			return fmt.Errorf("--loads-dir %s: %w", o.LoadsDir, err)
		}
	}
	return nil
}
