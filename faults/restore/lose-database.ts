/** Clients at work, a checkpoint, a backup under load, a recorded point in time, and then the loss of the database. */
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Dice } from '../clients/dice.ts'
import { Mix } from '../clients/mix.ts'
import { mustRun } from '../run-coffer.ts'
import type { Setup } from '../setup/prepare-setup.ts'
import { withAdmin } from '../setup/with-admin.ts'
import { TruncatableJournal } from './truncatable-journal.ts'
import type { Repository } from './pgbackrest.ts'
import { watchLog, type LogMark } from './watch-wal.ts'

export interface RestorePlan {
  seed: number
  /** Before the backup, between it and the point in time, and between that and the loss. */
  seconds: number
  clients: number
  /** How many decided pairs are sent again after a restore. */
  replays: number
  archiveTimeoutSeconds: number
}

export interface Folders {
  /** Of the restored servers. */
  restored: string
  checkpoint: string
  key: string
}

export interface Loss {
  journal: TruncatableJournal
  backupSeconds: number
  /** By the clock of the database; the two others enclose it by the clock of the clients. */
  moment: Date
  beforeMomentMs: number
  afterMomentMs: number
  disasterMs: number
  marks: readonly LogMark[]
}

export async function archiveLog(
  { database, services }: Setup,
  repository: Repository,
  timeoutSeconds: number,
) {
  await withAdmin(database.url, async (admin) => {
    await admin.query(`alter system set archive_mode = 'on'`)
    await admin.query(`alter system set archive_command = '${repository.archiveCommand}'`)
    await admin.query(`alter system set archive_timeout = '${timeoutSeconds}s'`)
  })
  await database.restart('fast')
  repository.run(['stanza-create'])
  await Promise.all(services.map((service) => service.ready(60_000)))
}

export async function loseDatabase(
  setup: Setup,
  plan: RestorePlan,
  tools: { folders: Folders; repository: Repository },
  print: (line: string) => void,
): Promise<Loss> {
  const journal = new TruncatableJournal()
  const mix = new Mix({ ...setup, journal })
  const clients = Array.from({ length: plan.clients }, (_, index) =>
    mix.run(new Dice(plan.seed, `client ${index}`)),
  )
  const { url } = setup.database
  const watch = watchLog(url)
  await sleep(plan.seconds * 1000)
  await signHeads(url, tools.folders)
  const backupSeconds = await backUp(tools.repository)
  print(`Backup under load: ${backupSeconds.toFixed(1)} s`)
  await sleep(plan.seconds * 1000)
  const moment = await recordMoment(url)
  print(`Point in time: ${moment.moment.toISOString()}`)
  await sleep(plan.seconds * 1000)
  const disasterMs = await destroy(url)
  mix.isOver = true
  await Promise.all(clients)
  await watch.stop()
  print(`The database is gone, with ${journal.definiteCount} definite responses`)
  return { journal, backupSeconds, ...moment, disasterMs, marks: watch.marks }
}

/** In a process of its own, so that the clients go on. */
async function backUp(repository: Repository): Promise<number> {
  const startedMs = performance.now()
  await repository.start(['--type=full', 'backup'])
  return (performance.now() - startedMs) / 1000
}

async function signHeads(url: string, { checkpoint, key }: Folders) {
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await mustRun(['checkpoint', checkpoint, '--key', key], { DATABASE_URL: url })
}

async function recordMoment(url: string) {
  return withAdmin(url, async (admin) => {
    const beforeMomentMs = performance.now()
    // An operator can name milliseconds at best. Rounded up, this is after every response so far.
    const { rows } = await admin.query<{ moment: Date }>(
      `select date_trunc('milliseconds', clock_timestamp() + interval '1 millisecond') as moment`,
    )
    const moment = rows[0]?.moment ?? new Date()
    await sleep(2)
    return { beforeMomentMs, moment, afterMomentMs: performance.now() }
  })
}

/** Kills the server and removes its disk, with all WAL that was not archived. */
async function destroy(url: string): Promise<number> {
  const { rows } = await withAdmin(url, (admin) => admin.query('show data_directory'))
  const data = String(rows[0]?.data_directory)
  const [pid = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGKILL')
  const disasterMs = performance.now()
  rmSync(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  return disasterMs
}
