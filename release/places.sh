# shellcheck shell=bash
# Where a release is published, for GoReleaser. GitHub Actions sets GITHUB_REPOSITORY and GITHUB_SERVER_URL; elsewhere the home of the project is used.
repository=${GITHUB_REPOSITORY:-ringside/ringside}
export OWNER=${repository%/*} REPOSITORY=${repository#*/}
if [[ ${GITHUB_REPOSITORY:-} ]]; then home=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY; else home=https://ringside.dev/ringside; fi
export DOWNLOADS=${DOWNLOADS:-$home/releases/download/v$VERSION}
