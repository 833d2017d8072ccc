#!/usr/bin/env bash
# From a fresh clone to figures, executed notebooks and one report of all claims.
set -euo pipefail

usage() {
	cat <<'USAGE'
usage: ./reproduce.sh [--setup] [--quick] [--only ID,...] [--check | --update]
       ./reproduce.sh --notebook DIR

Sets up GoNB inside the checkout (.tools/), runs the experiments, executes the
notebooks without a browser, writes a report of all claims, and compares all
tables with those in figures/. Where no Python has nbclient and nbconvert, the
system package jupyter-nbconvert is installed with apt-get (as root, or by sudo
when it asks for no password), else they go into a virtual environment in
.tools/. Everything is written below build/ and .tools/; only --update changes
files that are committed.

  --setup      set up, and no more: with gopls, which completes names in notebooks
  --quick      small runs, for a first look and for CI: results in build/quick/;
               without it the papers' own sizes, results in build/paper/
  --only IDS   only these experiments and the notebooks that belong to them, or
               notebooks without an experiment, such as ask
  --check      end with status 1 where a table differs from figures/ by more than
               rounding and measured times; tables for which data are missing do not count
  --update     put the results into figures/ and the executed notebooks into
               notebooks/; refused where data are missing
  --notebook DIR
               set up, and make a notebook that runs in a new folder outside the
               checkout; says how to open it
  -h, --help   this text

Executed notebooks go to build/notebooks/ (.ipynb and .html). The first failure
ends the run: an experiment that fails or whose expected claim does not hold, or
a failing notebook cell.

environment:
  BNLAB_DATA          folder with data sets that are not shipped
  BNLAB_OFFLINE=1     do not try to fetch data sets
  BNLAB_PYTHON        the Python that has nbclient, nbformat and nbconvert
  BNLAB_CELL_TIMEOUT  seconds a notebook cell may take (600)
USAGE
}

say() { printf '[%3d s] %s\n' "$SECONDS" "$*"; }
die() {
	printf 'reproduce.sh: %s\n' "$*" >&2
	exit 1
}
bad_usage() {
	printf 'reproduce.sh: %s (./reproduce.sh --help explains)\n' "$*" >&2
	exit 2
}

