// Command ringside-release builds the parts of a release that GoReleaser does not build: notes, charts, bills of materials.
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/release/internal/charts"
	"ringside.dev/ringside/release/internal/notes"
	"ringside.dev/ringside/release/internal/sbom"
	"ringside.dev/ringside/release/internal/versions"
)

func main() {
	if err := command().Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "ringside-release:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	root := &cobra.Command{Use: "ringside-release", Short: "Build the parts of a release that GoReleaser does not build", SilenceUsage: true, SilenceErrors: true}
	root.AddCommand(check(), prepare(), cut(), packages(), push(), fix())
	return root
}

func check() *cobra.Command {
	return &cobra.Command{
		Use:   "check VERSION",
		Short: "Verify that charts, modules and changelog have this version",
		Args:  cobra.ExactArgs(1),
		RunE:  func(_ *cobra.Command, args []string) error { return errors.Join(versions.Check(".", args[0])...) },
	}
}

func prepare() *cobra.Command {
	return &cobra.Command{
		Use:   "prepare VERSION",
		Short: "Write this version into charts, modules and changelog",
		Args:  cobra.ExactArgs(1),
		RunE:  func(_ *cobra.Command, args []string) error { return versions.Set(".", args[0], time.Now().UTC()) },
	}
}

func cut() *cobra.Command {
	var draft bool
	cmd := &cobra.Command{
		Use:   "notes VERSION",
		Short: "Print the section of the changelog",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := os.ReadFile("CHANGELOG.md")
			if err != nil {
				return fmt.Errorf("read the changelog: %w", err)
			}
			of := notes.Of
			if draft {
				of = notes.Draft
			}
			section, err := of(string(text), args[0])
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), section.Text)
			return nil
		},
	}
	cmd.Flags().BoolVar(&draft, "draft", false, "the unreleased changes, if the version has no section yet")
	return cmd
}

func packages() *cobra.Command {
	var images, into string
	cmd := &cobra.Command{
		Use:   "charts VERSION",
		Short: "Package all charts with this version and the images that were built, and print the images by digest",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := versions.Valid(args[0]); err != nil {
				return err
			}
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
			for _, folder := range folders {
				if _, err := charts.Package(folder, into, charts.Release{Version: args[0], Images: built, Time: at}); err != nil {
					return err
				}
			}
			for _, reference := range slices.Sorted(slices.Values(references)) {
				fmt.Fprintln(cmd.OutOrStdout(), reference)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&images, "images", "", "`file` that ringside-images values operator wrote")
	cmd.Flags().StringVar(&into, "into", "", "`folder` for the archives")
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

func fix() *cobra.Command {
	return &cobra.Command{
		Use:   "sbom FILE...",
		Short: "Make CycloneDX bills of materials reproducible, in place",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			at, err := commitTime()
			if err != nil {
				return err
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					return fmt.Errorf("read a bill of materials: %w", err)
				}
				fixed, err := sbom.Fix(text, at)
				if err != nil {
					return fmt.Errorf("%s: %w", file, err)
				}
				if err := os.WriteFile(file, fixed, 0o644); err != nil {
					return fmt.Errorf("write a bill of materials: %w", err)
				}
			}
			return nil
		},
	}
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
