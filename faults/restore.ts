/**
 * Backup and restore: the database is lost under load and restored with pgBackRest, to a point in time and to the latest
 * state. Each time everything that was acknowledged until then must be there.
 *
 *   npm run faults:restore                          about two minutes
 *   npm run faults:restore -- --seconds 3           duration of each of the three phases of load
 *   npm run faults:restore -- --clients 24          number of parallel clients
 *   npm run faults:restore -- --archive-timeout 5   seconds after which a WAL segment is archived even if it is not full
 *   npm run faults:restore -- --replays 5000        pairs that are sent again after a restore
 *   npm run faults:restore -- --seed 7              the same clients
 *   npm run faults:restore -- --report FOLDER       also writes restore.md and restore.json there
 */
import { randomInt } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Goal, restoreDatabase } from './restore/restore-database.ts'
import {
  archiveLog,
  type Folders,
  loseDatabase,
  type Loss,
  type RestorePlan,
} from './restore/lose-database.ts'
import { createRepository } from './restore/pgbackrest.ts'
import { isSound, type RestoreReport, toJson, toMarkdown } from './restore/report.ts'
import { type Archive, readArchive } from './restore/watch-wal.ts'
import { withSetup } from './setup/prepare-setup.ts'

function readFlags() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '10' },
      clients: { type: 'string', default: '48' },
      'archive-timeout': { type: 'string', default: '5' },
      replays: { type: 'string', default: '5000' },
      seed: { type: 'string' },
      report: { type: 'string' },
    },
  })
  const plan: RestorePlan = {
    seed: Number(values.seed ?? randomInt(2 ** 31)),
    seconds: Number(values.seconds),
    clients: Number(values.clients),
    replays: Number(values.replays),
    archiveTimeoutSeconds: Number(values['archive-timeout']),
  }
  return { plan, reportFolder: values.report }
}

async function runRestore(plan: RestorePlan): Promise<RestoreReport> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-faults-restore-'))
  const folders: Folders = {
    restored: join(folder, 'restored'),
    checkpoint: join(folder, 'heads.txt'),
    key: join(folder, 'key.pem'),
  }
  // PostgreSQL writes to this folder as its own user.
  chmodSync(folder, 0o777)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const setupPlan = { processes: 2, journalFile: undefined }
  return withSetup(setupPlan, async (setup) => {
    const repository = await createRepository(folder, setup.database)
    await archiveLog(setup, repository, plan.archiveTimeoutSeconds)
    const loss = await loseDatabase(setup, plan, { folders, repository }, print)
    const archive = readArchive(repository, join(folder, 'repository'))
    const restored = []
    for (const goal of setGoals(loss, archive, plan.replays)) {
      restored.push(await restoreDatabase(setup, loss, { folders, repository }, goal))
      print(`Restored ${goal.name}: ${restored.at(-1)?.seconds.toFixed(1)} s`)
    }
    return { plan, loss, archive, restored }
  })
}

function setGoals(loss: Loss, { endPosition }: Archive, replays: number): Goal[] {
  const { moment, beforeMomentMs, afterMomentMs, marks } = loss
  const archived = marks.findLast(({ position }) => position <= endPosition)
  if (archived === undefined) throw new Error('nothing was archived while the clients worked')
  return [
    {
      name: 'to the point in time',
      toTime: moment,
      respondedMs: beforeMomentMs,
      sentMs: afterMomentMs,
      replays,
    },
    {
      name: 'to the latest state',
      toTime: undefined,
      respondedMs: archived.atMs,
      sentMs: Infinity,
      replays,
    },
  ]
}

function print(text: string) {
  process.stdout.write(`${text}\n`)
}

const { plan, reportFolder } = readFlags()
print(`Seed ${plan.seed}`)
const report = await runRestore(plan)
print(`\n${toMarkdown(report)}`)
if (reportFolder !== undefined) {
  mkdirSync(reportFolder, { recursive: true })
  writeFileSync(join(reportFolder, 'restore.md'), toMarkdown(report))
  writeFileSync(join(reportFolder, 'restore.json'), toJson(report))
}
if (!isSound(report)) process.exitCode = 1
