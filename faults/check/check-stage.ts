/** The whole ledger of a stage against what its clients were told, after everything has settled. */
import pg from 'pg'
import { clientConfig } from '../../server/database/connect.ts'
import { verify } from '../../server/ledger/verify.ts'
import type { Stage } from '../stage/prepare-stage.ts'
import { withAdmin } from '../stage/with-admin.ts'
import { Check } from './check.ts'
import { readBooks } from './read-books.ts'
import { searchSinks } from './search-sinks.ts'
import type { Expected, WalletBook, World } from './world.ts'

export async function checkStage(stage: Stage) {
  const metrics = await Promise.all(
    stage.services.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()),
  )
  await Promise.all(stage.services.map((service) => service.stop()))
  const check = new Check(stage.journal, describeWorld(stage))
  let slowestCreditSeconds = 0
  await withAdmin(stage.database.url, async (admin) => {
    const accounts = await readBooks(admin, (book) => {
      check.takeWallet(book)
      slowestCreditSeconds = Math.max(slowestCreditSeconds, slowestCredit(stage, book))
    })
    check.finish(accounts)
  })
  const fault = await verifyAsOperators(stage)
  if (fault !== undefined) check.findings.add(10, fault)
  for (const surprise of stage.till.surprises) check.findings.add(12, surprise)
  await searchSinks(stage, metrics, check.findings)
  return { check, slowestCreditSeconds }
}

/** The operators' own verifier, with the rights of the service: it also walks the keys. */
async function verifyAsOperators({ database }: Stage): Promise<string | undefined> {
  const client = new pg.Client(clientConfig(database.url))
  await client.connect()
  const { fault } = await verify(client, {})
  await client.end()
  return fault
}

function describeWorld({ apps, wallets, openings, till, sandbox, heads, freezes }: Stage): World {
  const expected = till.expected(sandbox)
  for (const { wallet, referenceId, amountMinor } of openings) {
    const opening: Expected = { wallet, netMinor: amountMinor, sentMs: -Infinity, answeredMs: 0 }
    expected.set(`BONUS ${referenceId}`, opening)
  }
  return { apps, wallets, expected, processorMinor: till.movedMinor(sandbox), heads, freezes }
}

function slowestCredit({ till }: Stage, { operations }: WalletBook): number {
  let slowest = 0
  for (const { kind, referenceId, createdAtMs } of operations) {
    const payment = kind === 'topup' ? till.payments.get(referenceId) : undefined
    if (payment) slowest = Math.max(slowest, (createdAtMs - payment.paidAtMs) / 1000)
  }
  return slowest
}
