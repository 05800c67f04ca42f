/**
 * `coffer check` is what timers run: it runs other commands, records their results in the database, and tells the
 * operators when a check fails and when it finds no problem anymore. Each command is a process of its own, so that one
 * that hangs or crashes has a result too.
 */
import { CHECKS, type CheckName } from '@coffer/contract/checks'
import { Argument, InvalidArgumentError, type Command } from 'commander'
import { spawn } from 'node:child_process'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { LIST_CHECKS, recordCheck, setReported, type CheckResult } from '../admin/check-queries.ts'
import { LIST_ALERTED_OPERATORS } from '../admin/client-apps/debit-alert-queries.ts'
import { ConfigError, readConfig, readDatabaseUrl, type Config } from '../config.ts'
import { createPool } from '../database/connect.ts'
import { many, run } from '../database/statement.ts'
import { createLog } from '../http/create-log.ts'
import { createMailer } from '../mail/create-mailer.ts'
import { checkFailed, checkRecovered } from '../mail/messages.ts'
import { explainError } from './explain-error.ts'
import { print } from './with-service.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** As long as backups are usually kept. */
const CHECKPOINT_DAYS = 35
const SUMMARY_MAX = 1_000
const OUTPUT_MAX = 4_000

const MINUTES: Record<CheckName, number> = {
  doctor: 10,
  reconcile: 2 * 60,
  checkpoint: 6 * 60,
  verify: 20 * 60,
}

const WRONG_BOOKS =
  'If the books or the audit log are not sound, run coffer pause, keep a copy of the database, then run coffer verify with the newest checkpoint (docs/operations.md, Verify and checkpoint). Otherwise remove the cause, then run the check again.'

const ADVICE: Record<CheckName, string> = {
  doctor: 'Run coffer doctor: it says how to fix each problem.',
  reconcile:
    'Run coffer reconcile: it lists the differences (docs/operations.md, Card payments). The check compares all days since its last success, so a difference is reported until it is settled.',
  checkpoint: WRONG_BOOKS,
  verify: WRONG_BOOKS,
}

interface Flags {
  checkpoints: string
  key?: string
  timeout?: number
}

interface Outcome {
  isOk: boolean
  summary: string
}

export function addCheckCommand(program: Command) {
  program
    .command('check')
    .description('run checks, record their results, and email the operators when a result changes')
    .addArgument(new Argument('<names...>', 'what to check').choices(CHECKS))
    .option(
      '--checkpoints <folder>',
      'the folder of the checkpoints',
      '/var/lib/coffer/checkpoints',
    )
    .option('--key <file>', 'the private key of the checkpoints, PEM')
    .option('--timeout <minutes>', 'end a check that takes longer', readMinutes)
    .action(async (names: CheckName[], flags: Flags) => {
      if (names.includes('checkpoint') && flags.key === undefined) {
        throw new InvalidArgumentError('The check checkpoint needs --key.')
      }
      const db = createPool(readDatabaseUrl(), { size: 1, barrier: false })
      for (const name of names) {
        if (!(await runCheck(db, name, flags))) process.exitCode = 1
      }
      await db.end()
    })
}

