/**
 * A clean Debian 12 made by debootstrap, with its own systemd, processes, users, mounts and network: a folder and the
 * kernel's namespaces. Needs root. The network has only the loopback device; `withNetwork` gives one command the network
 * of this machine, for apt.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../copy-checkout.ts'

const BASE_FILE = join(ROOT, 'node_modules/.cache/debian-with-systemd.tar')
const PACKAGES = 'systemd,systemd-sysv,dbus,ca-certificates,iproute2'
const BOOT_MS = 60_000
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export interface Debian {
  /** The folder that is its root. */
  root: string
  /** Runs a script in a root shell and returns what it printed. */
  run(script: string, options?: RunOptions): Promise<string>
  /** Starts a program of this machine in its network. */
  startInNetwork(command: string, args: string[]): ChildProcess
  stop(): Promise<void>
}

interface RunOptions {
  umask?: string
  withNetwork?: boolean
}

export class ScriptFailed extends Error {
  readonly output: string
  constructor(script: string, code: number | null, output: string) {
    super(`Exit code ${code}:\n${script}\n${output}`)
    this.output = output
  }
}

export async function startDebian(): Promise<Debian> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-debian-'))
  const root = join(folder, 'root')
  if (!existsSync(BASE_FILE)) createBase(root)
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root, { mode: 0o755 })
  execFileSync('tar', ['--extract', '--file', BASE_FILE, '--directory', root])
  useNetworkOf(root)
  const namespaces = ['--mount', '--pid', '--fork', '--uts', '--ipc', '--cgroup', '--net']
  const boot = join(import.meta.dirname, 'boot.sh')
  const unshare = spawn('unshare', [...namespaces, '--kill-child', 'sh', boot, root], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const errors = text(unshare.stderr)
  const pid = await findInit(unshare)
  const enter = ['--target', String(pid), '--mount', '--pid', '--uts', '--ipc', '--cgroup']

  async function run(script: string, { umask = '022', withNetwork = false }: RunOptions = {}) {
    const shell = ['bash', '-euo', 'pipefail', '-c', `umask ${umask}\n${script}`]
    const args = [...enter, ...(withNetwork ? [] : ['--net']), '--', ...shell]
    const child = spawn('nsenter', args, {
      cwd: '/',
      env: { PATH, HOME: '/root', LANG: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece: string) => (output += piece))
    }
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) throw new ScriptFailed(script, code, output)
    return output
  }

  async function waitForBoot() {
    const deadlineMs = performance.now() + BOOT_MS
    for (;;) {
      const state = await run('systemctl is-system-running || true').catch(() => '')
      if (/^(running|degraded)$/m.test(state)) return
      if (unshare.exitCode !== null || performance.now() > deadlineMs) {
        unshare.kill('SIGKILL')
        throw new Error(`systemd did not boot: ${state} ${await errors}`)
      }
      await sleep(200)
    }
  }

  await waitForBoot()
  return {
    root,
    run,
    startInNetwork: (command, args) =>
      spawn('nsenter', ['--target', String(pid), '--net', '--', command, ...args], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    async stop() {
      const ended = once(unshare, 'exit')
      // The end of its init process ends all of its processes.
      process.kill(pid, 'SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function createBase(root: string) {
  const options = ['--variant=minbase', `--include=${PACKAGES}`]
  execFileSync('debootstrap', [...options, 'bookworm', root], { stdio: 'ignore' })
  mkdirSync(join(BASE_FILE, '..'), { recursive: true })
  execFileSync('tar', ['--create', '--file', BASE_FILE, '--directory', root, '.'])
}

/** The name servers and the sources of packages of this machine. */
function useNetworkOf(root: string) {
  for (const file of ['resolv.conf', 'hosts']) cpSync(`/etc/${file}`, join(root, 'etc', file))
  const settings = '/etc/apt/apt.conf.d'
  cpSync(settings, join(root, settings), { recursive: true })
}

/** The process 1 of the new namespaces, as this machine numbers it. */
async function findInit(unshare: ChildProcess): Promise<number> {
  const file = `/proc/${unshare.pid}/task/${unshare.pid}/children`
  for (;;) {
    const [child] = readFileSync(file, 'utf8').trim().split(' ')
    if (child) return Number(child)
    if (unshare.exitCode !== null) throw new Error('unshare ended. Are you root?')
    await sleep(20)
  }
}
