// Command probe is the program that the end-to-end test runs in pods.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

const timeout = 5 * time.Second

func main() {
	if len(os.Args) < 2 {
		fail("usage: probe serve | get URL | resolve NAME | dial HOST:PORT | write FILE TEXT | read FILE")
	}
	args := append(os.Args[2:], "", "")
	switch os.Args[1] {
	case "serve":
		serve()
	case "get":
		get(args[0])
	case "resolve":
		resolve(args[0])
	case "dial":
		dial(args[0])
	case "write":
		check(os.WriteFile(args[0], []byte(args[1]), 0o600))
	case "read":
		content, err := os.ReadFile(args[0])
		check(err)
		fmt.Print(string(content))
	default:
		fail("unknown command " + os.Args[1])
	}
}

// serve answers every request with the pod's name.
func serve() {
	name, err := os.Hostname()
	check(err)
	fmt.Println("serving as", name)
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, name) })
	server := &http.Server{Addr: ":8080", Handler: handler, ReadHeaderTimeout: timeout}
	check(server.ListenAndServe())
}

func get(url string) {
	client := &http.Client{Timeout: timeout}
	response, err := client.Get(url)
	check(err)
	defer response.Body.Close()
	_, err = io.Copy(os.Stdout, response.Body)
	check(err)
}

func resolve(name string) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	addresses, err := (&net.Resolver{PreferGo: true}).LookupHost(ctx, name)
	check(err)
	fmt.Print(addresses)
}

func dial(address string) {
	connection, err := net.DialTimeout("tcp", address, timeout)
	check(err)
	check(connection.Close())
}

func check(err error) {
	if err != nil {
		fail(err.Error())
	}
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(1)
}
