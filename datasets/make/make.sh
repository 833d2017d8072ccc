#!/usr/bin/env bash
# Makes the data.csv of the five shipped data sets from Debian packages.
#
# Needs: Debian 12 (or its package archive) with apt-get and dpkg-deb, R for
# the one set that is stored in R's own format (apt-get install r-base-core),
# and Go. It was run once; its results are committed. No build, test or
# reproduction runs it. Running it again gives the same bytes, or stops.
#
#   datasets/make/make.sh
set -euo pipefail
cd "$(dirname "$0")"

weka=weka=3.6.14-3
mclust=r-cran-mclust=6.0.0-1

for tool in apt-get dpkg-deb Rscript go sha256sum; do
  command -v "$tool" >/dev/null || { echo "make.sh: $tool is missing" >&2; exit 1; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && apt-get download "$weka" "$mclust")
for package in "$work"/*.deb; do dpkg-deb -x "$package" "$work/root"; done

# mclust keeps its data in a lazy-load database: Rdata.rdb and Rdata.rdx.
Rscript --vanilla - "$work/root/usr/lib/R/site-library/mclust/data/Rdata" "$work/thyroid.csv" <<'R'
arguments <- commandArgs(trailingOnly = TRUE)
data <- new.env()
invisible(lazyLoad(arguments[1], envir = data))
write.csv(data$thyroid, arguments[2], row.names = FALSE, quote = FALSE)
R

go run . -weka "$work/root/usr/share/doc/weka/examples" -thyroid "$work/thyroid.csv" -out ..
sha256sum -c shipped.sha256
