import { InvalidArgumentError, type Command } from 'commander'
import { mkdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { recordAction } from '../admin/record-action.ts'
import type { RestoreTools } from '../archive/check-files.ts'
import { readDatabaseUrl } from '../config.ts'
import { ownerConfig } from '../database/connect.ts'
import { COMMAND_LINE } from './operator.ts'
import { showProgress } from './show-progress.ts'
import { count, print } from './with-service.ts'

/** The options are required, but commander would require them for the subcommands too. */
interface ArchiveFlags {
  before?: string
  to?: string
  key?: string
}

interface FileFlags {
  from: string
  key: string
}

export function addArchiveCommands(program: Command) {
  // An option belongs to the command that it follows: archive and its subcommands have options with the same name.
  const archive = program
    .enablePositionalOptions()
    .command('archive')
    .description('move the operations of old months from the database to signed files')
    .option('--before <month>', 'archive the months before this one, such as 2025-01', readMonth)
    .option('--to <folder>', 'where to write the files')
    .option('--key <file>', 'an Ed25519 private key, PEM')
    .action(runArchive)

  archive
    .command('restore <month>')
    .description('bring the newest archived month back')
    .requiredOption('--from <folder>', 'the folder of the archive')
    .requiredOption('--key <file>', "the archive's public (or private) key, PEM")
    .action(runRestore)

  archive
    .command('verify')
    .description('compare the archived months in the database with their signed files')
    .requiredOption('--from <folder>', 'the folder of the archive')
    .requiredOption('--key <file>', "the archive's public (or private) key, PEM")
    .action(runVerify)

  archive
    .command('drop <month>')
    .description('drop the detached table of an archived month, after checking its files')
    .requiredOption('--from <folder>', 'the folder of the archive, preferably its second copy')
    .requiredOption('--key <file>', "the archive's public (or private) key, PEM")
    .action(runDrop)
}

function readMonth(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new InvalidArgumentError('Write a month like 2025-01.')
}

async function runArchive({ before, to, key }: ArchiveFlags) {
  if (before === undefined || to === undefined || key === undefined) {
    throw new InvalidArgumentError('Give --before, --to and --key.')
  }
  const { archiveMonths } = await import('../archive/archive-months.ts')
  const privateKeyPem = await readFile(key, 'utf8')
  await mkdir(to, { recursive: true, mode: 0o700 })
  await withOwner(async (locker) =>
    withOwner(async (worker) => {
      await record(worker, 'ledger.archive', { before })
      let archived = 0
      await archiveMonths(
        {
          locker,
          worker,
          folder: to,
          privateKeyPem,
          onWait: (month) =>
            print(`Another transaction uses the operations; waiting to detach ${month}.`),
          onArchived: ({ month, operations, wallets }) => {
            archived++
            print(
              `Archived ${month}: ${count(operations, 'operation')}, ${count(wallets, 'wallet')}.`,
            )
          },
        },
        before,
      )
      if (archived === 0) return print(`No month before ${before} is left to archive.`)
      print(
        `Copy ${to} to a second place. Then run "coffer archive drop" for each month, because the detached tables still use disk space.`,
      )
    }),
  )
}

async function runRestore(text: string, flags: FileFlags) {
  const month = readMonth(text)
  const { restoreMonth } = await import('../archive/restore-month.ts')
  const progress = showProgress(`Restoring ${month}`)
  await withFiles(flags, async (tools) => {
    await record(tools.client, 'ledger.restore_month', { month })
    const { operations } = await restoreMonth({ ...tools, onProgress: progress.update }, month)
    progress.end()
    print(`Restored ${month}: ${count(operations, 'operation')}. Run coffer verify.`)
  })
}

async function runVerify(flags: FileFlags) {
  const { verifyArchive } = await import('../archive/verify-archive.ts')
  await withFiles(flags, async (tools) => {
    const { months, operations, fault } = await verifyArchive(tools)
    const read = `${count(months, 'month')}, ${count(operations, 'operation')}`
    if (fault === undefined) return print(`The archive is sound: ${read}.`)
    print(`The archive is NOT sound (after ${read}):\n  ${fault}`)
    process.exitCode = 1
  })
}

async function runDrop(text: string, flags: FileFlags) {
  const month = readMonth(text)
  const { dropMonth } = await import('../archive/restore-month.ts')
  await withFiles(flags, async (tools) => {
    await record(tools.client, 'ledger.drop_month', { month })
    const { operations } = await dropMonth(tools, month)
    print(
      `Dropped the table of ${month}. Its ${count(operations, 'operation')} are in the files only.`,
    )
  })
}

/** Written before the first of several transactions: the entry states what was started. */
function record(client: pg.ClientBase, action: string, after: object) {
  return recordAction(client, COMMAND_LINE, { action, after })
}

async function withFiles({ from, key }: FileFlags, work: (tools: RestoreTools) => Promise<void>) {
  const publicKeyPem = await readFile(key, 'utf8')
  await withOwner((client) => work({ client, folder: from, publicKeyPem }))
}

async function withOwner(work: (client: pg.Client) => Promise<void>) {
  const client = new pg.Client(ownerConfig(readDatabaseUrl()))
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