function readMinutes(text: string): number {
  if (!/^\d{1,5}(\.\d+)?$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('Use a number of minutes.')
  return Number(text)
}

/** Returns whether there is no problem and the result is recorded. */
async function runCheck(db: pg.Pool, name: CheckName, flags: Flags): Promise<boolean> {
  const startMs = performance.now()
  const { isOk, summary } = await examine(db, name, flags).catch((cause: unknown) => ({
    isOk: false,
    summary: explainError(cause),
  }))
  const line = summary.replaceAll(/\s+/g, ' ').trim().slice(0, SUMMARY_MAX)
  print(`${isOk ? '✓' : '✗'} ${name}: ${line}`)
  try {
    const tookMs = performance.now() - startMs
    await run(db, recordCheck(name, { isOk, summary: line, tookMs }))
    await reportChanges(db)
    return isOk
  } catch (cause) {
    process.stderr.write(`The result is not recorded. ${explainError(cause)}\n`)
    return false
  }
}

async function examine(db: pg.Pool, name: CheckName, flags: Flags): Promise<Outcome> {
  const { checkpoints, key, timeout = MINUTES[name] } = flags
  const coffer = startTimer(timeout)
  if (name === 'doctor') return coffer('doctor')
  if (name === 'reconcile') return reconcile(db, coffer)
  const newest = (await listCheckpoints(checkpoints)).at(-1)
  const compared =
    newest === undefined || key === undefined
      ? []
      : ['--checkpoint', join(checkpoints, newest), '--key', key]
  // One thread, because the service is busy on the same machine.
  const verify = ['verify', '--threads', '1', ...compared]
  if (name === 'verify' || key === undefined) return coffer(...verify)
  const verified = await coffer(...verify, ...(compared.length > 0 ? ['--incremental'] : []))
  // A checkpoint of wrong books would hide the fault from the next verification.
  return verified.isOk ? writeCheckpoint(coffer, checkpoints, key) : verified
}

type Coffer = (...args: string[]) => Promise<Outcome>

/** Runs commands, which together may take so many minutes. */
function startTimer(minutes: number): Coffer {
  const signal = AbortSignal.timeout(minutes * 60_000)
  return (...args) => runCoffer(args, signal, minutes)
}

function runCoffer(args: string[], signal: AbortSignal, minutes: number): Promise<Outcome> {
  const command = [process.argv[1] ?? '', ...args]
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  })
  let summary: string | undefined
  let errors = ''
  child.on('message', (message: { summary: string }) => ({ summary } = message))
  child.stdout?.on('data', (piece: Buffer) => process.stdout.write(piece))
  child.stderr?.on('data', (piece: Buffer) => {
    process.stderr.write(piece)
    errors = `${errors}${String(piece)}`.slice(-OUTPUT_MAX)
  })
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      if (!signal.aborted) reject(error)
    })
    child.on('close', (code, killedBy) => {
      const end = signal.aborted
        ? `coffer ${args[0]} did not end within ${minutes} minutes.`
        : `coffer ${args[0]} ended with ${killedBy ?? `status ${code}`}. ${errors}`
      resolve({ isOk: code === 0, summary: summary ?? end })
    })
  })
}

/** Compares all payments since the last success: a difference stays in the result until it is settled. */
async function reconcile(db: pg.Pool, coffer: Coffer): Promise<Outcome> {
  const config = readUsable()
  if (config !== undefined && config.stripe === undefined) {
    return {
      isOk: true,
      summary: 'No card processor is configured, so there is nothing to compare.',
    }
  }
  const last = (await many(db, LIST_CHECKS)).find(({ name }) => name === 'reconcile')
  // A payment may be completed some time after it was started.
  const from = last?.succeededAt?.getTime() ?? Date.now() - 30 * DAY_MS
  return coffer('reconcile', '--from', toDay(from - 3 * DAY_MS))
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Oldest first. The names are times. */
async function listCheckpoints(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return []
    throw cause
  })
  return names.filter((name) => /^\d{4}-.+\.txt$/.test(name)).toSorted()
}

/** The file gets its name when it is complete. */
async function writeCheckpoint(coffer: Coffer, folder: string, key: string): Promise<Outcome> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${new Date().toISOString().replaceAll(':', '')}.txt`)
  const partial = join(folder, 'incomplete')
  await rm(partial, { force: true })
  const outcome = await coffer('checkpoint', partial, '--key', key)
  if (!outcome.isOk) return outcome
  await rename(partial, file)
  const oldest = toDay(Date.now() - CHECKPOINT_DAYS * DAY_MS)
  for (const name of await listCheckpoints(folder)) {
    if (name < oldest) await rm(join(folder, name))
  }
  return { isOk: true, summary: outcome.summary.replaceAll(partial, file) }
}

/** Sends emails about all results that the operators do not know, also about those whose email failed. */
async function reportChanges(db: pg.Pool) {
  const changed = (await many(db, LIST_CHECKS)).filter(
    ({ isOk, reportedOk }) => isOk !== reportedOk,
  )
  const config = changed.length > 0 ? readUsable() : undefined
  const mailer = await createMailer(config?.mail, createLog('warn'))
  if (config === undefined || mailer === undefined) return
  const operators = await many(db, LIST_ALERTED_OPERATORS)
  for (const check of changed) {
    const mail = describeChange(check, config)
    const sent = await Promise.all(operators.map((email) => mailer.deliver(email, mail)))
    if (sent.includes(true)) await run(db, setReported(check.name, check.isOk))
  }
  await mailer.close()
}

function describeChange({ name, isOk, summary, finishedAt }: CheckResult, config: Config) {
  const facts = { name, summary, at: finishedAt.toISOString(), adminOrigin: config.adminOrigin }
  return isOk ? checkRecovered(facts) : checkFailed({ ...facts, advice: ADVICE[name] })
}

/** undefined: it is not valid, which the commands report. */
function readUsable(): Config | undefined {
  try {
    return readConfig()
  } catch (cause) {
    if (cause instanceof ConfigError) return undefined
    throw cause
  }
}
