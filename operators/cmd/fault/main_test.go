package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCompareClocks_withoutATokenUntilTheMoment(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Empty(t, r.Header.Get("Authorization"))
		w.Header().Set("Date", time.Now().Add(-5*time.Second).UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	host, port, err := net.SplitHostPort(server.Listener.Addr().String())
	require.NoError(t, err)
	t.Setenv("KUBERNETES_SERVICE_HOST", host)
	t.Setenv("KUBERNETES_SERVICE_PORT", port)
	began := time.Now()
	estimate := compareClocks(t.Context(), began.Add(1500*time.Millisecond))()
	assert.True(t, estimate.Known)
	assert.InDelta(t, 5, estimate.Offset.Seconds(), 0.6)
	assert.Less(t, time.Since(began), 4*time.Second)

	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	assert.False(t, compareClocks(t.Context(), time.Now())().Known)
}
