// Package loadtool is the part of meter in the load tool's container: it starts the tool when the other part orders it, monitors its CPU
// use, and reports how it ended. It has no access to Kubernetes, and no secrets that a load tool could take.
package loadtool

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"time"

	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/metrics"
)

const (
	// meterPatience is the time limit for meter, the next container of the same pod, to listen.
	meterPatience = 5 * time.Minute
	cpuEvery      = metrics.LoadWindowSeconds * time.Second
	// waitsEvery is the interval between checks, and thus the most that is missed of a thread's end.
	waitsEvery = time.Second
	// waitsFirst is the time of the first check. The waits of a shorter load are unknown.
	waitsFirst = 200 * time.Millisecond
	stopGrace  = 10 * time.Second
)

// Streams receive the load tool's output.
type Streams struct{ Out, Err io.Writer }

// Run waits at the socket for meter's orders, runs the command, and returns the exit code. The end of ctx or of meter stops the tool. The
// caller must ensure that no other child process runs.
func Run(ctx context.Context, socket string, command []string, streams Streams) int {
	patience, cancel := context.WithTimeout(ctx, meterPatience)
	defer cancel()
	meter, err := Dial(patience, socket)
	if err != nil {
		log.Print(err)
		return orders.ExitToolLost
	}
	defer meter.Close()
	if err := meter.Send(Report{Hello: &Hello{Waits: canWait(command)}}); err != nil {
		log.Print(err)
		return orders.ExitToolLost
	}
	start, code := awaitStart(ctx, meter)
	if start == nil {
		return code
	}
	r := &run{meter: meter}
	if r.cpu, err = FindCPU("/sys/fs/cgroup", "/proc/self/cgroup"); err != nil {
		log.Printf("the container's CPU usage will not be known: %v", err)
	}
	ended := r.do(ctx, command, slices.Concat(os.Environ(), start.Environment), streams)
	if err := meter.Send(Report{Ended: &ended}); err != nil {
		log.Print(err)
	}
	return ended.Code
}

// canWait reports whether the image marks its tool as able to wait for its start.
func canWait(command []string) bool {
	_, err := os.Stat(command[0] + orders.WaitsSuffix)
	return err == nil
}

// awaitStart returns nil and an exit code if there is no start: the process was asked to end, or meter ended and has reported why.
func awaitStart(ctx context.Context, meter *Conn[Order, Report]) (*Start, int) {
	for {
		select {
		case order, more := <-meter.Received():
			if !more || order.Stop {
				return nil, orders.ExitDone
			}
			if order.Start != nil {
				return order.Start, 0
			}
		case <-ctx.Done():
			return nil, orders.ExitTerminated
		}
	}
}

// run is one load, from its start to its end.
type run struct {
	meter *Conn[Order, Report]
	cpu   *CPU
	start CPUReading
	last  CPUReading
	waits *waits
}

func (r *run) do(ctx context.Context, command, environment []string, streams Streams) Ended {
	if r.cpu != nil {
		var err error
		if r.start, err = r.cpu.Read(); err != nil {
			log.Printf("the container's CPU usage will not be known: %v", err)
			r.cpu = nil // unknown use must not be reported as 0
		}
		r.last = r.start
	}
	r.waits = newWaits("/proc", os.Getpid())
	tool, err := StartTool(command, environment, streams.Out, streams.Err)
	if err != nil {
		return Ended{Code: orders.ExitToolFailed, How: fmt.Sprintf("cannot be started: %v", err)}
	}
	terminated := r.watch(ctx, tool)
	usage := r.usage(r.start)
	if err := EndOrphans(); err != nil {
		log.Print(err)
	}
	exit := tool.Exit()
	return Ended{Code: exit.Code, How: exit.String(), LastLines: tool.LastLines(), LastError: tool.LastError(), Terminated: terminated, Usage: usage}
}

// watch monitors the tool until it has ended, by itself or because it was stopped. It reports whether ctx ended it.
func (r *run) watch(ctx context.Context, tool *Tool) (terminated bool) {
	look, waits := time.NewTicker(cpuEvery), time.NewTicker(waitsFirst)
	defer look.Stop()
	defer waits.Stop()
	for {
		select {
		case <-tool.Done():
			return false
		case <-waits.C:
			r.waits.look()
			waits.Reset(waitsEvery)
		case <-look.C:
			if usage := r.usage(r.last); usage != nil {
				_ = r.meter.Send(Report{Usage: usage}) // if meter is gone, Received shows it
			}
		case order, more := <-r.meter.Received():
			if !more || order.Stop {
				tool.Stop(stopGrace)
				return false
			}
			if order.Begin {
				r.begin()
			}
		case <-ctx.Done():
			tool.Stop(stopGrace)
			return true
		}
	}
}

// begin resets the counts: the tool's CPU use to start and connect is not part of the load.
func (r *run) begin() {
	r.waits = newWaits("/proc", os.Getpid())
	if r.cpu == nil {
		return
	}
	now, err := r.cpu.Read()
	if err != nil {
		log.Printf("the container's CPU usage will not be known: %v", err)
		r.cpu = nil // unknown use must not be reported as 0
		return
	}
	r.start, r.last = now, now
}

// usage returns the CPU use since a reading; nil if unknown.
func (r *run) usage(since CPUReading) *Usage {
	if r.cpu == nil {
		return nil
	}
	now, err := r.cpu.Read()
	if err != nil {
		return nil
	}
	r.last = now
	return &Usage{UsedRatio: r.cpu.UsedRatio(since, now), Throttled: now.Throttled - r.start.Throttled, WaitedRatio: r.waits.ratio()}
}
