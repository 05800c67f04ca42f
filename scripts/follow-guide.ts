/**
 * Follows a guide exactly as written. Shell blocks run in order in one terminal, which
 * stays in its folder; a block marked `terminal=NAME` gets a terminal of its own and is left running once it has
 * printed what it is marked to wait for (`until=`); a block marked `title=FILE` becomes that file in the folder.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { copyCheckout, ROOT } from './copy-checkout.ts'
import { readBlocks, type Block } from './read-blocks.ts'

const PATIENCE_MS = 240_000

export interface Reader {
  /** Does what the page says, and returns what its blocks printed, except those that are left running. */
  follow(page: string): Promise<string>
  /** Pastes one command, and returns what it printed. */
  paste(command: string): Promise<string>
  /** What a terminal has shown so far. */
  read(terminal: string): string
  /** Ctrl-C in every terminal, the last one first. */
  leave(): Promise<void>
}

interface Terminal {
  name: string
  shell: ChildProcess
  shown: string
}

/** A reader with a fresh checkout, whose `node` is this one. */
export async function startReading(node: string, ports: readonly number[]): Promise<Reader> {
  for (const port of ports) await requireFree(port)
  const home = mkdtempSync(join(tmpdir(), 'coffer-guide-'))
  const bin = join(home, 'bin')
  mkdirSync(bin)
  symlinkSync(node, join(bin, 'node'))
  copyCheckout(join(home, 'coffer'))
  const env = freshEnvironment(bin)
  const terminals: Terminal[] = []
  let folder = join(home, 'coffer')

  async function run(commands: string): Promise<string> {
    const script = `${leaveOutInstall(commands)}\npwd >&3`
    const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const
    const shell = spawn('sh', ['-e', '-c', script], { cwd: folder, env, stdio: [...stdio] })
    const [, output, faults, end] = shell.stdio as unknown as NodeJS.ReadableStream[]
    if (!output || !faults || !end) throw new Error('The shell has no output.')
    const timer = setTimeout(() => shell.kill('SIGKILL'), PATIENCE_MS)
    const [shown, complaints, stays] = await Promise.all(
      [output, faults, end].map((stream) => readAll(stream)),
    )
    clearTimeout(timer)
    if (!stays) throw new Error(`These commands failed:\n${commands}\n${shown}\n${complaints}`)
    folder = stays.trim()
    return shown ?? ''
  }

  async function leaveRunning({ text, marks }: Block) {
    // Its own process group, so that Ctrl-C reaches everything in it.
    const options = { cwd: folder, env, detached: true, stdio: 'pipe' } as const
    const shell = spawn('sh', ['-e', '-c', leaveOutInstall(text)], options)
    const terminal: Terminal = { name: marks['terminal'] ?? '', shell, shown: '' }
    terminals.push(terminal)
    process.once('exit', () => signal(terminal, 'SIGINT'))
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.setEncoding('utf8').on('data', (piece: string) => (terminal.shown += piece))
    }
    await waitFor(terminal, marks['until'] ?? '')
  }

  return {
    async follow(page) {
      const printed: string[] = []
      for (const block of readBlocks(readFileSync(join(ROOT, page), 'utf8'))) {
        // It is shown only, and another test runs it.
        if (block.marks['test']) continue
        if (block.marks['title']) writeFileSync(join(folder, block.marks['title']), block.text)
        else if (block.marks['terminal']) await leaveRunning(block)
        else if (block.language === 'sh') printed.push(await run(block.text))
        else
          throw new Error(
            `${page}:${block.line}: a reader does not know what to do with this block.`,
          )
      }
      return printed.join('')
    },
    paste: run,
    read: (name) => terminals.find((terminal) => terminal.name === name)?.shown ?? '',
    async leave() {
      for (const terminal of terminals.toReversed()) await interrupt(terminal)
      rmSync(home, { recursive: true, force: true })
      for (const port of ports) await requireFree(port)
    },
  }
}

/** The environment of a new terminal, without variables of the test run and without network access for npm. */
function freshEnvironment(bin: string): NodeJS.ProcessEnv {
  const { PATH = '', HOME, LANG, USER } = process.env
  const folders = PATH.split(delimiter).filter((folder) => !folder.endsWith('node_modules/.bin'))
  return { PATH: [bin, ...folders].join(delimiter), HOME, LANG, USER, npm_config_offline: 'true' }
}

/** Skips `npm ci`, because the packages are linked: the only line that is not run. */
function leaveOutInstall(commands: string): string {
  return commands.replace(/^npm ci$/m, '')
}

async function waitFor(terminal: Terminal, words: string) {
  const deadlineMs = performance.now() + PATIENCE_MS
  while (!terminal.shown.includes(words)) {
    if (hasEnded(terminal) || performance.now() > deadlineMs) {
      throw new Error(`The terminal ${terminal.name} never said “${words}”:\n${terminal.shown}`)
    }
    await pause(50)
  }
}

function hasEnded({ shell }: Terminal): boolean {
  return shell.exitCode !== null || shell.signalCode !== null
}

function signal(terminal: Terminal, name: NodeJS.Signals) {
  if (terminal.shell.pid !== undefined && !hasEnded(terminal))
    process.kill(-terminal.shell.pid, name)
}

async function interrupt(terminal: Terminal) {
  if (hasEnded(terminal)) return
  const ended = once(terminal.shell, 'close').then(() => true)
  signal(terminal, 'SIGINT')
  if (await Promise.race([ended, pause(20_000, false)])) return
  signal(terminal, 'SIGKILL')
  throw new Error(`Ctrl-C did not end the terminal ${terminal.name}.`)
}

async function requireFree(port: number) {
  const probe = createServer()
  probe.listen(port)
  await once(probe, 'listening').catch(() => {
    throw new Error(
      `The guide uses port ${port}, and something else listens there. End that, then try again.`,
    )
  })
  probe.close()
  await once(probe, 'close')
}
