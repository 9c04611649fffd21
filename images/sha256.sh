#!/usr/bin/env bash
# Defines sha256, with the options of sha256sum that its other names share, also on a Mac. Source it.
sha256() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