absolute() { # a path as the caller meant it, before this script changes folder
	case $1 in
	/*) printf '%s' "$1" ;;
	*) printf '%s/%s' "$PWD" "$1" ;;
	esac
}

# new_folder prints the path of a folder that a notebook can be made in: one that is not there yet, or is empty, and
# not in the checkout. Set-up may take a minute, so it comes before.
new_folder() {
	local dir=$1 up
	case $dir in # which a shell leaves alone in quotes and behind --notebook=
	'~' | '~/'*) dir=${HOME:-}${dir#'~'} ;;
	'~'*) die "whose folder $dir is, this script does not know; write the whole path" ;;
	esac
	dir=$(absolute "$dir")
	[[ -d $dir || ! (-e $dir || -L $dir) ]] || die "$dir is not a folder; name one that is not there yet"
	[[ ! -d $dir || -z $(ls -A "$dir") ]] || die "there is something in $dir; name a folder that is not there yet"
	up=$dir
	while [[ -n $up && ! -e $up ]]; do
		up=${up%/*}
	done
	local rest=${dir#"$up"}
	up=${up:-/}
	[[ -d $up ]] || die "$up is not a folder, so $dir cannot be one; name another"
	up=$(cd -P -- "$up" && pwd -P)
	[[ $up/ != "$(root)"/* ]] || die "$dir is inside the checkout; name a folder outside of it, as in --notebook ~/mine"
	[[ $rest/ != */../* ]] || die "'..' in $dir leads out of a folder that is not there yet; write the path without it"
	[[ -w $up ]] || die "nothing can be written in $up; name another folder"
	printf '%s' "$dir"
}

# make_notebook makes it in an absolute path, and says how it is opened.
make_notebook() {
	mkdir -p -- "$1" || die "the folder $1 could not be made; name another one"
	local dir
	dir=$(cd -P -- "$1" && pwd -P)
	go run ./notebooks/internal/start "$root" "$dir" || die "the notebook could not be written in $dir"
	say "a new notebook: $dir/notebook.ipynb
  open it     $(printf '%q' "$dir/open.sh")
  or run it   $(printf '%q ' "$(cat .tools/python)" "$root/notebooks/internal/execute.py" \
		"$dir/notebook.ipynb")--out $(printf '%q' "$dir/out")"
}

# setup installs what is missing. A stamp of all it depends on makes the second
# run quick; the kernel's own description holds absolute paths, so $root is in it.
setup() {
	local go_version want python stamp
	go_version=$(go_version)
	check_places
	mkdir -p .tools build
	python=$(find_python) || {
		install_python
		python=$(find_python) || die "no Python here has nbclient, nbformat and nbconvert.
Install them (Debian, Ubuntu: apt-get install jupyter-nbconvert; elsewhere:
pip install nbclient nbformat nbconvert), or set BNLAB_PYTHON to a Python that has them."
	}
	printf '%s\n' "$python" >.tools/python
	want="$root $go_version $(go env GOMODCACHE) $kernel_flags $(cat {.,"$duckdb","$scale"}/go.{mod,sum} | cksum)"
	stamp=$(cat .tools/stamp 2>/dev/null || true)
	if [[ $stamp == "$want" && -x .tools/bin/gonb && -x .tools/bin/goimports ]]; then
		return
	fi
	say "set-up: Go modules"
	# A notebook's workspace reads the go.mod of every module there is, and must find
	# them without network. DuckDB is there for six systems, 200 MB each, of which go
	# list takes this one's.
	go mod download || die "the Go modules could not be downloaded; this needs the network once"
	local module
	for module in "$duckdb" "$scale"; do
		(cd "$module" && go list -e -deps ./... >/dev/null) ||
			die "the Go modules of $module could not be downloaded; this needs the network once"
	done
	say "set-up: GoNB"
	GOBIN="$root/.tools/bin" go install github.com/janpfeifer/gonb golang.org/x/tools/cmd/goimports ||
		die "GoNB did not compile"
	JUPYTER_DATA_DIR="$root/.tools/jupyter" PATH="$root/.tools/bin:$PATH" \
		"$root/.tools/bin/gonb" --install --force_deps --raw_error >.tools/gonb-install.log 2>&1 ||
		die "the Jupyter kernel could not be installed; see $root/.tools/gonb-install.log"
	# The kernel carries the flags that its cells are built with, so that the user's own do not count.
	"$python" -c '
import json, sys
path, flags = sys.argv[1:]
spec = json.load(open(path))
spec["env"].update(GOFLAGS=flags, GOWORK="")
json.dump(spec, open(path, "w"))' .tools/jupyter/kernels/gonb/kernel.json "$kernel_flags" ||
		die "the Jupyter kernel could not be described in $root/.tools/jupyter/kernels/gonb/kernel.json"
	printf '%s' "$want" >.tools/stamp
}

# check_places looks at the folders that everything else needs.
check_places() {
	local place temporary=${TMPDIR:-/tmp} probe
	[[ $root != *:* ]] || die "a colon in the path of the checkout, $root, splits PATH: move it to one without"
	for place in .tools/bin .tools/jupyter .tools build; do
		[[ -e $place ]] || place=$([[ -d ${place%/*} ]] && printf '%s' "${place%/*}" || printf .)
		[[ -w $place ]] || die "$(id -un) cannot write in $place of $root: make a copy of the checkout that is yours, as in
cp -R $(printf '%q' "$root") ~/bnlab && rm -rf ~/bnlab/.tools ~/bnlab/build, and run it there"
	done
	probe=$(mktemp "$temporary/bnlab.XXXXXX" 2>/dev/null) ||
		die "no file can be made in the temporary folder $temporary: set TMPDIR to another, as in TMPDIR=~/tmp"
	printf '#!/bin/sh\n' >"$probe"
	chmod 700 "$probe"
	if ! "$probe" 2>/dev/null; then
		rm -f "$probe"
		die "no program can run in the temporary folder $temporary (noexec?): set TMPDIR to another, as in
TMPDIR=~/tmp"
	fi
	rm -f "$probe"
}

# setup_gopls installs what an open notebook needs besides: the library, compiled, and
# what completes names. Runs without a browser do without it, and so can a user who has
# no network.
setup_gopls() {
	compile_library
	local want="$gopls $(go env GOVERSION)"
	[[ -x .tools/bin/gopls && $(cat .tools/gopls-stamp 2>/dev/null) == "$want" ]] && return
	say "set-up: gopls, for Tab and Shift-Tab in a notebook"
	if GOBIN="$root/.tools/bin" go install "golang.org/x/tools/gopls@$gopls" >.tools/gopls-install.log 2>&1; then
		printf '%s' "$want" >.tools/gopls-stamp
	else
		say "set-up: without gopls: Tab and Shift-Tab complete nothing; see $root/.tools/gopls-install.log"
	fi
}

# compile_library compiles what cells import, with the flags that they are built with,
# so that the first cell of a notebook answers at once.
compile_library() {
	local packages stale log=.tools/compile.log
	packages=$(go list -f '{{if ne .Name "main"}}{{.ImportPath}}{{end}}' ./bnkit/... ./datasets/... \
		./experiments/... 2>/dev/null) || true
	[[ -n $packages ]] || return 0
	# shellcheck disable=SC2086 # import paths have no spaces
	stale=$(GOFLAGS=$kernel_flags go list -deps -f '{{if .Stale}}{{.ImportPath}}{{end}}' $packages | grep -c .) || return 0
	say "set-up: the library, for cells: $stale packages to compile"
	# shellcheck disable=SC2086
	GOFLAGS=$kernel_flags go build -v $packages 2>&1 | tee "$log" | show_count "$stale" ||
		die "the library did not compile; see $root/$log"
}

# show_count counts lines on a terminal, and is quiet in a log.
show_count() {
	local n=0
	while read -r _; do
		n=$((n + 1))
		[[ ! -t 1 ]] || printf '\r        %d of %d' "$n" "$1"
	done
	[[ ! -t 1 ]] || printf '\r%30s\r' ''
}

# go_version prints the version of Go, or says what is wrong with it. Only the
# shell's own commands before this: a PATH without Go may lack other things too.
go_version() {
	local need version
	need=$(go_mod_version)
	command -v go >/dev/null ||
		die "there is no 'go' on PATH; install Go $need or newer (https://go.dev/dl/) and try again"
	version=$(go env GOVERSION 2>&1) ||
		die "Go does not run here: $version
bnlab needs Go $need or newer (https://go.dev/dl/)"
	[[ $version =~ ([0-9]+)\.([0-9]+) ]] || die "cannot read the Go version from '$version'"
	local have_major=${BASH_REMATCH[1]} have_minor=${BASH_REMATCH[2]}
	[[ $need =~ ([0-9]+)\.([0-9]+) ]]
	((have_major > BASH_REMATCH[1] || (have_major == BASH_REMATCH[1] && have_minor >= BASH_REMATCH[2]))) ||
		die "$version is too old; install Go $need or newer (https://go.dev/dl/)"
	printf '%s' "$version"
}

go_mod_version() {
	local word version
	while read -r word version; do
		if [[ $word == go ]]; then
			printf '%s' "$version"
			return
		fi
	done <go.mod
}

# find_python prints the first interpreter that can execute notebooks. The name
# python3 says little: Debian's packages serve /usr/bin/python3, and another
# python3 may come first on PATH.
find_python() {
	local python
	for python in "${BNLAB_PYTHON:-}" "$root/.tools/venv/bin/python" python3 /usr/bin/python3 python; do
		if [[ -n $python ]] && "$python" -c 'import nbclient, nbformat, nbconvert' >/dev/null 2>&1; then
			command -v "$python"
			return
		fi
	done
	return 1
}

install_python() {
	local log="$root/.tools/python-install.log" python
	: >"$log"
	if command -v apt-get >/dev/null; then
		local sudo=
		((EUID == 0)) || sudo="sudo -n"
		if [[ -z $sudo ]] || $sudo true 2>/dev/null; then
			say "set-up: apt-get install jupyter-nbconvert"
			local apt="$sudo env DEBIAN_FRONTEND=noninteractive apt-get"
			# A fresh container has no package lists, hence the second attempt.
			if $apt install -y --no-install-recommends jupyter-nbconvert >>"$log" 2>&1 ||
				{ $apt update && $apt install -y --no-install-recommends jupyter-nbconvert; } >>"$log" 2>&1; then
				return
			fi
		fi
	fi
	for python in python3 /usr/bin/python3; do
		command -v "$python" >/dev/null || continue
		say "set-up: a virtual environment in .tools/venv"
		if "$python" -m venv .tools/venv >>"$log" 2>&1 &&
			.tools/venv/bin/python -m pip install nbclient==0.10.2 nbformat==5.10.4 nbconvert==7.16.6 >>"$log" 2>&1; then
			return
		fi
		rm -rf .tools/venv
	done
	printf 'reproduce.sh: neither apt-get nor pip could install Jupyter; see %s\n' "$log" >&2
}

# choose_experiments fills $ids, and $here with those that the runner runs. DuckDB is in a module of its own that needs a C
# compiler; where that builds, its command runs the experiment scale with DuckDB
# beside memory, and the runner the others.
choose_experiments() {
	local id known wanted
	known=$(.tools/bin/experiments -list | tail -n +2 | cut -d' ' -f1 | tr '\n' ' ')
	wanted=${only:-$known} ids=() here=() with_duckdb=''
	for id in ${wanted//,/ }; do
		if [[ " $known " != *" $id "* ]] && compgen -G "notebooks/[0-9][0-9]-$id.ipynb" >/dev/null; then
			continue # a notebook may have no experiment
		fi
		ids+=("$id")
		if [[ $id == scale ]] && has_duckdb; then
			with_duckdb=yes
		else
			here+=("$id")
		fi
	done
}

has_duckdb() {
	if [[ $(cd "$scale" && go env CGO_ENABLED) == 1 ]] && command -v "$(go env CC)" >/dev/null &&
		(cd "$scale" && go build -o "$root/.tools/bin/scale" .); then
		return
	fi
	say "scale: without DuckDB, which needs a C compiler"
	return 1
}

# run_experiments runs one of the two commands, and ends with it.
run_experiments() {
	local status=0
	"$@" || status=$?
	case $status in
	0) ;;
	2 | 130) exit "$status" ;; # an unknown id, Ctrl-C: the command has said it
	*)
		die "the experiments failed, or a regression test among the claims did: see above
and $root/$out/REPORT.md. The notebooks were not executed."
		;;
	esac
}

# choose_notebooks fills $notebooks: all, or those named NN-ID.ipynb for the ids.
choose_notebooks() {
	local id path
	notebooks=()
	for path in notebooks/[0-9][0-9]-*.ipynb; do
		[[ -e $path ]] || continue
		id=${path#notebooks/[0-9][0-9]-}
		id=${id%.ipynb}
		if [[ -z $only || ,$only, == *,"$id",* ]]; then
			notebooks+=("$path")
		fi
	done
}

# update_reference puts what has run into figures/ and notebooks/, a folder or a file at a time and each whole.
update_reference() {
	local path
	if ((${#ids[@]})); then
		.tools/bin/experiments -update -out "$root/$out" "${ids[@]}" || die "figures/ is not updated, see above"
	fi
	if ((${#notebooks[@]})); then
		for path in "${notebooks[@]}"; do
			cp "build/$path" "$path.new" && mv "$path.new" "$path"
		done
		say "notebooks/ updated"
	fi
	go run ./notebooks/internal/prose -update ||
		die "sentences in the notebooks no longer agree with figures/, see above: mend them, then run
go run ./notebooks/internal/prose"
	go run ./notebooks/internal/index -update ||
		die "the notebooks lack what their index needs, see above"
}

check_ids() {
	local letter='[abcdefghijklmnopqrstuvwxyz0123456789]' # a-z is not these in every language
	[[ $1 =~ ^$letter+(,$letter+)*$ ]] ||
		bad_usage "--only takes ids separated by commas, as in --only quickstart,sharing; not '$1'"
}

# root prints the folder of the checkout.
root() {
	case ${BASH_SOURCE[0]} in */*) cd -P -- "${BASH_SOURCE[0]%/*}" ;; esac
	pwd -P
}

