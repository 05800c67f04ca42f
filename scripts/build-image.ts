/**
 * Builds the image of the Dockerfile with buildah and runs it with runc. No registry is needed: the base image is a
 * Debian made by debootstrap with the Node of this checkout, instead of the one that the Dockerfile pins.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './copy-checkout.ts'

const OUTPUT_ONLY = ['ignore', 'pipe', 'ignore'] as const
const BASE = 'localhost/coffer-base'
const BASE_FILE = `${ROOT}node_modules/.cache/debian-bookworm.tar`

/** What the image says about itself. Docker's format has a health check; the format of the OCI has none. */
export interface ImageConfig {
  User: string
  WorkingDir: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  StopSignal: string
  ExposedPorts: Record<string, object>
  Healthcheck: { Test: string[]; Interval: number; Timeout: number; StartPeriod: number }
}

export interface ImageTools {
  /** Builds a stage under a name and returns the output of buildah. */
  build(options: { name: string; target: string; context: string; format?: string }): string
  readConfig(name: string): ImageConfig
  /** Bytes of the image, without and with its base. */
  measure(name: string): { own: number; whole: number }
  /** The root file system of an image. */
  mount(name: string): string
  remove(): void
}

export function createImageTools(folder: string): ImageTools {
  const storage = [
    `--root=${folder}/storage`,
    `--runroot=${folder}/run`,
    '--storage-driver=overlay',
  ]
  const buildah = (...args: string[]) =>
    execFileSync('buildah', [...storage, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 28,
    }).trim()
  importBase(buildah, folder)
  const dockerfile = join(folder, 'Dockerfile')
  writeFileSync(
    dockerfile,
    readFileSync(`${ROOT}Dockerfile`, 'utf8').replaceAll(/^FROM node:\S+/gm, `FROM ${BASE}`),
  )
  const sizeOf = (name: string) =>
    Number(
      execFileSync('du', ['-sb', '--one-file-system', mount(name)], { encoding: 'utf8' }).split(
        '\t',
      )[0],
    )
  const mount = (name: string) => buildah('mount', buildah('from', '--pull-never', name))
  return {
    build({ name, target, context, format = 'docker' }) {
      const options = ['--isolation=chroot', '--layers', '--pull-never', `--format=${format}`]
      const volumes = listVolumes(folder).map((volume) => `--volume=${volume}`)
      const what = ['--file', dockerfile, '--target', target, '--tag', name, context]
      return buildah('build', ...options, ...volumes, ...what)
    },
    readConfig(name) {
      const { Docker } = JSON.parse(buildah('inspect', '--type=image', name)) as {
        Docker: { config: ImageConfig }
      }
      return Docker.config
    },
    measure(name) {
      const whole = sizeOf(name)
      return { whole, own: whole - sizeOf(BASE) }
    },
    mount,
    remove() {
      buildah('rm', '--all')
      buildah('rmi', '--all', '--force')
      rmSync(folder, { recursive: true })
    },
  }
}

/**
 * The cache, the settings and the certificates of npm on this machine, for the time of the build; they do not become part
 * of the image.
 */
function listVolumes(folder: string): string[] {
  const setting = (name: string) =>
    execFileSync('npm', ['config', 'get', name], {
      encoding: 'utf8',
      stdio: [...OUTPUT_ONLY],
    }).trim()
  const certificates = process.env['NODE_EXTRA_CA_CERTS'] ?? ''
  const ownSettings = join(folder, 'npmrc')
  writeFileSync(
    ownSettings,
    `prefer-offline=true\n${certificates && 'cafile=/root/.certificates.pem\n'}`,
  )
  const volumes: [string, string][] = [
    [setting('cache'), '/root/.npm'],
    [setting('userconfig'), '/root/.npmrc:ro'],
    [ownSettings, '/usr/local/lib/node_modules/npm/npmrc:ro'],
    [certificates, '/root/.certificates.pem:ro'],
  ]
  return volumes.filter(([path]) => existsSync(path)).map((pair) => pair.join(':'))
}

function importBase(buildah: (...args: string[]) => string, folder: string) {
  if (buildah('images', '--noheading').includes(BASE)) return
  if (!existsSync(BASE_FILE)) createBase(join(folder, 'base'))
  const container = buildah('from', 'scratch')
  buildah('add', container, BASE_FILE, '/')
  buildah(
    'config',
    '--env',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    container,
  )
  buildah('commit', container, BASE)
  buildah('rm', container)
}

/** Like the pinned image: Debian, Node and npm below /usr/local, and the user `node`. */
function createBase(folder: string) {
  execFileSync('debootstrap', ['--variant=minbase', 'bookworm', folder], { stdio: 'ignore' })
  for (const path of [
    'var/cache/apt',
    'var/lib/apt/lists',
    'usr/share/doc',
    'usr/share/man',
    'usr/share/locale',
  ]) {
    rmSync(join(folder, path), { recursive: true, force: true })
  }
  appendFileSync(join(folder, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/sh\n')
  appendFileSync(join(folder, 'etc/group'), 'node:x:1000:\n')
  cpSync(process.execPath, join(folder, 'usr/local/bin/node'))
  const npm = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' })
  cpSync(join(npm.trim(), '../..'), join(folder, 'usr/local/lib/node_modules/npm'), {
    recursive: true,
  })
  for (const name of ['npm', 'npx']) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, 'usr/local/bin', name))
  }
  mkdirSync(join(BASE_FILE, '..'), { recursive: true })
  execFileSync('tar', ['--create', '--file', BASE_FILE, '--directory', folder, '.'])
  rmSync(folder, { recursive: true })
}

/**
 * Starts a command of an image as compose.yaml and Kubernetes do: its own user, no capabilities, a read-only root file
 * system and /tmp in memory. It shares the network of this machine.
 */
export function startContainer(options: {
  id: string
  bundle: string
  rootfs: string
  config: ImageConfig
  args: string[]
  env: Record<string, string>
}): ChildProcess {
  const { id, bundle, rootfs, config, args, env } = options
  mkdirSync(bundle, { recursive: true })
  const spec = {
    ociVersion: '1.0.2',
    process: {
      user: { uid: 1000, gid: 1000 },
      args,
      env: [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      cwd: config.WorkingDir,
      capabilities: {},
      noNewPrivileges: true,
    },
    root: { path: rootfs, readonly: true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['mode=755'] },
      { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['mode=1777', 'size=64m'] },
    ],
    linux: { namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })) },
  }
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(spec))
  return spawn('runc', [`--root=${bundle}/state`, 'run', '--bundle', bundle, id], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
