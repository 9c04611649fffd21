package simulated

import (
	"fmt"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/profiles"
)

// maxProfile in bytes exceeds the size of a simulated profile.
const maxProfile = 1 << 20

// writeProfile writes the profile of a finished measurement that took one.
func writeProfile(folder archive.Folder, m *v1beta1.Measurement) error {
	packed, err := packProfile(m)
	if err != nil || packed == nil {
		return err
	}
	return folder.WriteProfile(m.Name, packed)
}

// packProfile returns the profile as a load pod delivers it; nil if there is none.
func packProfile(m *v1beta1.Measurement) ([]byte, error) {
	profile := m.Status.Result.Profile
	if profile == nil || profile.Total == 0 {
		return nil, nil
	}
	packed, _, err := profiles.Pack(profileOf(m), maxProfile)
	if err != nil {
		return nil, fmt.Errorf("packing the profile of %s: %w", m.Name, err)
	}
	return packed, nil
}

// tellProfile adds the profile to the measurement's result.
func tellProfile(m *v1beta1.Measurement) {
	s := profileOf(m)
	unit, engine := "ns", m.Spec.Profile.Event.String()
	switch m.Spec.Profile.Event {
	case v1beta1.ProfileAlloc:
		unit = "bytes"
	case v1beta1.ProfileCPU:
		engine = "ctimer"
	case v1beta1.ProfileLock, v1beta1.ProfileWall:
	}
	m.Status.Result.Profile = &v1beta1.Profile{Event: m.Spec.Profile.Event, Engine: engine, Unit: unit, Total: s.Total(), Samples: 400, Stacks: int64(len(s)), Pods: 4}
}

// profileOf returns the profile of a server. Slower ones spend more time in their selectors.
func profileOf(m *v1beta1.Measurement) profiles.Stacks {
	const millis = 1_000_000
	handing := int64(2000*millis/speed(m.Spec.ServerType)) - 500*millis
	out := profiles.Stacks{}
	const serve, handle = "java/lang/Thread.run;example/server/Server.serve;example/server/Request.invoke", "example/store/Handler.get;example/store/Table.find"
	for i := range int64(40) {
		out[fmt.Sprintf("worker-#;%s;%s;example/store/Part$%d.compare;java/util/Arrays.mismatch", serve, handle, i)] = (40 - i) * 3 * millis
	}
	out["worker-#;"+serve+";"+handle+";example/store/Cache.lookup"] = 900 * millis
	out["worker-#;"+serve+";example/server/Protocol.write;sun/nio/ch/SocketChannelImpl.write;__write;entry_SYSCALL_64_[k];sock_write_iter_[k]"] = 800 * millis
	out["selector-#;java/lang/Thread.run;example/server/Selector.select;sun/nio/ch/EPoll.wait;epoll_wait;entry_SYSCALL_64_[k];do_epoll_wait_[k]"] = handing
	out["selector-#;java/lang/Thread.run;example/server/Selector.handOff;java/util/concurrent/ArrayBlockingQueue.offer;java/util/concurrent/locks/LockSupport.unpark"] = handing / 2
	out["GC Thread##;G1YoungCollector::collect;G1ParScanThreadState::trim_queue(unsigned int)"] = 300 * millis
	out["C# CompilerThre;CompileBroker::compiler_thread_loop()"] = 20 * millis
	return out
}
