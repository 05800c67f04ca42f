/**
 * The files of an image, in a folder and without a container engine: what the stages of the Dockerfile copy, without
 * what .dockerignore lists, and with the packages that the stage `production` installs.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ROOT } from './copy-checkout.ts'

export interface Instruction {
  name: string
  text: string
}

export interface Stage {
  name: string
  /** An image, or an earlier stage. */
  from: string
  instructions: Instruction[]
}

/** The stages in the order of the file. The last one is built by default. */
export function readStages(): Stage[] {
  const stages: Stage[] = []
  const lines = readLines('Dockerfile')
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  for (const line of lines) {
    const [name = '', ...words] = line.split(' ')
    if (name === 'FROM') {
      const [from = '', , stage = ''] = words
      stages.push({ name: stage, from, instructions: [] })
    } else stages.at(-1)?.instructions.push({ name, text: words.join(' ') })
  }
  return stages
}

/** The instructions that create an image: those of the stages it is based on, then its own. */
export function readImage(image: string): Instruction[] {
  const stage = readStages().find(({ name }) => name === image)
  return stage ? [...readImage(stage.from), ...stage.instructions] : []
}

/** The value of the last instruction with this name. */
export function readSetting(image: string, name: string): string | undefined {
  return readImage(image).findLast((instruction) => instruction.name === name)?.text
}

/** The files that an image takes from earlier stages: both paths are below /coffer. */
export function readCopies(image: string): { stage: string; from: string; to: string }[] {
  return readImage(image)
    .filter(({ name }) => name === 'COPY')
    .map(({ text }) => {
      const match = /^--from=(build|production) \/coffer\/(\S+) (\S+)$/.exec(text)
      if (match === null) throw new Error(`COPY ${text}: an image contains only what was built.`)
      const [, stage = '', from = '', to = ''] = match
      return { stage, from, to: to.endsWith('/') ? join(to, from) : join(to) }
    })
}

export function unpackImage(image: string, folder: string) {
  for (const { stage, from, to } of readCopies(image)) {
    const target = join(folder, to)
    mkdirSync(dirname(target), { recursive: true })
    const filter = (path: string) => !isKeptOut(relative(ROOT, path))
    if (stage === 'production') installPackages(folder)
    else cpSync(join(ROOT, from), target, { recursive: true, filter })
  }
}

/** Whether .dockerignore lists the file. The stage `build` creates the folders `dist` itself. */
export function isKeptOut(path: string): boolean {
  const parts = path.split('/')
  if (parts.includes('dist')) return false
  const lines = readLines('.dockerignore')
  if (lines.includes(`!${path}`)) return false
  return lines.some((pattern) => {
    if (pattern.endsWith('/*')) return parts[0] === pattern.slice(0, -2) && parts.length > 1
    if (!pattern.startsWith('**/')) return parts[0] === pattern
    const words = pattern
      .slice(3)
      .split('*')
      .map((word) => word.replaceAll('.', '\\.'))
    return parts.some((part) => new RegExp(`^${words.join('.*')}$`).test(part))
  })
}

interface LockedPackage {
  /** A folder of this project. */
  link?: true
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}
type Locked = Record<string, LockedPackage>

/** Links the packages that `npm ci --omit=dev --workspace=server` installs. */
function installPackages(folder: string) {
  const lock = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')) as { packages: Locked }
  for (const path of listPackages(lock.packages)) {
    const [source, target] = [`${ROOT}${path}`, join(folder, path)]
    const { link, resolved = '', ...locked } = lock.packages[path] ?? {}
    mkdirSync(dirname(target), { recursive: true })
    if (link) symlinkSync(join(relative(dirname(target), folder), resolved), target)
    // A symbolic link leads back to the checkout with all its packages, so it is only for those that need no other.
    else if (needsOthers(locked)) cpSync(source, target, { recursive: true, filter: isOwn(source) })
    else if (!existsSync(target)) symlinkSync(source, target)
  }
}

/** The packages that the server needs, directly and indirectly, as paths in the lock file. */
function listPackages(packages: Locked): Set<string> {
  const found = new Set<string>()
  const open = ['server']
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {}
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    for (const name of names) {
      const needed = findPackage(packages, path, name)
      if (needed === undefined || found.has(needed) || !existsSync(`${ROOT}${needed}`)) continue
      found.add(needed)
      open.push(packages[needed]?.link ? (packages[needed].resolved ?? '') : needed)
    }
  }
  return found
}

/** Searches for a package as Node does: in the nearest node_modules, then in those above. */
function findPackage(packages: Locked, path: string, name: string): string | undefined {
  const parts = path.split('/')
  const folders = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
  return [...folders, '']
    .map((folder) => join(folder, 'node_modules', name))
    .find((candidate) => candidate in packages)
}

function needsOthers(locked: LockedPackage): boolean {
  const { dependencies, optionalDependencies, peerDependencies } = locked
  return [dependencies, optionalDependencies, peerDependencies].some(
    (needed) => needed !== undefined,
  )
}

/** Leaves out packages inside a package: the lock file lists them separately. */
function isOwn(root: string): (path: string) => boolean {
  return (path) => !relative(root, path).split('/').includes('node_modules')
}

function readLines(file: string): string[] {
  const lines = readFileSync(`${ROOT}${file}`, 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}
