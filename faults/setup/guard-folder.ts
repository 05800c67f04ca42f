/** Kills all processes in a folder and removes it, on request and also when this process ends for any reason. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The script reads until its input closes; the operating system closes it if this process is killed. */
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
  // In a separate process group, so that a Ctrl-C in the terminal does not end it too early.
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
