import { InvalidArgumentError, type Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { readDatabaseUrl, readGivenCurrency } from '../config.ts'
import { checkSession, clientConfig } from '../database/connect.ts'
import { one } from '../database/statement.ts'
import { writeCheckpoint } from '../ledger/verify/checkpoint.ts'
import { compareCurrency } from '../require-currency.ts'
import { COUNT_WALLETS } from '../ledger/verify/verify-queries.ts'
import { readAuditFacts } from './prove-audit.ts'
import { proveBooks, readProof, type ProofFlags } from './prove-books.ts'
import { showProgress } from './show-progress.ts'
import { print, summarize } from './with-service.ts'

interface VerifyFlags extends ProofFlags {
  incremental?: boolean
  threads: number
}

export function addLedgerCommands(program: Command) {
  program
    .command('verify')
    .description('verify the books (balances, hash chains, keys, trial balance) and the audit log')
    .option('--checkpoint <file>', 'compare with this checkpoint')
    .option('--key <file>', "the checkpoint's public (or private) key, PEM")
    .option('--incremental', 'verify only what is newer than the checkpoint')
    .option('--threads <number>', 'number of threads', readThreads, availableParallelism())
    .action(runVerify)

  program
    .command('checkpoint <file>')
    .description(
      'write the heads of the wallets and the audit log to a new, signed file; keep it away from the database',
    )
    .requiredOption('--key <file>', 'an Ed25519 private key, PEM')
    .action(runCheckpoint)
}

function readThreads(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError('Use a number from 1 to 999.')
  return Number(text)
}

async function runVerify({ incremental, threads, ...proof }: VerifyFlags) {
  await readProof(proof)
  if (incremental && proof.checkpoint === undefined) {
    throw new InvalidArgumentError('--incremental requires --checkpoint and --key.')
  }
  await withClient(async (client) => {
    const isIncremental = incremental ?? false
    const options = { databaseUrl: readDatabaseUrl(), threads, isIncremental }
    await summarize(await proveBooks(client, proof, options))
  })
}

async function runCheckpoint(file: string, { key }: { key: string }) {
  await withClient(async (client) => {
    const progress = showProgress('Writing heads')
    const total = (await one(client, COUNT_WALLETS)) ?? 0
    const { wallets } = await writeCheckpoint(
      client,
      file,
      await readFile(key, 'utf8'),
      (done) => progress.update(done, total),
      () => readAuditFacts(client),
    )
    progress.end()
    const wrote = `Wrote the heads of ${wallets} wallets and of the audit log to ${file}.`
    print(`${wrote} Keep it away from the database.`)
    await summarize(wrote)
  })
}

async function withClient(work: (client: pg.Client) => Promise<void>) {
  const currency = readGivenCurrency()
  const client = new pg.Client(clientConfig(readDatabaseUrl()))
  await client.connect()
  try {
    await checkSession(client)
    if (currency) await compareCurrency(client, currency.code)
    await work(client)
  } finally {
    await client.end()
  }
}
