/**
 * What the image holds, laid out in a folder without a container engine: exactly what the last stage of the Dockerfile
 * copies, less what .dockerignore keeps out, with the packages that are left after development's are pruned.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ROOT } from './copy-checkout.ts'

export interface Instruction {
  name: string
  text: string
}

export function readDockerfile(): Instruction[] {
  return readLines('Dockerfile')
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => {
      const [name = '', ...words] = line.split(' ')
      return { name, text: words.join(' ') }
    })
}

/** The stages, each from its FROM on. */
export function readStages(): Instruction[][] {
  const stages: Instruction[][] = []
  for (const instruction of readDockerfile()) {
    if (instruction.name === 'FROM') stages.push([])
    stages.at(-1)?.push(instruction)
  }
  return stages
}

/** What the last stage takes from the first: both paths below /coffer. */
export function readCopies(): { from: string; to: string }[] {
  const last = readStages().at(-1) ?? []
  return last
    .filter(({ name }) => name === 'COPY')
    .map(({ text }) => {
      const match = /^--from=build \/coffer\/(\S+) (\S+)$/.exec(text)
      if (match === null) throw new Error(`COPY ${text}: only what was built may be in the image.`)
      const [, from = '', to = ''] = match
      return { from, to: to.endsWith('/') ? join(to, from) : join(to) }
    })
}

export function unpackImage(folder: string) {
  for (const { from, to } of readCopies()) {
    if (from === 'node_modules') continue
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    const filter = (path: string) => !isKeptOut(relative(ROOT, path))
    cpSync(join(ROOT, from), join(folder, to), { recursive: true, filter })
  }
  installLive(folder)
}

/** Whether .dockerignore names it. What is built in the image's own first stage is not taken from here. */
export function isKeptOut(path: string): boolean {
  const parts = path.split('/')
  if (parts.includes('dist')) return false
  return readLines('.dockerignore').some((pattern) => {
    if (!pattern.startsWith('**/')) return parts[0] === pattern
    const words = pattern
      .slice(3)
      .split('*')
      .map((word) => word.replaceAll('.', '\\.'))
    return parts.some((part) => new RegExp(`^${words.join('.*')}$`).test(part))
  })
}

interface LockedPackage {
  dev?: true
  optional?: true
  /** One of our own, which lies in a folder beside. */
  link?: true
  resolved?: string
  dependencies?: object
  optionalDependencies?: object
  peerDependencies?: object
}

/** The packages that the first stage leaves. Those that need others are copied: a link leads to where all of them are. */
function installLive(folder: string) {
  const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const build = readStages()[0]?.find(({ name }) => name === 'RUN')?.text ?? ''
  for (const [path, locked] of Object.entries(packages)) {
    const isPruned = (locked.dev && build.includes('--omit=dev')) || build.split(' ').includes(path)
    const isLeftOut = locked.optional && build.includes('--omit=optional')
    const isElsewhere = !path.startsWith('node_modules/') || !existsSync(`${ROOT}${path}`)
    if (isPruned || isLeftOut || isElsewhere) continue
    const [source, target] = [`${ROOT}${path}`, join(folder, path)]
    mkdirSync(dirname(target), { recursive: true })
    if (locked.link)
      symlinkSync(join(relative(dirname(target), folder), locked.resolved ?? ''), target)
    else if (needsOthers(locked)) cpSync(source, target, { recursive: true, filter: isOwn(source) })
    else if (!existsSync(target)) symlinkSync(source, target)
  }
}

function needsOthers(locked: LockedPackage): boolean {
  const { dependencies, optionalDependencies, peerDependencies } = locked
  return [dependencies, optionalDependencies, peerDependencies].some(
    (needed) => needed !== undefined,
  )
}

/** What a package brought along for itself has a line of its own. */
function isOwn(root: string): (path: string) => boolean {
  return (path) => !relative(root, path).split('/').includes('node_modules')
}

function readLines(file: string): string[] {
  const lines = readFileSync(`${ROOT}${file}`, 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}
