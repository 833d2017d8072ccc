#!/bin/sh
# Opens the notebook beside this file, on the kernel of the checkout. Arguments go to Jupyter.
checkout=CHECKOUT
if [ ! -x "$checkout/.tools/bin/gonb" ]; then
	echo "there is no kernel in $checkout/.tools: run reproduce.sh --setup there; if the checkout has moved, correct
this file, go.work and the notebook's first cell" >&2
	exit 1
fi
# The kernel's description holds absolute paths; the stamp of the set-up begins with the checkout that they are of.
made=
{ IFS= read -r made <"$checkout/.tools/stamp"; } 2>/dev/null
case $made in
"$(cd "$checkout" && pwd -P) "*) ;;
*)
	echo "the kernel in $checkout/.tools was set up in another folder: run reproduce.sh --setup there" >&2
	exit 1
	;;
esac
export JUPYTER_PATH="$checkout/.tools/jupyter${JUPYTER_PATH:+:$JUPYTER_PATH}" PATH="$checkout/.tools/bin:$PATH"
cd "$(dirname "$0")" || exit
[ "$(id -u)" != 0 ] || set -- --allow-root "$@"
for jupyter in jupyter-notebook jupyter-lab; do
	if command -v "$jupyter" >/dev/null; then
		exec "$jupyter" notebook.ipynb "$@"
	fi
done
echo "there is no Jupyter on PATH: apt-get install jupyter-notebook, or pip install notebook" >&2
exit 1
