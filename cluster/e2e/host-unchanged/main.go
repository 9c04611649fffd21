// Command host-unchanged runs a command and fails if the command left a change on the host: a file, a mount, a control
// group, a kernel module, a process. Usage: host-unchanged COMMAND [ARGUMENT...]
//
// HOST_IGNORE lists prefixes of facts that other programs may change at the same time, separated by commas:
// "/run/netns,mount /srv".
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"ringside.dev/ringside/cluster/e2e/hoststate"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: host-unchanged COMMAND [ARGUMENT...]")
		os.Exit(2)
	}
	// The command receives Ctrl-C too, and ends. This program must still report what it left.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	var ignore []string
	if text := os.Getenv("HOST_IGNORE"); text != "" {
		ignore = strings.Split(text, ",")
	}
	left, code, err := hoststate.Guard(context.Background(), os.Args[1:], ignore)
	if err != nil {
		fmt.Fprintln(os.Stderr, "host-unchanged:", err)
		os.Exit(1)
	}
	if len(left) > 0 {
		fmt.Fprintf(os.Stderr, "host-unchanged: %s changed the host:\n  %s\n", strings.Join(os.Args[1:], " "), strings.Join(left, "\n  "))
		code = max(code, 1)
	}
	os.Exit(code)
}
