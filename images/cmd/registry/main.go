// Command registry is the embedded cluster's image registry.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	"ringside.dev/ringside/images/internal/localregistry"
)

func main() {
	address := flag.String("address", "127.0.0.1:5000", "address to listen on")
	folder := flag.String("folder", "registry", "folder of the content")
	users := flag.String("users", "", "htpasswd file (htpasswd -B) of the users who may push and pull (default: everybody)")
	flag.Parse()
	if err := serve(*address, *folder, *users); err != nil {
		fmt.Fprintln(os.Stderr, "registry:", err)
		os.Exit(1)
	}
}

func serve(address, folder, users string) error {
	handler, err := localregistry.Open(folder)
	if err != nil {
		return err
	}
	if users != "" {
		if handler, err = localregistry.RequireLogin(handler, users); err != nil {
			return err
		}
	}
	server := http.Server{Addr: address, Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	return server.ListenAndServe()
}
