# shellcheck shell=bash
# What a release is built from, and where it is published: for the scripts of a release and GoReleaser. GitHub Actions sets GITHUB_REPOSITORY and
# GITHUB_SERVER_URL; elsewhere the home of the project is used.
COMMIT=$(git rev-parse HEAD)
COMMIT_DATE=$(git log -1 --format=%cI)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export COMMIT COMMIT_DATE SOURCE_DATE_EPOCH
repository=${GITHUB_REPOSITORY:-ringside/ringside}
export OWNER=${repository%/*} REPOSITORY=${repository#*/}
if [[ ${GITHUB_REPOSITORY:-} ]]; then home=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY; else home=https://ringside.dev/ringside; fi
export DOWNLOADS=${DOWNLOADS:-$home/releases/download/v$VERSION}
