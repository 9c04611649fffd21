#!/usr/bin/env bash
# Writes the version of a release into charts, Maven modules and the changelog, whose unreleased changes become those of the version. A second call
# changes nothing. Usage: release/prepare.sh VERSION
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:?usage: release/prepare.sh VERSION}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] ||
  { echo "ringside: prepare a release: version $version is not semantic; use <major>.<minor>.<patch>, as in 1.2.3 or 1.2.3-rc.1" >&2; exit 2; }
for chart in charts/*/Chart.yaml; do
  # The application of a chart has the chart's version if it is a part of the repository.
  old=$(sed -n 's/^version: //p' "$chart")
  sed -i -E "s/^version: .*/version: $version/; s/^appVersion: ${old//./\\.}$/appVersion: $version/" "$chart"
done
# Modules of ours in POMs, and in the documentation for users of the library.
git ls-files images | grep -E '(^|/)(pom\.xml|README\.md)$' |
  xargs perl -0pi -e "s|(<groupId>dev\\.ringside[\\w.]*</groupId>\\s*<artifactId>[\\w.-]+</artifactId>\\s*<version>)[^<\\\$]+(?=</version>)|\${1}$version|g"
grep -qF "## [$version] - " CHANGELOG.md || sed -i "s/^## \[Unreleased\]$/&\n\n## [$version] - $(date -u +%F)/" CHANGELOG.md
