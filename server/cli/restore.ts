import { InvalidArgumentError, type Command } from 'commander'
import { execFileSync } from 'node:child_process'
import { chown, mkdir, rename, rm, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { readDatabaseUrl } from '../config.ts'
import { afterRestore, type AfterRestoreFlags } from './after-restore.ts'
import {
  isRoot,
  newestSegment,
  readCluster,
  readInfo,
  runPgbackrest,
  type Cluster,
} from './pgbackrest.ts'
import { rehearse } from './rehearse-restore.ts'
import { waitUntilRecovered } from './wait-until-recovered.ts'
import { print } from './with-service.ts'

interface RestoreFlags extends AfterRestoreFlags {
  to?: Date
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
      .option('--rehearse', 'restore into a temporary folder, verify the books, and remove it')
      .option('--yes', 'do not ask'),
  ).action(restore)

  proof(
    program
      .command('after-restore')
      .description('pause writes on a restored database, verify the books and end all sessions'),
  ).action((flags: AfterRestoreFlags) => afterRestore(flags))
}

/** A time without a zone would depend on the time zone of the machine. */
export function parseMoment(text: string): Date {
  const moment = new Date(text)
  if (!/\dT\d.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(moment.getTime())) {
    throw new InvalidArgumentError('Write the time as 2026-01-31T12:00:00Z.')
  }
  return moment
}

async function restore(flags: RestoreFlags) {
  if (!isRoot() && !flags.rehearse) throw new Error('Restoring needs root. Run it with sudo.')
  const cluster = await readCluster()
  const info = await readInfo()
  const target = describeTarget(flags.to)
  if (flags.rehearse) return rehearse(cluster, info, target, flags)
  const until = flags.to ? flags.to.toISOString() : 'the end of the archive'
  if (!flags.yes)
    await confirm(`This stops the service and replaces the database by its state at ${until}.`)
  const services = listServices()
  systemctl('stop', ...services, cluster.unit)
  const old = await replaceData(cluster, target)
  systemctl('start', cluster.unit)
  print('PostgreSQL replays the archived WAL …')
  await waitUntilRecovered(readDatabaseUrl())
  print(
    `The database is restored. Its previous files are in ${old}: remove them when nothing is missing.`,
  )
  // The archive has only what was there before: the new timeline starts with this restore.
  await afterRestore(flags, flags.to ? undefined : newestSegment(info))
  print(
    `When you are done with these steps: systemctl start ${services.join(' ') || 'coffer@8081 coffer@8082'}`,
  )
}

function describeTarget(to: Date | undefined): string[] {
  if (to === undefined) return []
  const time = to.toISOString().replace('T', ' ').replace('Z', '+00')
  return ['--type=time', `--target=${time}`, '--target-action=promote']
}

async function confirm(what: string) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${what}\nType "restore" to continue: `)
  terminal.close()
  if (answer.trim() !== 'restore') throw new Error('Nothing was changed.')
}

/** If pgBackRest fails, the previous files are in their place again. */
async function replaceData({ data }: Cluster, target: string[]): Promise<string> {
  const old = `${data}-before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  const owner = await stat(data)
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

function listServices(): string[] {
  const args = ['list-units', '--plain', '--no-legend', '--state=active', 'coffer@*.service']
  const units = execFileSync('systemctl', args, { encoding: 'utf8' })
  return units.split('\n').flatMap((line) => line.split(' ')[0] || [])
}

function systemctl(...args: string[]) {
  execFileSync('systemctl', args, { stdio: 'inherit' })
}
