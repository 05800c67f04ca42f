/** Checks that the commands in the documents exist: scripts, files, variables, and our own commands with their flags. */
import { Command } from 'commander'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { SECRETS } from '../server/config/read-secret-files.ts'
import { ROOT } from './copy-checkout.ts'

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')

interface Package {
  name: string
  scripts?: Record<string, string>
}
const readPackage = (file: string) => JSON.parse(read(file)) as Package
const root = readPackage('package.json')
const workspaces = new Map(
  globSync('*/package.json', { cwd: ROOT }).map((file) => [dirname(file), readPackage(file)]),
)

/** What the service, and the example shop, read from their environment. */
export const VARIABLES = new Set(
  [...read('server/config.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name = '']) => name),
)
/** The variables for secrets in files. */
export const FILE_VARIABLES = SECRETS.map((name) => `${name}_FILE`)
const OF_SHOP = new Set<string>(read('example/shop.ts').match(/\b[A-Z]+(_[A-Z]+)*\b/g))

/** Programs that are not ours. */
const OTHERS = new Set(['cd', 'curl', 'openssl', 'echo', 'install', 'cp'])

/** After one of these words of a docker or kubectl command, our own command begins. */
const OWN = ['server/coffer.ts', 'service', 'coffer:0.1.0']

/** What is wrong with a line of a shell block; nothing if it is right. */
export function checkLine(program: Command, line: string): string | undefined {
  const [first = '', ...words] = splitWords(line)
  if (OTHERS.has(first)) return undefined
  if (first === 'npm') return checkNpm(words)
  if (first === 'npx') return checkNpx(words)
  if (first === 'docker' || first === 'kubectl') {
    const own = words.findIndex((word) => OWN.includes(word))
    return own === -1 ? undefined : checkCoffer(program, words.slice(own + 1), true)
  }
  if (first === 'coffer') return checkCoffer(program, words, true)
  const variable = /^([A-Z_]+)=/.exec(first === 'export' ? (words[0] ?? '') : first)?.[1]
  if (variable !== undefined) {
    const isKnown = [VARIABLES, OF_SHOP, new Set(['PATH', ...FILE_VARIABLES])].some((names) =>
      names.has(variable),
    )
    return isKnown ? undefined : `${variable} is unknown`
  }
  const file = first === 'node' ? (words[0] ?? '') : first
  if (!existsSync(`${ROOT}${file}`)) return `the file ${file} does not exist`
  return checkFlags(file, words.slice(1))
}

/** The same for a command that the text only mentions: it may leave arguments out. */
export function checkMention(program: Command, text: string): string | undefined {
  const [first, ...words] = splitWords(text)
  return first === 'coffer' ? checkCoffer(program, words, false) : checkNpm(words)
}

function checkNpm(words: string[]): string | undefined {
  const [verb = '', ...rest] = words
  if (verb === 'ci' || verb === 'init') return undefined
  if (verb === 'install') {
    const names = [...workspaces.values()].map(({ name }) => name)
    const unknown = rest.filter((name) => !names.includes(name) && !name.endsWith('.tgz'))
    return unknown.length > 0 ? `${unknown.join(', ')} is not one of our packages` : undefined
  }
  const [script = '', ...more] = verb === 'run' ? rest : words
  const workspace = more[0] === '--workspace' ? workspaces.get(more[1] ?? '') : root
  const command = workspace?.scripts?.[script]
  if (command === undefined) return `there is no script ${script}`
  const own = more.includes('--') ? more.slice(more.indexOf('--') + 1) : []
  return checkFlags(/node (?:--disable-warning=\S+ )?(\S+\.[jt]s)$/.exec(command)?.[1] ?? '', own)
}

function checkNpx([name, command, ...words]: string[]): string | undefined {
  if (name !== '@coffer/sdk' || command !== 'listen')
    return `there is no command ${name} ${command}`
  return checkFlags('sdk/listen/read-arguments.ts', words)
}

function checkFlags(file: string, words: string[]): string | undefined {
  const flags = words.flatMap((word) => /^--([\w-]+)/.exec(word)?.[1] ?? [])
  const source = file === '' ? '' : read(file)
  const unknown = flags.filter((flag) => !new RegExp(`\\b${flag}'?:|--${flag}\\b`).test(source))
  return unknown.length > 0 ? `${file} does not know --${unknown.join(', --')}` : undefined
}

function checkCoffer(program: Command, words: string[], isWhole: boolean): string | undefined {
  if (words[0] === 'command') return undefined
  if (isWhole) {
    try {
      program.parse(words, { from: 'user' })
      return undefined
    } catch (error) {
      return String(error)
    }
  }
  let command = program
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word)
    if (next) command = next
    else if (word.startsWith('--')) break
    else if (command.commands.length > 0) return `there is no command ${words.join(' ')}`
  }
  const flags = words.filter((word) => word.startsWith('--'))
  const unknown = flags.filter((flag) => !command.options.some(({ long }) => long === flag))
  return unknown.length > 0 ? `${command.name()} does not know ${unknown.join(', ')}` : undefined
}

/** Our command line as server/coffer.ts puts it together, with commands that do nothing. */
export async function loadProgram(): Promise<Command> {
  const program = new Command('coffer')
  const source = read('server/coffer.ts')
  for (const [, name = ''] of source.matchAll(/^(?:program| {2})\.command\('(\w+)'\)/gm))
    program.command(name)
  for (const [, add = '', file = ''] of source.matchAll(
    /import \{ (add\w+) \} from '\.\/(\S+)'/g,
  )) {
    const module = (await import(`${ROOT}server/${file}`)) as Record<string, (to: Command) => void>
    module[add]?.(program)
  }
  silence(program)
  return program
}

function silence(command: Command) {
  command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
  const isExecuted = command.commands.length === 0 || command.options.length > 0
  if (isExecuted) command.action(() => undefined)
  for (const each of command.commands) silence(each)
}

/** As the shell does, for what documents contain; placeholders in angle brackets become their first word. */
function splitWords(line: string): string[] {
  const plain = line
    .replace(/\s+#.*$/, '')
    .replaceAll(/<(\w+)[^>]*>/g, (_, word: string) => (word === 'day' ? '2026-01-31' : word))
    .replaceAll(/\[(\w+)\]/g, '$1')
  const words = plain.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)
  return [...words].map(([word]) => word.replaceAll(/^["']|["']$/g, ''))
}
