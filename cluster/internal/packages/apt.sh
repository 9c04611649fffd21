#!/usr/bin/env bash
# Installs and removes Debian packages, in the same way everywhere. ringside-cluster contains this file.
# Usage: apt.sh install PACKAGE... | apt.sh uninstall
#
# It waits while another program uses apt. No package is removed to install another, no service is started, restarted or enabled, and changed
# configuration files stay. It records each package that was not there before. uninstall removes these, and only these.
set -euo pipefail
root=${RINGSIDE_HOST:-} # of the host's files; only tests set it
record=$root/var/lib/ringside/packages
policy=$root/usr/sbin/policy-rc.d # the program that maintainer scripts run before they start a service
mark='# ringside-cluster: no service starts while it installs packages'
patience=${RINGSIDE_APT_PATIENCE:-600} # seconds to wait for other programs
log=$(mktemp)
doing='' held='' ours='' requested=''

# NEEDRESTART_*: needrestart restarts services after any installation, unless it is told not to.
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive APT_LISTCHANGES_FRONTEND=none NEEDRESTART_SUSPEND=1 NEEDRESTART_MODE=l
options=(-q -y --no-install-recommends -o DPkg::Lock::Timeout=$((patience < 10 ? patience : 10)) -o APT::Get::AutomaticRemove=false
  -o DPkg::Options::=--force-confdef -o DPkg::Options::=--force-confold)

fail() {
  echo "ringside: $doing: $*" >&2
  exit 1
}

# get ARGUMENT...: runs apt-get. apt itself waits for dpkg's lock only, so this repeats the command while any of its locks is held.
get() {
  local until=$((SECONDS + patience)) reported=
  while ! apt-get "${options[@]}" "$@" </dev/null >"$log" 2>&1; do
    grep -q 'Could not get lock' "$log" || return 1
    held=$(sed -nE 's/.*Could not get lock .*It is held by (process [0-9]+ \([^)]*\)).*/\1/p' "$log" | tail -n 1)
    held=${held:-another program}
    ((SECONDS < until)) || return 1
    if [[ $held != "$reported" ]]; then echo "ringside: $doing: waiting for $held, which uses apt"; fi
    reported=$held
    read -rt 2 <> <(:) || true # a wait of two seconds without another process
  done
  held=
}

# explain: ends with the reason of the last failure of get.
explain() {
  [[ -z $held ]] || fail "$held has used apt for $((patience / 60)) minutes; wait until it ends, then run the command again"
  fail "apt-get failed: $(grep -m 1 '^E:' "$log" | cut -c 4- || tail -n 1 "$log") (log: $log); check the machine's package sources and its network"
}

# forbid_services: prevents service starts while this process lives. An administrator's policy stays. A policy of ours that a killed
# installation left behind has no effect and removes itself, so it never affects others.
forbid_services() {
  if [[ -e $policy ]] && ! grep -qF "$mark" "$policy"; then return; fi
  # shellcheck disable=SC2016 # $0 is for the script
  printf '#!/bin/sh\n%s\nif [ -d /proc/%d ]; then exit 101; fi\nrm -f -- "$0"\nexit 0\n' "$mark" $$ >"$policy"
  ours=yes
  chmod 755 "$policy"
}

is_installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# remember: records what the last apt-get has installed, and removes the links that would start its services at boot.
remember() {
  local name kind
  while read -r name; do
    is_installed "$name" || continue
    rm -f "$root"/etc/systemd/system/*.wants/"$name".{service,socket,timer}
    kind=dependency
    if [[ " $requested " == *" $name "* ]]; then kind=requested; fi
    mkdir -p "$(dirname "$record")"
    grep -q "^$name " "$record" 2>/dev/null || echo "$name $kind" >>"$record"
  done < <(awk '/^The following NEW packages will be installed:/ {on = 1; next} !/^ / {on = 0} on' "$log" | xargs -rn 1)
}

install() {
  doing="install $*"
  ((EUID == 0)) || [[ $root ]] || fail "this needs root; run the command as root, or install them yourself"
  forbid_services
  requested=$*
  get install --no-remove "$@" && return
  [[ -z $held ]] || explain
  remember
  get update || explain # the lists may be old, or missing
  get install --no-remove "$@" || explain
}

# others NAME...: sets strangers to the packages that would be removed with these, or installed in their place.
others() {
  get -s remove "$@" || explain
  strangers=$(comm -13 <(printf '%s\n' "$@" | sort -u) <(awk '$1 ~ /^(Remv|Purg|Inst)$/ {print $2}' "$log" | sort -u))
  [[ $strangers ]]
}

# keep PACKAGE...: moves from names to kept what these packages need, and themselves.
keep() {
  local needed mine
  mine=$(printf '%s\n' "${names[@]}" | sort -u)
  needed=$(apt-cache depends --recurse --installed --no-{recommends,suggests,conflicts,breaks,replaces,enhances} "$@" | sed -nE 's/^([a-z0-9][^ :]*).*/\1/p' | sort -u)
  mapfile -t names < <(comm -23 - <(echo "$needed") <<<"$mine")
  mapfile -t -O ${#kept[@]} kept < <(comm -12 - <(echo "$needed") <<<"$mine")
}

uninstall() {
  doing="remove packages"
  local name kind names=() kept=() system=() strangers all
  [[ -s $record ]] || { echo "ringside: no package is recorded as installed by Ringside"; return; }
  ((EUID == 0)) || [[ $root ]] || fail "this needs root; run the command as root"
  while read -r name kind; do
    is_installed "$name" || continue
    # A dependency that somebody has requested since is theirs.
    if [[ $kind == dependency && $(apt-mark showmanual "$name") ]]; then kept+=("$name"); else names+=("$name"); fi
    # Only a minimal system lacks a package that the system itself needs. apt-get rejects its removal.
    if [[ $(dpkg-query -W -f '${Essential} ${Important} ${Protected}' "$name") == *yes* ]]; then system+=("$name"); fi
  done <"$record"
  if ((${#system[@]} && ${#names[@]})); then keep "${system[@]}"; fi
  # What packages of others need stays.
  while ((${#names[@]})) && others "${names[@]}"; do
    all=${#names[@]}
    # shellcheck disable=SC2086 # several names
    keep $strangers
    ((${#names[@]} < all)) || fail "packages that Ringside did not install would go too: ${strangers//$'\n'/ }; remove them first, or keep all"
  done
  if ((${#names[@]})); then
    echo "ringside: removing ${names[*]}"
    forbid_services
    get remove "${names[@]}" || explain
  fi
  if ((${#kept[@]})); then echo "ringside: kept, because other packages or the system need them: ${kept[*]}"; fi
  rm "$record"
  rmdir --ignore-fail-on-non-empty "$(dirname "$record")"
}

leave() {
  local code=$?
  trap '' INT TERM # a second signal must not prevent the record
  if [[ $requested ]]; then remember; fi
  if [[ $ours ]]; then rm -f "$policy"; fi
  if ((code == 0)); then rm -f "$log"; fi
}
trap leave EXIT
trap 'exit 130' INT TERM

case ${1:-} in
install | uninstall) "$@" ;;
*)
  echo "usage: apt.sh install PACKAGE... | apt.sh uninstall" >&2
  exit 2
  ;;
esac
