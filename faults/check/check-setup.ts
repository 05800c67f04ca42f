/** Compares the whole ledger with the responses that the clients got, after all outcomes are known. */
import pg from 'pg'
import { clientConfig } from '../../server/database/connect.ts'
import { verify } from '../../server/ledger/verify/verify.ts'
import type { Setup } from '../setup/prepare-setup.ts'
import { withAdmin } from '../setup/with-admin.ts'
import { Check } from './check.ts'
import { countErrors } from './count-errors.ts'
import { readBooks } from './read-books.ts'
import { searchOutputs } from './search-outputs.ts'
import type { Expected, WalletBook, KnownFacts } from './known-facts.ts'

export async function checkSetup(setup: Setup) {
  const metrics = await Promise.all(
    setup.services.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()),
  )
  await Promise.all(setup.services.map((service) => service.stop()))
  const check = new Check(setup.journal, listKnownFacts(setup))
  let slowestCreditSeconds = 0
  await withAdmin(setup.database.url, async (admin) => {
    const accounts = await readBooks(admin, setup.filledUpTo ?? 0n, (book) => {
      check.takeWallet(book)
      slowestCreditSeconds = Math.max(slowestCreditSeconds, slowestCredit(setup, book))
    })
    check.finish(accounts)
  })
  const fault = await verifyAsOperators(setup)
  if (fault !== undefined) check.findings.add(10, fault)
  for (const surprise of setup.topups.unexpected) check.findings.add(12, surprise)
  await searchOutputs(setup, metrics, check.findings)
  const errors = await countErrors(setup.services.map(({ logFile }) => logFile))
  return { check, slowestCreditSeconds, errors }
}

/** The verifier that operators use, with the rights of the service; it also checks the keys. */
async function verifyAsOperators({ database }: Setup): Promise<string | undefined> {
  const client = new pg.Client(clientConfig(database.url))
  await client.connect()
  const { fault } = await verify(client, {})
  await client.end()
  return fault
}

function listKnownFacts({
  apps,
  wallets,
  openings,
  topups,
  sandbox,
  heads,
  freezes,
}: Setup): KnownFacts {
  const expected = topups.expected(sandbox)
  for (const { wallet, referenceId, amountMinor } of openings) {
    const opening: Expected = { wallet, netMinor: amountMinor, sentMs: -Infinity, respondedMs: 0 }
    expected.set(`BONUS ${referenceId}`, opening)
  }
  return { apps, wallets, expected, processorMinor: topups.movedMinor(sandbox), heads, freezes }
}

function slowestCredit({ topups }: Setup, { operations }: WalletBook): number {
  let slowest = 0
  for (const { kind, referenceId, createdAtMs } of operations) {
    const payment = kind === 'topup' ? topups.payments.get(referenceId) : undefined
    if (payment) slowest = Math.max(slowest, (createdAtMs - payment.paidAtMs) / 1000)
  }
  return slowest
}
