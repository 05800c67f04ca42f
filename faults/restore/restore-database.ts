/** Restores the database with pgBackRest, verifies its books, starts the service on it, and cuts the journal at the same point. */
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresOwner, startTemporaryPostgres } from '../../scripts/temporary-postgres.ts'
import { checkSetup } from '../check/check-setup.ts'
import type { Findings } from '../check/findings.ts'
import { resolvePairs } from '../clients/resolve-unknowns.ts'
import { move, type Move } from '../clients/call-service.ts'
import { mustRun } from '../run-coffer.ts'
import type { Setup } from '../setup/prepare-setup.ts'
import { withAdmin } from '../setup/with-admin.ts'
import type { Folders, Loss } from './lose-database.ts'
import type { TruncatableJournal } from './truncatable-journal.ts'
import type { Repository } from './pgbackrest.ts'

export interface Goal {
  name: string
  toTime: Date | undefined
  /** Operations confirmed until then must be there; operations sent later must not. */
  respondedMs: number
  sentMs: number
  replays: number
}

export interface Restored {
  name: string
  /** To restore, replay and verify. */
  seconds: number
  operations: number
  /** Operations that were posted and confirmed in time, and how many of them are missing; must be 0. */
  acknowledged: number
  missing: number
  /** Operations that are there although they were sent later; must be 0. */
  tooNew: number
  /** Operations that were posted and confirmed but are missing, because they were confirmed too late. */
  lostLater: number
  replayed: number
  findings: Findings
}

const NEW_MOVES = 20
const AT_ONCE = 16

export async function restoreDatabase(
  setup: Setup,
  loss: Loss,
  { folders, repository }: { folders: Folders; repository: Repository },
  goal: Goal,
): Promise<Restored> {
  const startedMs = performance.now()
  const folder = `${folders.restored}-${goal.toTime ? 'point-in-time' : 'latest'}`
  restoreFiles(repository, folder, goal)
  // Without hot_standby, the server accepts connections when it has replayed everything.
  const settings = {
    max_connections: '200',
    fsync: 'off',
    full_page_writes: 'off',
    hot_standby: 'off',
  }
  const postgres = await startTemporaryPostgres({ folder, settings })
  const proof = ['--checkpoint', folders.checkpoint, '--key', folders.key]
  await mustRun(['verify', ...proof], { DATABASE_URL: postgres.url })
  const seconds = (performance.now() - startedMs) / 1000
  try {
    const found = await findPosted(postgres.url, setup, loss.journal)
    const counts = countAgainst(loss.journal, found, goal)
    await startServices(setup, postgres.url)
    const journal = loss.journal.cut(goal)
    const database = { ...setup.database, url: postgres.url }
    // The processes are reused for the next restore; their logs are searched after the last one.
    const services = goal.toTime ? [] : setup.services
    const restored: Setup = { ...setup, database, journal, services }
    await resolvePairs(restored, 60)
    const replayed = await replay(restored, goal.replays)
    const refusal = await makeNewMoves(restored)
    const { check } = await checkSetup(restored)
    if (refusal !== undefined) check.findings.add(12, refusal)
    const { findings } = check
    return { name: goal.name, seconds, operations: found.size, ...counts, replayed, findings }
  } finally {
    await postgres.stop()
  }
}

function restoreFiles(repository: Repository, folder: string, { toTime }: Goal) {
  const data = join(folder, 'data')
  const owner = postgresOwner()
  mkdirSync(data, { recursive: true, mode: 0o700 })
  if (owner) for (const each of [folder, data]) chownSync(each, owner.uid, owner.gid)
  const time = toTime?.toISOString().replace('T', ' ').replace('Z', '+00')
  const target = time ? ['--type=time', `--target=${time}`, '--target-action=promote'] : []
  // The restored server must not archive: the next restore would follow its timeline.
  repository.run([`--pg1-path=${data}`, '--archive-mode=off', ...target, 'restore'])
}

/** As after a real loss: only the configuration of the processes is left. */
async function startServices({ services, proxy }: Setup, url: string) {
  proxy.aim(url)
  proxy.cutAll()
  for (const service of services) service.kill('SIGKILL')
  await sleep(500)
  await Promise.all(services.map((service) => service.ready(60_000)))
}

/** The pairs that are in the restored books. */
async function findPosted(url: string, { apps }: Setup, journal: TruncatableJournal) {
  const { rows } = await withAdmin(url, (admin) =>
    admin.query<{ account: bigint; type: string; id: string }>(
      `select counter_account as account, reference_type as type, reference_id as id
       from ledger.operations where kind in ('debit', 'credit', 'refund', 'hold', 'capture', 'release')`,
    ),
  )
  const appOf = new Map(apps.map(({ account }, index) => [account, index]))
  return new Set(
    rows.map(({ account, type, id }) => {
      const pair = journal.findPair(appOf.get(Number(account)) ?? -1, type, id)
      if (pair === undefined)
        throw new Error(`${type} ${id} is in the books, but was never requested`)
      return pair
    }),
  )
}

function countAgainst(journal: TruncatableJournal, found: ReadonlySet<number>, goal: Goal) {
  const counts = { acknowledged: 0, missing: 0, tooNew: 0, lostLater: 0 }
  for (let pair = 0; pair < journal.pairCount; pair++) {
    const { firstSentMs, firstRespondedMs } = journal.pair(pair)
    if (found.has(pair) && firstSentMs > goal.sentMs) counts.tooNew++
    const wasPosted = journal.requestsOf(pair).some(({ shape }) => shape.meaning === 'posted')
    if (!wasPosted) continue
    if (firstRespondedMs <= goal.respondedMs) {
      counts.acknowledged++
      if (!found.has(pair)) counts.missing++
    } else if (!found.has(pair)) counts.lostLater++
  }
  return counts
}

/** Sends decided pairs again, the newest first; their responses must be the same. */
async function replay(setup: Setup, count: number): Promise<number> {
  const { journal } = setup
  const decided: number[] = []
  for (let pair = journal.pairCount - 1; pair >= 0 && decided.length < count; pair--) {
    if (journal.firstRespondedMs(pair) < Infinity) decided.push(pair)
  }
  const left = [...decided]
  async function send() {
    for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
      const first = [...journal.requestsOf(pair)].findLast(({ verb }) => verb !== 'lookup')
      if (first === undefined) continue
      const { app, verb, wallet, amountMinor } = first
      await move(setup, { app, verb, wallet, amountMinor, pair } as Move)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, send))
  return decided.length
}

/** Makes new debits and credits. Returns the first refusal, if there is one. */
async function makeNewMoves(setup: Setup): Promise<string | undefined> {
  for (let round = 0; round < NEW_MOVES; round++) {
    for (const verb of ['credit', 'debit'] as const) {
      const pair = setup.journal.openPair(0)
      const meaning = await move(setup, { app: 0, verb, wallet: round, amountMinor: 100, pair })
      if (meaning !== 'posted') return `a new ${verb} after the restore was ${meaning}`
    }
  }
  return undefined
}
