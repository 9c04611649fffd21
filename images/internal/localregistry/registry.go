// Package localregistry is a small image registry that keeps its content in a folder.
package localregistry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/google/go-containerregistry/pkg/registry"
)

// maxManifest bounds the size of a manifest.
const maxManifest = 4 << 20

// kept is a manifest that was pushed, as a line of the folder's list. The library keeps manifests in memory only.
type kept struct {
	Path        string
	ContentType string
	Manifest    []byte
}

// store is the library's registry, and the list of the manifests that were pushed.
type store struct {
	http.Handler
	lock sync.Mutex
	list *os.File
}

// Open returns the registry with the content of the folder. It makes the folder if it is missing.
func Open(folder string) (http.Handler, error) {
	blobs := filepath.Join(folder, "blobs")
	if err := os.MkdirAll(blobs, 0o755); err != nil {
		return nil, fmt.Errorf("open registry: %w", err)
	}
	s := &store{Handler: registry.New(registry.Logger(log.New(io.Discard, "", 0)), registry.WithBlobHandler(registry.NewDiskBlobHandler(blobs)))}
	path := filepath.Join(folder, "manifests.jsonl")
	if err := s.replay(path); err != nil {
		return nil, err
	}
	var err error
	if s.list, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644); err != nil {
		return nil, fmt.Errorf("open registry: %w", err)
	}
	return s, nil
}

// replay pushes the manifests of the list in their order.
func (s *store) replay(path string) error {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open registry: %w", err)
	}
	for line := range bytes.Lines(content) {
		var manifest kept
		if err := json.Unmarshal(line, &manifest); err != nil {
			continue // cut short when the registry was killed: that push was not acknowledged
		}
		request := httptest.NewRequest(http.MethodPut, manifest.Path, bytes.NewReader(manifest.Manifest))
		request.Header.Set("Content-Type", manifest.ContentType)
		s.Handler.ServeHTTP(httptest.NewRecorder(), request)
	}
	return nil
}

// ServeHTTP lists a manifest before it is stored. One that is rejected is rejected again when the list is read.
func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/manifests/") {
		content, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxManifest))
		if err == nil {
			err = s.keep(kept{r.URL.Path, r.Header.Get("Content-Type"), content})
		}
		if err != nil {
			http.Error(w, "keep manifest: "+err.Error(), http.StatusInternalServerError)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(content))
	}
	s.Handler.ServeHTTP(w, r)
}

func (s *store) keep(manifest kept) error {
	line, err := json.Marshal(manifest)
	if err != nil {
		return err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	_, err = s.list.Write(append(line, '\n'))
	return err
}
