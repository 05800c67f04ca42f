import * as clack from '@clack/prompts'
import { InvalidArgumentError, type Command } from 'commander'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { readDatabaseUrl, readGivenCurrency } from '../config.ts'
import { clientConfig } from '../database/connect.ts'
import { readCheckpoint, writeCheckpoint } from '../ledger/checkpoint.ts'
import { compareCurrency } from '../require-currency.ts'
import { COUNT_WALLETS } from '../ledger/verify-queries.ts'
import { verify, type VerifyOptions } from '../ledger/verify.ts'
import { say } from './with-service.ts'

interface VerifyFlags {
  checkpoint?: string
  key?: string
  incremental?: boolean
}

export function addLedgerCommands(program: Command) {
  program
    .command('verify')
    .description('prove the books: balances, hash chains, keys and the trial balance')
    .option('--checkpoint <file>', 'compare with this checkpoint')
    .option('--key <file>', "the checkpoint's public (or private) key, PEM")
    .option('--incremental', 'walk only what came after the checkpoint')
    .action(runVerify)

  program
    .command('checkpoint <file>')
    .description("write the wallets' heads to a new file, signed; keep it away from the database")
    .requiredOption('--key <file>', 'an Ed25519 private key, PEM')
    .action(runCheckpoint)
}

async function runVerify({ checkpoint, key, incremental }: VerifyFlags) {
  if ((checkpoint === undefined) !== (key === undefined)) {
    throw new InvalidArgumentError('--checkpoint and --key go together.')
  }
  if (incremental && checkpoint === undefined) {
    throw new InvalidArgumentError('--incremental needs --checkpoint and --key.')
  }
  await withClient(async (client) => {
    const progress = await showProgress(client, 'Walking the books')
    const options: VerifyOptions = {
      onlySince: incremental ?? false,
      onProgress: (done) => progress.update(done.wallets),
    }
    if (checkpoint && key) {
      options.checkpoint = readCheckpoint(checkpoint, await readFile(key, 'utf8'))
    }
    const report = await verify(client, options)
    progress.end()
    const walked = `${report.wallets} wallets, ${report.operations} operations`
    if (report.fault === undefined) return say(`The books are sound: ${walked}.`)
    say(`The books are NOT sound. First bad row (after ${walked}):\n  ${report.fault}`)
    process.exitCode = 1
  })
}

async function runCheckpoint(file: string, { key }: { key: string }) {
  await withClient(async (client) => {
    const progress = await showProgress(client, 'Writing heads')
    const { wallets } = await writeCheckpoint(client, file, await readFile(key, 'utf8'), (done) =>
      progress.update(done),
    )
    progress.end()
    say(`${file} holds the heads of ${wallets} wallets. Keep it away from the database.`)
  })
}

async function withClient(work: (client: pg.Client) => Promise<void>) {
  const currency = readGivenCurrency()
  const client = new pg.Client(clientConfig(readDatabaseUrl()))
  await client.connect()
  try {
    if (currency) await compareCurrency(client, currency.code)
    await work(client)
  } finally {
    await client.end()
  }
}

async function showProgress(client: pg.Client, title: string) {
  if (!process.stdout.isTTY)
    return { update: (_wallets: number) => undefined, end: () => undefined }
  const { rows } = await client.query<{ count: bigint }>(COUNT_WALLETS)
  const bar = clack.progress({ max: Number(rows[0]?.count ?? 0n) })
  let shown = 0
  bar.start(title)
  return {
    update(wallets: number) {
      bar.advance(wallets - shown, `${title}: ${wallets} wallets`)
      shown = wallets
    },
    end: () => bar.stop(`${title}: done`),
  }
}