shopt -u nocasematch # which bash -O and BASHOPTS hand on
setup_only='' profile=paper only='' check='' update='' notebook=''
while (($#)); do
	case $1 in
	--setup) setup_only=yes ;;
	--quick) profile=quick ;;
	--check) check=yes ;;
	--update) update=yes ;;
	--only)
		(($# > 1)) || bad_usage "--only needs the ids of experiments, as in --only sharing"
		check_ids "$2"
		only=$2
		shift
		;;
	--only=*)
		check_ids "${1#--only=}"
		only=${1#--only=}
		;;
	--notebook)
		[[ -n ${2:-} && $2 != -* ]] || bad_usage "--notebook needs a folder, as in --notebook ~/mine"
		notebook=$2
		shift
		;;
	--notebook=?*) notebook=${1#--notebook=} ;;
	-h | --help)
		usage
		exit
		;;
	*) bad_usage "there is no option '$1'" ;;
	esac
	shift
done
[[ $profile == paper || -z $check$update ]] ||
	bad_usage "figures/ has the papers' sizes, so --quick cannot go with --check or --update"
[[ -z $check || -z $update ]] || bad_usage "--update puts results into figures/, so it cannot go with --check"
[[ -z $notebook || $profile$only$check$update == paper ]] ||
	bad_usage "--notebook makes a notebook and runs nothing, so it cannot go with --quick, --only, --check or --update"

