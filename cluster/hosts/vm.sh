#!/usr/bin/env bash
# Runs make experiment EXPERIMENT=smoke in a virtual machine with Debian 12, systemd and control groups version 2. Then: cluster-down, a reboot while
# the cluster is up, uninstall. After each, nothing may be left. Needs root, mmdebstrap and qemu-system-x86, 30 GB of disk, 10 GiB of memory, and
# hours without KVM, because then the processor is emulated. Usage: cluster/hosts/vm.sh
#
# HEAD is built in the machine's root file system while it is off, as on a Debian 12 without network namespaces of its own (see root.sh).
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$PWD/build/hosts
# shellcheck source=cluster/hosts/root.sh
. cluster/hosts/root.sh
root=$work/vm log=$work/vm.log port=17310
command -v qemu-system-x86_64 >/dev/null || fail "qemu is missing; run apt-get install qemu-system-x86"

# step NAME COMMAND...: runs a command, with its output in the log, and prints its time.
step() {
  local name=$1 start=$SECONDS
  shift
  echo "=== $name" >>"$log"
  "$@" >>"$log" 2>&1 || { tail -n 40 "$log" >&2; fail "$name: it failed (log: $log)"; }
  printf '%3d min %02d s  %s\n' $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)) "$name"
}
# shellcheck disable=SC2016 # the shell inside expands these
packages='dpkg-query -W -f "\${Package} \${db:Status-Status}\n" | sort | sed -n "s/ installed$//p"'
smoke="EXPERIMENT=smoke OPS=200 NODES=2"
built="cd /root/ringside; $packages >/root/packages-before
make check cluster-build images \$PWD/build/bin/host-unchanged $smoke; touch build/modules"

configure() {
  printf '[Match]\nName=e*\n[Network]\nDHCP=ipv4\n[DHCPv4]\nUseDNS=no\n' >"$root/etc/systemd/network/wired.network"
  ln -sf /lib/systemd/system/systemd-networkd.service "$root/etc/systemd/system/multi-user.target.wants/"
  # shellcheck disable=SC2016
  # With SSH_CLIENT, Debian's bash reads bashrc in every shell of make, too.
  echo 'unset SSH_CLIENT; export RINGSIDE_PATIENCE=20 PATH=/root/ringside/build/toolchain/go/bin:$PATH' >"$root/root/.bashrc"
  rm -f "$work/key" "$work/key.pub"
  ssh-keygen -q -t ed25519 -N '' -f "$work/key"
  install -D -m 600 "$work/key.pub" "$root/root/.ssh/authorized_keys"
}
disk() {
  export -f mount_caches
  truncate -s 50G "$work/vm.disk"
  # shellcheck disable=SC2016 # the inner shell expands these
  unshare --mount bash -euc 'mount_caches "$1"; mkfs.ext4 -qF -d "$1" "$2"' disk "$root" "$work/vm.disk"
}
start() {
  local accelerator=tcg
  # /dev/kvm alone proves nothing: it exists on machines that cannot run a guest.
  if [[ -w /dev/kvm ]] && grep -qwE 'vmx|svm' /proc/cpuinfo; then accelerator=kvm; fi
  qemu-system-x86_64 -accel $accelerator -cpu max -smp 2 -m 10G -display none -serial "file:$work/vm.console" -pidfile "$work/vm.pid" -daemonize \
    -kernel "$root/vmlinuz" -initrd "$root/initrd.img" -append "root=/dev/vda rw console=ttyS0" -drive "file=$work/vm.disk,if=virtio,format=raw,cache=unsafe" \
    -netdev "user,id=net,hostfwd=tcp:127.0.0.1:$port-:22" -device virtio-net-pci,netdev=net
}
inside() { ssh -q -i "$work/key" -p $port -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o ConnectTimeout=20 root@127.0.0.1 "cd ringside; set -e; $*"; }
# booted BEFORE: waits until the machine has booted with another id than BEFORE.
booted() {
  local id until=$((SECONDS + 1800))
  until id=$(inside cat /proc/sys/kernel/random/boot_id) && [[ $id != "$1" ]]; do ((SECONDS < until)) || return 1; done
  inside 'systemctl is-system-running --wait; stat -fc %T /sys/fs/cgroup | grep -x cgroup2fs; uname -r'
}
reboot() {
  local id
  id=$(inside cat /proc/sys/kernel/random/boot_id)
  inside systemctl reboot || true # the connection ends
  booted "$id"
}

: >"$log"
step "root file system" make_root debian-12 "$root" systemd-sysv libpam-systemd dbus openssh-server linux-image-amd64 udev iproute2
step "build" enter "$root" bash -euo pipefail -c "$built"
step "disk" configure
step "disk" disk
step "start" start
trap 'kill "$(cat "$work/vm.pid")"' EXIT
step "boot" booted none
step "make experiment, make cluster-down" inside "build/bin/host-unchanged sh -c 'make experiment $smoke ARGS=\"--set spec.store.values.nodes=2 --set spec.store.values.replicationFactor=2 --set spec.store.readyTimeout=90m --set spec.load.timeout=90m\" && make cluster-down'"
step "services are off" inside '! systemctl is-active containerd; ! systemctl is-enabled containerd'
step "make cluster-up" inside "make cluster-up $smoke"
step "reboot" reboot
step "make cluster-up resumes" inside "make cluster-up $smoke; make cluster-down"
step "make uninstall" inside "make uninstall; $packages | diff /root/packages-before -; [ ! -e build ]"
