/** Runs compose.yaml without a container engine: the image's files, its commands and environments, as processes. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parse } from 'yaml'
import { ROOT } from './copy-checkout.ts'
import { findFreePorts } from './find-free-ports.ts'
import { readImage, readSetting, unpackImage } from './unpack-image.ts'

const IMAGE = 'demo'

export interface ComposeService {
  build?: { target: string }
  entrypoint?: string[]
  command?: string[]
  environment?: Record<string, string>
  network_mode?: string
  depends_on?: Record<string, { condition: string }>
}

export interface Played {
  services: Record<string, ComposeService>
  /** The addresses that people use. */
  service: string
  shop: string
  /** The volume of the shop. */
  volume: string
  /** Runs a service until it ends and returns its output. `command` replaces its own command. */
  run(name: string, command?: string[]): Promise<string>
  /** Starts a service and waits until its address answers. */
  start(name: string, address: string): Promise<void>
  stop(): Promise<void>
}

export async function playCompose(databaseUrl: string): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-image-'))
  const [image, tmp, volume] = ['coffer', 'tmp', 'shop'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const place of [image, tmp, volume]) mkdirSync(place)
  unpackImage(IMAGE, image)
  lock(folder, [tmp, volume])
  const [service = 0, sandbox = 0, shop = 0] = await findFreePorts(3)
  const services = readServices(databaseUrl, folder, { service, sandbox, shop })
  const running: ChildProcess[] = []

  function begin(name: string, command?: string[]) {
    const { entrypoint, command: own, environment } = services[name] ?? {}
    const [program = '', ...args] = [
      ...(entrypoint ?? imageWords('ENTRYPOINT')),
      ...(command ?? own ?? (entrypoint ? [] : imageWords('CMD'))),
    ]
    const env = {
      PATH: `${join(process.execPath, '..')}:/usr/bin:/bin`,
      ...imageEnvironment(),
      NODE_COMPILE_CACHE: join(tmp, 'compile-cache'),
      ...(name === 'service' && { PORT: `${service}` }),
      ...environment,
    }
    const child = spawn(program, args, { cwd: image, env, ...unprivileged(image) })
    const shown = { text: '' }
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece: string) => (shown.text += piece))
    }
    return { child, shown }
  }

  return {
    services,
    service: `http://127.0.0.1:${service}`,
    shop: `http://localhost:${shop}`,
    volume,
    async run(name, command) {
      const { child, shown } = begin(name, command)
      const [status] = await once(child, 'close')
      if (status !== 0) throw new Error(`${name} ended with ${status}:\n${shown.text}`)
      return shown.text
    },
    async start(name, address) {
      const { child, shown } = begin(name)
      running.push(child)
      process.once('exit', () => child.kill('SIGKILL'))
      const deadlineMs = performance.now() + 30_000
      while (!(await answers(address))) {
        if (child.exitCode !== null || performance.now() > deadlineMs) {
          throw new Error(`${name} does not start:\n${shown.text}`)
        }
        await pause(100)
      }
    },
    async stop() {
      for (const child of running.toReversed()) {
        const ended = once(child, 'exit')
        if (child.exitCode === null && child.kill('SIGTERM')) await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The services of compose.yaml, with the addresses and folders of the processes here. */
function readServices(
  databaseUrl: string,
  folder: string,
  { service, sandbox, shop }: Record<'service' | 'sandbox' | 'shop', number>,
): Record<string, ComposeService> {
  const text = readFileSync(`${ROOT}compose.yaml`, 'utf8')
    .replaceAll(/postgres:\/\/coffer:\S+/g, databaseUrl)
    .replaceAll(/\b(service|127\.0\.0\.1):8080(?!:)/g, `127.0.0.1:${service}`)
    .replaceAll(/\b(sandbox|127\.0\.0\.1):12111(?!:)/g, `127.0.0.1:${sandbox}`)
    .replaceAll('--port=12111', `--port=${sandbox}`)
    .replaceAll('localhost:3000', `localhost:${shop}`)
    .replaceAll(`PORT: '3000'`, `PORT: '${shop}'`)
    .replaceAll(/([ =])\/(tmp|shop)\//g, `$1${folder}/$2/`)
  return (parse(text, { merge: true }) as { services: Record<string, ComposeService> }).services
}

function answers(address: string): Promise<boolean> {
  return fetch(address).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Makes the files read-only, like the container's root file system, except where a volume is mounted. */
function lock(folder: string, open: string[]) {
  for (const path of globSync('coffer/**', { cwd: folder }).map((name) => join(folder, name))) {
    const stats = lstatSync(path)
    if (!stats.isSymbolicLink()) chmodSync(path, stats.isDirectory() ? 0o555 : 0o444)
  }
  chmodSync(folder, 0o755)
  for (const path of open) chmodSync(path, 0o777)
}

/** Root can write to read-only files, so the processes run as `nobody` if that user can read this checkout. */
function unprivileged(image: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const nobody = { uid: 65_534, gid: 65_534 }
  try {
    execFileSync(process.execPath, ['--version'], { cwd: image, stdio: 'ignore', ...nobody })
    return nobody
  } catch {
    return {}
  }
}

function imageWords(name: 'ENTRYPOINT' | 'CMD'): string[] {
  return JSON.parse(readSetting(IMAGE, name) ?? '[]') as string[]
}

function imageEnvironment(): Record<string, string> {
  const settings = readImage(IMAGE).filter(({ name }) => name === 'ENV')
  const pairs = settings.flatMap(({ text }) => text.split(' '))
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
}
