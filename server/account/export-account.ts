import { toWireNumber, type Currency } from '@coffer/contract/money'
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { many, one } from '../database/statement.ts'
import { listOwnPasskeys } from '../identity/passkeys/queries.ts'
import { ServiceError } from '../service-error.ts'
import { findAutomatic, type AutomaticTopup } from '../topup/automatic/queries.ts'
import { listAlerts } from './alerts/queries.ts'
import { openEntries } from './export-history.ts'
import {
  listOwnLinks,
  listOwnLogIns,
  listOwnTopups,
  listPreviousEmails,
  listReversals,
  readOwnDetails,
  type OwnTopup,
} from './export-queries.ts'
import type { LoggedIn } from './log-in-queries.ts'
import { showEntry } from './read-history.ts'
import { showSpendLimit } from './set-spend-limit.ts'

const PAGE = 1_000

/**
 * The data that is stored about a person, as one JSON document; export-account.test.ts lists what is left out, and why. Top-ups and
 * history are read a page at a time, as fast as the client reads. Errors are raised before the first byte.
 */
export async function exportAccount(context: Context, person: LoggedIn): Promise<Readable> {
  const head = await readHead(context, person)
  const topups = await readTopups(context, person.userId, null)
  const pages = await openEntries(context, person.walletId, {})

  async function* listTopups() {
    for (let page = topups; page.length > 0;) {
      yield await showTopups(context, page)
      const last = page.at(-1)?.id ?? null
      page = page.length < PAGE ? [] : await readTopups(context, person.userId, last)
      await letOthersRun()
    }
  }
  async function* listEntries() {
    for await (const entries of pages) {
      yield entries.map((entry) =>
        showEntry(context, { ...entry, debitSeq: undefined, refunded: undefined }),
      )
    }
  }
  async function* write() {
    // Without its closing bracket.
    yield JSON.stringify(head, null, 2).slice(0, -2)
    yield* writeList('topups', listTopups())
    yield* writeList('history', listEntries())
    yield '\n}\n'
  }
  return Readable.from(write())
}

async function* writeList(name: string, pages: AsyncIterable<object[]>) {
  yield `,\n  "${name}": [`
  let separator = ''
  for await (const page of pages) {
    const lines = page.map((each) => `\n    ${JSON.stringify(each)}`)
    // Yields empty pages too, because an aborted export can stop only at a yield.
    yield lines.length > 0 ? separator + lines.join(',') : ''
    if (lines.length > 0) separator = ','
  }
  yield '\n  ]'
}

async function readHead({ db, ledger, config }: Context, person: LoggedIn) {
  const { userId, walletId, firstName, lastName, email } = person
  const [details, wallet, links, passkeys, logIns, previousEmails, terms, alerts] =
    await Promise.all([
      one(db, readOwnDetails(userId)),
      ledger.readWallet(walletId),
      many(db, listOwnLinks(userId)),
      many(db, listOwnPasskeys(userId)),
      many(db, listOwnLogIns(userId)),
      many(db, listPreviousEmails(userId)),
      one(db, findAutomatic(userId)),
      many(db, listAlerts(userId)),
    ])
  // The account was deleted at this moment.
  if (details === undefined) throw new ServiceError('LOGIN_REQUIRED')
  assert(wallet, 'a person has a wallet')
  const limits = await ledger.spendLimits.list(wallet)
  const { wantsReceipts, language, ...times } = details
  const { currency } = config
  return {
    exportedAt: new Date(),
    account: { firstName, lastName, email, ...times, previousEmails },
    settings: {
      language,
      wantsReceipts,
      alerts: alerts.map(({ kind, thresholdMinor, since }) => ({
        kind,
        threshold: toWireNumber(thresholdMinor, currency),
        since,
      })),
      automaticTopup: terms ? showAutomaticTopup(terms, currency) : null,
    },
    wallet: {
      balance: toWireNumber(wallet.balance, currency),
      debt: toWireNumber(wallet.debt, currency),
      held: toWireNumber(wallet.held, currency),
      currency: currency.code,
      isActive: wallet.isActive,
    },
    apps: links.map(({ ledgerAccount, ...link }) => {
      const limit = limits.get(ledgerAccount)
      return { ...link, limit: limit ? showSpendLimit(limit, currency) : null }
    }),
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt, copiedAt }) => ({
      name,
      createdAt,
      lastUsedAt,
      copiedAt,
    })),
    logIns,
  }
}

function showAutomaticTopup(
  {
    thresholdMinor,
    amountMinor,
    monthMaxMinor,
    cardId: _cardId,
    cardName,
    ...rest
  }: AutomaticTopup,
  currency: Currency,
) {
  return {
    threshold: toWireNumber(thresholdMinor, currency),
    amount: toWireNumber(amountMinor, currency),
    monthMax: toWireNumber(monthMaxMinor, currency),
    card: cardName,
    ...rest,
  }
}

function readTopups({ db }: Context, userId: bigint, after: string | null): Promise<OwnTopup[]> {
  return many(db, listOwnTopups(userId, after, PAGE))
}

async function showTopups({ db, config }: Context, topups: readonly OwnTopup[]) {
  const { currency } = config
  const reversals = await many(db, listReversals(topups.map(({ id }) => id)))
  const byTopup = Map.groupBy(reversals, ({ topupId }) => topupId)
  return topups.map(({ id, amount, ...topup }) => ({
    amount: toWireNumber(amount, currency),
    currency: currency.code,
    ...topup,
    reversals: (byTopup.get(id) ?? []).map(({ kind, amount: part, status, reason, at }) => ({
      kind,
      amount: toWireNumber(part, currency),
      status,
      reason,
      at,
    })),
  }))
}

export function nameDataFile(now: Date): string {
  return `wallet-data-${now.toISOString().slice(0, 10)}.json`
}
