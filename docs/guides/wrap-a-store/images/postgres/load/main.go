// Command load drives PostgreSQL with pgbench, as the load contract says (docs/reference/load-contract.md): orders come from the environment,
// pgbench logs each transaction, and its log becomes an HdrHistogram log.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// exitOrders is the exit code for orders that make no sense.
const exitOrders = 64

func main() {
	orders, err := readOrders(os.Getenv)
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(exitOrders)
	}
	if err := run(orders); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(o orders) error {
	if err := fill(o); err != nil {
		return err
	}
	prefix := filepath.Join(o.scratch, "pgbench")
	if err := call("pgbench", o.arguments(prefix)...); err != nil {
		return err
	}
	logs, err := filepath.Glob(prefix + ".*") // one for each thread of pgbench
	if err != nil {
		return err
	}
	var all []transaction
	for _, file := range logs {
		of, err := readLog(file)
		if err != nil {
			return err
		}
		all = append(all, of...)
	}
	if err := writeHlog(o.hlog, o.operation, all); err != nil {
		return err
	}
	summary := fmt.Sprintf("operations=%d\nerrors=0\n", len(all))
	return os.WriteFile(o.summary, []byte(summary), 0o644)
}

// rowsOfScale is the number of accounts that pgbench makes for each unit of its scale.
const rowsOfScale = 100_000

// fill makes pgbench's tables, unless an earlier phase has made them.
func fill(o orders) error {
	found, err := exec.Command("psql", append(o.server(), "-AtXc", "select to_regclass('pgbench_accounts') is not null")...).Output()
	if err != nil {
		return failed("psql", err)
	}
	if strings.TrimSpace(string(found)) == "t" {
		return nil
	}
	scale := (o.keys + rowsOfScale - 1) / rowsOfScale
	return call("pgbench", append(o.server(), "--initialize", "--quiet", "--scale="+strconv.Itoa(scale))...)
}

func call(program string, arguments ...string) error {
	command := exec.Command(program, arguments...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	return failed(program, command.Run())
}

func failed(program string, err error) error {
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		return fmt.Errorf("%s failed: %w: %s", program, err, ended.Stderr)
	}
	return err
}
