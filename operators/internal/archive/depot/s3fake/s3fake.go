// Package s3fake serves the S3 API from memory, for tests of archives in buckets.
package s3fake

import (
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// Credentials that the server accepts. It checks the access key, but no signature.
const (
	AccessKey = "ringside-test"
	SecretKey = "a-secret-that-no-line-may-show"
	Bucket    = "archives"
)

// Server is a storage with one bucket.
type Server struct {
	URL string
	// Backend is the content of the storage, for tests that inspect or damage it.
	Backend *s3mem.Backend
	// OnPut, if not nil, is called before the nth object is stored. If it returns false, the connection breaks during
	// the transfer.
	OnPut func(n int64) bool
	// OnWrite, if not nil, is called before an object is stored, copied or removed. If it returns false, the connection
	// breaks.
	OnWrite func() bool
	puts    atomic.Int64
}

// Start serves until the test ends.
func Start(t testing.TB) *Server {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket(Bucket); err != nil {
		t.Fatal(err)
	}
	s := &Server{Backend: backend}
	api := gofakes3.New(backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(api, w, r) }))
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Environment returns the variables that make a client use the storage.
func (s *Server) Environment() map[string]string {
	return map[string]string{
		"AWS_ENDPOINT_URL": s.URL, "AWS_ACCESS_KEY_ID": AccessKey, "AWS_SECRET_ACCESS_KEY": SecretKey, "AWS_REGION": "us-east-1",
		"AWS_ENDPOINT_URL_S3": "", "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "", "AWS_SHARED_CREDENTIALS_FILE": "/nowhere", "AWS_CONFIG_FILE": "/nowhere",
	}
}

func (s *Server) serve(api http.Handler, w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.Header.Get("Authorization"), "Credential="+AccessKey+"/") {
		refuse(w, r)
		return
	}
	if r.Method == http.MethodPut && r.Header.Get("X-Amz-Copy-Source") == "" {
		if n := s.puts.Add(1); s.OnPut != nil && !s.OnPut(n) {
			panic(http.ErrAbortHandler)
		}
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead && s.OnWrite != nil && !s.OnWrite() {
		panic(http.ErrAbortHandler)
	}
	api.ServeHTTP(w, r)
}

// refuse answers with the same errors as Amazon.
func refuse(w http.ResponseWriter, r *http.Request) {
	code := "InvalidAccessKeyId"
	if r.Header.Get("Authorization") == "" {
		code = "AccessDenied"
	}
	w.WriteHeader(http.StatusForbidden)
	if r.Method == http.MethodHead {
		return
	}
	text, err := xml.Marshal(struct {
		XMLName xml.Name `xml:"Error"`
		Code    string
		Message string
	}{Code: code, Message: "The AWS Access Key Id you provided does not exist in our records."})
	if err == nil {
		_, _ = w.Write(text) // the client may have disconnected
	}
}
