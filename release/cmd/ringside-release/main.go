// Command ringside-release packages and pushes the charts of a release.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/release/internal/charts"
)

func main() {
	if err := command().Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "ringside-release:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	root := &cobra.Command{Use: "ringside-release", Short: "Package and push the charts of a release", SilenceUsage: true, SilenceErrors: true}
	root.AddCommand(packages(), push())
	return root
}

func packages() *cobra.Command {
	var images, into, overlay string
	cmd := &cobra.Command{
		Use:   "charts VERSION",
		Short: "Package all charts with this version and the images that were built, and print the images by digest",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := commitTime()
			if err != nil {
				return err
			}
			built, err := charts.ReadImages(images)
			if err != nil {
				return err
			}
			references, err := built.References()
			if err != nil {
				return err
			}
			folders, err := charts.Folders("charts")
			if err != nil {
				return err
			}
			release := charts.Release{Version: args[0], Images: built, Time: at}
			for _, folder := range folders {
				if _, err := charts.Package(folder, into, release); err != nil {
					return err
				}
			}
			replacements, err := charts.Overlay(folders, filepath.Join(filepath.Dir(overlay), "embedded"), release)
			if err != nil {
				return err
			}
			if err := os.WriteFile(overlay, replacements, 0o644); err != nil {
				return fmt.Errorf("write what the command embeds: %w", err)
			}
			for _, reference := range slices.Sorted(slices.Values(references)) {
				fmt.Fprintln(cmd.OutOrStdout(), reference)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&images, "images", "", "`file` that ringside-images values operator wrote")
	cmd.Flags().StringVar(&into, "into", "", "`folder` for the archives")
	cmd.Flags().StringVar(&overlay, "overlay", "", "`file` for go build -overlay, by which the command embeds these charts")
	return cmd
}

func push() *cobra.Command {
	var below string
	cmd := &cobra.Command{
		Use:   "push ARCHIVE...",
		Short: "Push charts to a registry, and print them by digest",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, archives []string) error {
			at, err := commitTime()
			if err != nil {
				return err
			}
			client, err := charts.Client(below)
			if err != nil {
				return err
			}
			for _, archive := range archives {
				reference, err := charts.Push(client, archive, below, at)
				if err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), reference)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&below, "below", "", "`reference` below which the charts go, as in registry.example/ringside/charts")
	return cmd
}

// commitTime returns the time of the commit, from the variable that reproducible builds have for it.
func commitTime() (time.Time, error) {
	const variable = "SOURCE_DATE_EPOCH"
	seconds, err := strconv.ParseInt(os.Getenv(variable), 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("read the time of the commit: %s=%q: %w; set it to the seconds of git log -1 --format=%%ct", variable, os.Getenv(variable), err)
	}
	return time.Unix(seconds, 0), nil
}
