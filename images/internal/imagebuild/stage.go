package imagebuild

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// stage collects what an image adds to its base on all platforms.
func (b Builder) stage(ctx context.Context, name string, spec Spec) (tree, error) {
	files := tree{}
	script := filepath.Join(b.Source, name, "stage.sh")
	if exists(script) {
		root := filepath.Join(b.Out, name, "root")
		if err := os.MkdirAll(root, 0o755); err != nil {
			return nil, fmt.Errorf("make staging folder: %w", err)
		}
		if err := b.run(ctx, nil, script, root); err != nil {
			return nil, err
		}
		if err := files.addFolder(root); err != nil {
			return nil, err
		}
	}
	for to, file := range spec.Files {
		files[to] = filepath.Join(b.Source, name, file)
	}
	for to, module := range spec.Jars {
		files[to] = b.jarPath(module, path.Base(to))
	}
	if spec.Waits {
		files["/load.waits"] = ""
	}
	return files, nil
}

// compile builds the Go programs of an image for a platform.
func (b Builder) compile(ctx context.Context, name string, spec Spec, on v1.Platform) (tree, error) {
	files := tree{}
	for to, source := range spec.Programs {
		program, err := filepath.Abs(filepath.Join(b.Out, name, "programs", on.Architecture, path.Base(to)))
		if err != nil {
			return nil, fmt.Errorf("build %s: %w", source, err)
		}
		env := []string{"CGO_ENABLED=0", "GOOS=" + on.OS, "GOARCH=" + on.Architecture}
		if err := b.run(ctx, env, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", program, source); err != nil {
			return nil, err
		}
		files[to] = program
	}
	return files, nil
}

// jarPath returns the path of a jar of the Maven reactor.
func (b Builder) jarPath(module, name string) string {
	return filepath.Join(b.Source, module, "target", name)
}

// buildJars builds the jars of the images with one call of Maven. It leaves out jars of which no source changed, so that a
// repeat takes seconds.
func (b Builder) buildJars(ctx context.Context, specs []Spec) error {
	sources, err := javaSources(b.Source)
	if err != nil {
		return err
	}
	stamp := func(jar string) string { return filepath.Join(b.Out, filepath.Base(jar)+".sources") }
	stale := map[string]string{} // jars by module
	for _, spec := range specs {
		for to, module := range spec.Jars {
			jar := b.jarPath(module, path.Base(to))
			before, _ := os.ReadFile(stamp(jar)) // missing: built for the first time
			if sum, err := sumOf(jar); err != nil || string(before) != sources+" "+sum {
				stale[module] = jar
			}
		}
	}
	if len(stale) == 0 {
		return nil
	}
	modules := strings.Join(slices.Sorted(maps.Keys(stale)), ",")
	if err := b.run(ctx, nil, "mvn", "-q", "-B", "-f", filepath.Join(b.Source, "pom.xml"), "-pl", modules, "-am", "package", "-DskipTests"); err != nil {
		return err
	}
	for module, jar := range stale {
		sum, err := sumOf(jar)
		if err != nil {
			return fmt.Errorf("module %s: %w", module, err)
		}
		if err := os.WriteFile(stamp(jar), []byte(sources+" "+sum), 0o644); err != nil {
			return fmt.Errorf("note the sources of %s: %w", module, err)
		}
	}
	return nil
}

// javaSources returns a digest of the sources of all modules that may be part of an image.
func javaSources(folder string) (string, error) {
	modules, err := os.ReadDir(folder)
	if err != nil {
		return "", fmt.Errorf("digest the Java sources: %w", err)
	}
	sum := sha256.New()
	for _, module := range modules {
		if module.Name() == "bench-servers" {
			continue
		}
		root, err := filepath.EvalSymlinks(filepath.Join(folder, module.Name())) // an image of others may be a link
		if err != nil {
			return "", fmt.Errorf("digest the Java sources: %w", err)
		}
		err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error { // in lexical order
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (entry.Name() == "target" || strings.HasSuffix(filepath.ToSlash(file), "/src/test")):
				return filepath.SkipDir
			case !entry.Type().IsRegular() || entry.Name() != "pom.xml" && !strings.Contains(filepath.ToSlash(file), "/src/main/"):
				return nil
			}
			content, err := sumOf(file)
			fmt.Fprintf(sum, "%q %s\n", strings.TrimPrefix(file, root), content)
			return err
		})
		if err != nil {
			return "", fmt.Errorf("digest the Java sources: %w", err)
		}
		fmt.Fprintf(sum, "%q\n", module.Name())
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

// sumOf returns the SHA-256 of a file.
func sumOf(file string) (string, error) {
	from, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("digest a file: %w", err)
	}
	defer from.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, from); err != nil {
		return "", fmt.Errorf("digest %s: %w", file, err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

// run runs a program and writes its output to the log.
func (b Builder) run(ctx context.Context, env []string, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(append(os.Environ(), "SOURCE_DATE_EPOCH=0"), env...)
	cmd.Stdout, cmd.Stderr = b.Log, b.Log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", filepath.Base(program), strings.Join(args, " "), err)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
