import { InvalidArgumentError, type Command } from 'commander'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chown, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { promisify } from 'node:util'
import { afterRestore } from './after-restore.ts'
import {
  isRoot,
  listTimelines,
  newestSegment,
  readCluster,
  readInfo,
  runPgbackrest,
  toTime,
  type Cluster,
  type Info,
} from './pgbackrest.ts'
import { readProof, type ProofFlags } from './prove-books.ts'
import { rehearse } from './rehearse-restore.ts'
import { IS_RECOVERING, setPassword } from './restore-queries.ts'
import { waitUntilRecovered } from './wait-until-recovered.ts'
import { print } from './with-service.ts'

interface RestoreFlags extends ProofFlags {
  to?: Date
  timeline?: number
  rehearse?: boolean
  yes?: boolean
}

export function addRestoreCommands(program: Command) {
  const proof = (command: Command) =>
    command
      .option('--checkpoint <file>', 'compare with this checkpoint from before that time')
      .option('--key <file>', "the checkpoint's public (or private) key, PEM")

  proof(
    program
      .command('restore')
      .description(
        'restore the database with pgBackRest, verify the books and end all sessions; needs root',
      )
      .option(
        '--to <time>',
        'such as 2026-01-31T12:00:00Z; default: the end of the archive',
        parseMoment,
      )
      .option(
        '--timeline <number>',
        'follow this timeline, if there was a restore before',
        readTimeline,
      )
      .option('--rehearse', 'restore into a temporary folder, verify the books, and remove it')
      .option('--yes', 'do not ask'),
  ).action(restore)

  proof(
    program
      .command('after-restore')
      .description('pause writes on a restored database, verify the books and end all sessions'),
  ).action((flags: ProofFlags) => afterRestore(flags))
}

function readTimeline(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Use a number.')
  return Number(text)
}

/** A time without a zone would depend on the time zone of the machine. */
function parseMoment(text: string): Date {
  const moment = new Date(text)
  if (!/\dT\d.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(moment.getTime())) {
    throw new InvalidArgumentError('Write the time as 2026-01-31T12:00:00Z.')
  }
  return moment
}

async function restore(flags: RestoreFlags) {
  if (!isRoot() && !flags.rehearse) throw new Error('Restoring needs root. Run it with sudo.')
  if (flags.to && flags.to > new Date()) {
    throw new InvalidArgumentError(
      'This time is in the future. Leave out --to to restore to the end of the archive.',
    )
  }
  await readProof(flags)
  const cluster = await readCluster()
  const info = await readInfo()
  const target = await describeTarget(flags, info)
  // The archive has only what was there before: a restore starts a timeline of its own.
  const mustReach = flags.to || flags.timeline ? undefined : newestSegment(info)
  if (flags.rehearse) return rehearse(cluster, info, target, flags, mustReach)
  const until = flags.to ? flags.to.toISOString() : 'the end of the archive'
  if (!flags.yes) {
    await confirm(
      `This stops the service on this machine and replaces the database with its state at ${until}. Stop the service on other machines first.`,
    )
  }
  const services = listServices()
  systemctl('stop', 'coffer@*.service')
  systemctl('stop', cluster.unit)
  const old = await replaceData(cluster, target)
  if (mustReach !== undefined) await reportUnarchived(old)
  systemctl('start', cluster.unit)
  print('PostgreSQL replays the archived WAL …')
  const isRecovered = await waitUntilRecovered({
    isRecovered: async () => (await psql(IS_RECOVERING.text)).trim() === 'f',
    hasEnded: () => !existsSync(join(cluster.data, 'postmaster.pid')),
  })
  if (!isRecovered) throw new Error(explainFailure(cluster, old))
  await setPasswords()
  await afterRestore(flags, mustReach)
  print(`The previous files of the database are in ${old}. Remove them when nothing is missing.`)
  print(`To start the service: systemctl start ${services.join(' ') || 'coffer@8081 coffer@8082'}`)
}

