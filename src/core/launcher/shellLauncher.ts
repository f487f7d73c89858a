// The launcher for sh (GATE-5). Pure: the text of the file. It runs nothing but the runtimes that it tries, looks for
// `node` in absolute folders of PATH only, since agents start it in the folder of a project, and takes nothing from stdin,
// which is the agent's. A runtime whose place somebody else could have taken is not tried; PATH is the person's own word.
// It becomes the program (`exec`), so that signals and the exit code are the program's own.
import { program } from './binPaths.ts';
import type { LauncherText } from './launcherText.ts';
import { usableNode, usableNodePattern } from './nodeRule.ts';

export function shellLauncher({ folder, build, runtimes }: LauncherText): string {
  return `#!/bin/sh
# Starts the command line of MCP Roundhouse. Its extension makes this file anew: what is changed here does not last.
set -f
build=${quoted(build)}
folder=\${0%/*}
[ -f "$folder/$build/${program}" ] || folder=${quoted(folder)}
program=$folder/$build/${program}
if [ ! -f "$program" ]; then
  printf '%s\\n' "mcp-roundhouse: $program is not there. Open your editor once, so that its extension MCP Roundhouse makes it again." >&2
  exit 127
fi

works() {
  [ -f "$1" ] && [ -x "$1" ] || return 1
  case $(ELECTRON_RUN_AS_NODE=1 "$1" --version 2>/dev/null </dev/null) in
    ${usableNodePattern}) return 0 ;;
  esac
  return 1
}

# Nobody but this person and root has put it there, and nobody else can. Asks the system's own tools, whatever PATH says.
guarded() (
  PATH=/usr/bin:/bin:/run/current-system/sw/bin:/run/current-system/profile/bin
  own=$(id -u) || exit 1
  wrong=$(find "$1" -prune ! \\( -type f \\( -user 0 -o -user "$own" \\) ! -perm -0020 ! -perm -0002 \\) 2>&1) || exit 1
  [ -z "$wrong" ] || exit 1
  place=$1
  set --
  while [ -n "$place" ]; do
    place=\${place%/*}
    set -- "$@" "\${place:-/}"
  done
  wrong=$(find "$@" -prune ! \\( -type d \\( -user 0 -o -user "$own" \\) \\( ! -perm -0002 -o -perm -1000 \\) \\) 2>&1) || exit 1
  [ -z "$wrong" ]
)

for runtime in ${runtimes.map(quoted).join(' ')}; do
  if guarded "$runtime" && works "$runtime"; then
    ELECTRON_RUN_AS_NODE=1
    export ELECTRON_RUN_AS_NODE
    exec "$runtime" "$program" "$@"
  fi
done

before=$IFS
IFS=:
for place in $PATH; do
  IFS=$before
  case $place in
    /*) if works "$place/node"; then exec "$place/node" "$program" "$@"; fi ;;
  esac
done

printf '%s\\n' 'mcp-roundhouse: nothing here can run it. It needs ${usableNode}, as "node" on PATH, or the editor that it was installed with, in a place that only you can write to. These did not work:' >&2
for runtime in ${[...runtimes.map(quoted), "'node, in the folders of PATH'"].join(' ')}; do printf '  %s\\n' "$runtime" >&2; done
exit 127
`;
}

/** One word of sh, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
