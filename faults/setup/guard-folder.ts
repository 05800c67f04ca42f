/** Ends whatever runs in a folder and removes it, when told to and also when we end ourselves, however that happens. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** It reads until its input closes, which the system does for us if nobody else can. */
const SCRIPT = `cat > /dev/null
for round in 1 2 3 4 5; do
  found=
  for process in /proc/[0-9]*; do
    case "$(readlink "$process/cwd")/" in
      "$0"/*) kill -9 "\${process#/proc/}" && found=yes ;;
    esac
  done
  [ -z "$found" ] && break
  sleep 0.2
done 2> /dev/null
rm -rf "$0"`

export function guardFolder(folder: string): { clear(): Promise<void> } {
  // In a group of its own, so that a Ctrl-C in the terminal does not end it before its work.
  const guard = spawn('sh', ['-c', SCRIPT, folder], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const ended = once(guard, 'exit')
  return {
    async clear() {
      guard.stdin.end()
      await ended
    },
  }
}
