package localregistry

import (
	"fmt"
	"net/http"
	"os"
	"strings"

	"golang.org/x/crypto/bcrypt"
)

// RequireLogin serves only the users of an htpasswd file with bcrypt hashes.
func RequireLogin(handler http.Handler, file string) (http.Handler, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read users of the registry: %w", err)
	}
	hashes := map[string][]byte{}
	for line := range strings.Lines(string(content)) {
		if user, hash, is := strings.Cut(strings.TrimSpace(line), ":"); is {
			hashes[user] = []byte(hash)
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if bcrypt.CompareHashAndPassword(hashes[user], []byte(password)) != nil {
			w.Header().Set("WWW-Authenticate", `Basic realm="ringside"`)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}`)) // the client is gone
			return
		}
		handler.ServeHTTP(w, r)
	}), nil
}