if [[ -n ${BNLAB_DATA:-} ]]; then
	BNLAB_DATA=$(absolute "$BNLAB_DATA")
	[[ -d $BNLAB_DATA ]] || die "BNLAB_DATA is $BNLAB_DATA, which is not a folder; correct or unset it"
	export BNLAB_DATA
fi
if [[ ${BNLAB_PYTHON:-} == */* ]]; then
	BNLAB_PYTHON=$(absolute "$BNLAB_PYTHON")
fi

unset CDPATH
if [[ -n $notebook ]]; then
	notebook=$(new_folder "$notebook")
fi
root=$(root)
cd "$root"
duckdb=bnkit/sqldata/duckdb
scale=experiments/scale/duckdb # the experiment with DuckDB
gopls=v0.23.0 # later ones want a later Go
# Most of a cell's time is linking, a quarter of that tables of symbols (-s) that nobody reads, the formats that
# gonum/plot writes besides PNG and SVG (minimal) and, on Linux, C's resolver of names (netgo, osusergo). A first cell
# makes a workspace, which -mod=mod would break.
kernel_flags='-mod=readonly -ldflags=-s -tags=minimal'
[[ $OSTYPE != linux* ]] || kernel_flags+=,netgo,osusergo

# A user's own flags or workspace (go env -w, a go.work further up) must not change
# the build. Version stamps are off because git refuses another user's checkout.
export GOFLAGS="-mod=readonly -buildvcs=false" GOWORK=off
# Go keeps its caches below HOME; a service account may have none it can write to.
if [[ -z ${HOME:-} || ! -w $HOME ]]; then
	export HOME="$root/.tools/home"
fi

setup
if [[ -n $notebook ]]; then
	setup_gopls
	make_notebook "$notebook"
	exit
fi
if [[ -n $setup_only ]]; then
	setup_gopls
	say "set up: $root/.tools"
	exit
fi

out=build/$profile
say "experiments: profile $profile, results in $out/"
# With the flags of cells, so that no package is compiled twice.
GOFLAGS="$kernel_flags -buildvcs=false" go build -o .tools/bin/experiments ./experiments ||
	die "the experiments did not compile"
if [[ -n $update ]]; then
	lacking=$(.tools/bin/experiments -lacking) || die "the data that --update needs could not be looked up, see above"
	[[ -z $lacking ]] || die "figures/ is made with all data, so --update needs these; set BNLAB_DATA or go online:
$lacking"
fi
choose_experiments
if ((${#here[@]})); then
	run_experiments .tools/bin/experiments -profile "$profile" -out "$root/$out" "${here[@]}"
fi
if [[ -n $with_duckdb ]]; then
	run_experiments .tools/bin/scale -profile "$profile" -out "$root/$out"
fi

status=0
choose_notebooks
if ((${#notebooks[@]})); then
	say "notebooks: ${#notebooks[@]}"
	BNLAB_PROFILE=$profile BNLAB_OUT="$root/$out" "$(cat .tools/python)" \
		notebooks/internal/execute.py --out build/notebooks "${notebooks[@]}" || status=$?
	case $status in
	0) ;;
	130) exit 130 ;;
	*) die "a notebook failed, see above; what it printed is in $root/build/notebooks" ;;
	esac
else
	say "notebooks: none${only:+ for $only}"
fi
if [[ -n $update ]]; then
	update_reference
fi

differs=''
if [[ $profile == paper && ${#ids[@]} -gt 0 ]]; then
	.tools/bin/experiments -compare -out "$root/$out" "${ids[@]}" || differs=yes
fi
say "done"
for what in "report $out/REPORT.md" "comparison $out/COMPARISON.txt" "figures $out" "notebooks build/notebooks"; do
	if [[ -e ${what#* } ]]; then
		printf '  %-11s %s\n' "${what%% *}" "$root/${what#* }"
	fi
done
[[ -z $check || -z $differs ]] || exit 1
