// Command ringside-images builds Ringside's images and prints their data for loading, pushing and installing.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/spf13/cobra"

	"ringside.dev/ringside/images/internal/imagebuild"
)

// Paths relative to the repository's root.
const (
	source = "images"
	charts = "charts"
	out    = "build/images"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := command().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ringside-images:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	root := &cobra.Command{Use: "ringside-images", Short: "Build Ringside's images and print what was built", SilenceUsage: true, SilenceErrors: true}
	root.AddCommand(build(), archives(), values(), connect(), load())
	return root
}

func build() *cobra.Command {
	b := imagebuild.Builder{Source: source, Out: out, Log: os.Stderr}
	choice := imagebuild.Choice{Charts: charts}
	var platforms string
	var withoutPublic bool
	cmd := &cobra.Command{
		Use:   "build [NAME...]",
		Short: "Build images into archives, or push them (default: all images, or those that --experiment needs)",
		RunE: func(cmd *cobra.Command, names []string) error {
			names, err := imagebuild.Select(source, choice, names)
			if err != nil {
				return err
			}
			if withoutPublic || b.Push && !b.Bootstraps() {
				names = imagebuild.WithoutPublic(names)
			}
			if b.Platforms, err = platformsOf(cmd.Context(), platforms, b.Push); err != nil {
				return err
			}
			b.Say = func(format string, args ...any) { fmt.Fprintf(cmd.OutOrStdout(), format+"\n", args...) }
			return b.Build(cmd.Context(), names)
		},
	}
	cmd.Flags().StringVar(&b.Registry, "registry", imagebuild.LocalRegistry, "registry part of the image names")
	cmd.Flags().StringVar(&b.Base, "base", os.Getenv("BASE"), "base image with the Java that the images need, or bootstrap to build it from Debian packages (default: each image's public base, else bootstrap)")
	cmd.Flags().StringVar(&platforms, "platforms", os.Getenv("PLATFORMS"), "linux/amd64, linux/arm64 or both (default: with --push those of the cluster's nodes, else this machine's)")
	cmd.Flags().BoolVar(&b.Push, "push", false, "push to the registry instead of writing archives")
	choiceFlags(cmd, &choice)
	withoutPublicFlag(cmd, &withoutPublic)
	return cmd
}

// platformsOf returns the platforms to build for: those that were asked for, else those of the nodes that pull the images.
func platformsOf(ctx context.Context, asked string, push bool) ([]v1.Platform, error) {
	switch platforms, err := imagebuild.ParsePlatforms(asked); {
	case err != nil || len(platforms) > 0:
		return platforms, err
	case push:
		return imagebuild.NodePlatforms(ctx)
	}
	return []v1.Platform{imagebuild.HostPlatform()}, nil
}

func archives() *cobra.Command {
	choice := imagebuild.Choice{Charts: charts}
	var withoutPublic bool
	cmd := &cobra.Command{
		Use:   "archives [NAME...]",
		Short: "Print the archives of built images",
		RunE: func(cmd *cobra.Command, names []string) error {
			names, err := imagebuild.Select(source, choice, names)
			if err != nil {
				return err
			}
			if withoutPublic {
				names = imagebuild.WithoutPublic(names)
			}
			manifest, err := imagebuild.ReadManifest(imagebuild.ManifestPath(out))
			if err != nil {
				return err
			}
			for _, name := range names {
				image, found := manifest.Find(name)
				if !found || image.Archive == "" {
					return fmt.Errorf("image %s has no archive: run 'make images'", name)
				}
				fmt.Fprintln(cmd.OutOrStdout(), image.Archive)
			}
			return nil
		},
	}
	choiceFlags(cmd, &choice)
	withoutPublicFlag(cmd, &withoutPublic)
	return cmd
}

func values() *cobra.Command {
	var withoutPublic bool
	cmd := &cobra.Command{
		Use:       "values operator|monitoring",
		Short:     "Print the chart values that select the built images",
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"operator", "monitoring"},
		RunE: func(cmd *cobra.Command, args []string) error {
			manifest, err := imagebuild.ReadManifest(imagebuild.ManifestPath(out))
			if err != nil {
				return err
			}
			if withoutPublic {
				manifest.Images = slices.DeleteFunc(manifest.Images, func(i imagebuild.Image) bool { return len(imagebuild.WithoutPublic([]string{i.Name})) == 0 })
			}
			of := manifest.OperatorValues
			if args[0] == "monitoring" {
				of = manifest.MonitoringValues
			}
			values, err := of()
			if err != nil {
				return err
			}
			return print(cmd.OutOrStdout(), values)
		},
	}
	withoutPublicFlag(cmd, &withoutPublic)
	return cmd
}

func choiceFlags(cmd *cobra.Command, choice *imagebuild.Choice) {
	cmd.Flags().StringVar(&choice.Experiment, "experiment", "", "experiment file: only the images that it needs (operator, store, load, Prometheus)")
	cmd.Flags().StringVar(&choice.Servers, "server", "", "servers to run, separated by commas: only the images that these need (default: all servers of the experiment file)")
}

func withoutPublicFlag(cmd *cobra.Command, without *bool) {
	cmd.Flags().BoolVar(without, "without-public", false, "leave out the images that nodes with access to the public registry pull from there")
}

func print(to io.Writer, values map[string]any) error {
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(values); err != nil {
		return fmt.Errorf("print values: %w", err)
	}
	return nil
}
