package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/api/v1beta1"
)

// convertCommand prints experiment files in another version of the API.
func (a *App) convertCommand() *cobra.Command {
	var c choices
	var version string
	versions := map[string]string{
		v1alpha1.GroupVersion.Version: v1alpha1.GroupVersion.String(),
		v1beta1.GroupVersion.Version:  v1beta1.GroupVersion.String(),
	}
	cmd := &cobra.Command{
		Use:   "convert EXPERIMENT",
		Short: "Print an experiment file in another version of the API",
		Long: "Print an experiment file in another version of the API, as YAML. Comments and the order of fields are not kept. What the other version cannot\n" +
			"express is kept in the annotation ringside.dev/converted-from. No cluster is contacted.",
		Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			apiVersion, known := versions[version]
			if !known {
				return misused("--to is %q: choose from %s, %s", version, v1alpha1.GroupVersion.Version, v1beta1.GroupVersion.Version)
			}
			documents, err := c.read(first(args))
			if err != nil {
				return err
			}
			for i, d := range documents {
				converted, err := d.In(apiVersion)
				if err != nil {
					return err
				}
				if i > 0 {
					fmt.Fprintln(a.Out, "---")
				}
				if err := writeYAML(a.Out, converted); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.builtIn = a.BuiltIn
	cmd.ValidArgsFunction = completeFiles(c.experimentSources)
	c.folders.bind(cmd)
	cmd.Flags().StringVar(&version, "to", v1beta1.GroupVersion.Version, "`version` of the output: v1alpha1 or v1beta1")
	return cmd
}