async function describeTarget({ to, timeline }: RestoreFlags, info: Info): Promise<string[]> {
  if (timeline === undefined) await requireOneTimeline(to, info)
  const follow = timeline === undefined ? [] : [`--target-timeline=${timeline}`]
  return to === undefined ? follow : [...toTime(to), ...follow]
}

/** PostgreSQL would silently follow the newest one. */
async function requireOneTimeline(to: Date | undefined, info: Info) {
  const timelines = await listTimelines(info)
  const ofBackup = Number.parseInt(info.backup.at(-1)?.archive.stop.slice(0, 8) ?? '', 16)
  if (timelines.length < 2 || (to === undefined && ofBackup === timelines.at(-1))) return
  throw new InvalidArgumentError(
    `The archive has the timelines ${timelines.join(', ')}: each restore that was put into service started one.
Name the one to follow, such as --timeline ${timelines.at(-1)} for what happened since the last restore. Nothing was changed.`,
  )
}

async function confirm(what: string) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${what}\nType "restore" to continue: `)
  terminal.close()
  if (answer.trim() !== 'restore') throw new Error('Nothing was changed.')
}

/** If pgBackRest fails, the previous files are in their place again. */
async function replaceData({ data }: Cluster, target: string[]): Promise<string> {
  const kept = globSync(`${data}-before-restore-*`).toSorted().at(-1)
  if (kept !== undefined && !existsSync(join(data, 'global/pg_control'))) {
    throw new Error(
      `An earlier restore was interrupted: ${data} is incomplete. Put the previous files back, then try again:
  rm -r ${data} && mv ${kept} ${data}`,
    )
  }
  const old = `${data}-before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  const owner = await stat(data)
  print(`The previous files of the database are kept in ${old}.`)
  await rename(data, old)
  try {
    await mkdir(data, { mode: 0o700 })
    await chown(data, owner.uid, owner.gid)
    runPgbackrest([...target, 'restore'])
    return old
  } catch (error) {
    await rm(data, { recursive: true, force: true })
    await rename(old, data)
    const advice = `The previous database is in its place again. Start it with: systemctl start postgresql`
    throw new Error(`pgBackRest could not restore; its message is above. ${advice}`, {
      cause: error,
    })
  }
}

/** Finished WAL that the archive never got is not restored. */
async function reportUnarchived(old: string) {
  const names = await readdir(join(old, 'pg_wal/archive_status')).catch(() => [])
  const waiting = names.filter((name) => name.endsWith('.ready')).length
  if (waiting === 0) return
  print(
    `${waiting} WAL files in ${old}/pg_wal were not archived, so what they contain is not restored. Keep this folder.`,
  )
}

function explainFailure({ data, unit }: Cluster, old: string): string {
  return `PostgreSQL could not replay the WAL. The end of its log in /var/log/postgresql says why; if the archive ends before the time of --to, restore to an earlier one.
To put the previous database back: systemctl stop ${unit}; rm -r ${data}; mv ${old} ${data}; systemctl start ${unit}`
}

async function psql(statement: string): Promise<string> {
  const command = ['-u', 'postgres', '--', 'psql', '-XAtq', '--set=ON_ERROR_STOP=1']
  const child = promisify(execFile)('runuser', command, { cwd: '/' })
  child.child.stdin?.end(statement)
  return (await child).stdout
}

/** The restored cluster has the passwords of the backup; the settings may be those of a new installation. */
async function setPasswords() {
  for (const role of ['owner', 'login'] as const) {
    const line = await readFile(`/etc/coffer/${role}.pgpass`, 'utf8').catch(() => '')
    const password = /^(?:[^:]*:){4}([0-9a-f]+)$/m.exec(line)?.[1]
    if (password) await psql(setPassword(role, password))
  }
}

function listServices(): string[] {
  const args = ['list-units', '--all', '--plain', '--no-legend', 'coffer@*.service']
  const units = execFileSync('systemctl', args, { encoding: 'utf8' })
  return units.split('\n').flatMap((line) => line.split(' ')[0] || [])
}

function systemctl(...args: string[]) {
  execFileSync('systemctl', args, { stdio: 'inherit' })
}
