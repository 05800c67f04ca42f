import type { readClientApp as endpoint } from '@coffer/contract/admin/client-apps'
import { toWireNumber, type Currency } from '@coffer/contract/money'
import type { z } from 'zod'
import { readSettlement } from '../../books/read-figures.ts'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../service-error.ts'
import {
  findApp,
  listSecrets,
  listSeen,
  type AppRow,
  type SecretRow,
  type SeenRow,
} from './queries.ts'
import { findWaitingLimit, type WaitingLimitRow } from '../limit-queries.ts'
import { showApp } from './list-client-apps.ts'

export async function readClientApp(
  { db, ledger, config }: Pick<Context, 'db' | 'ledger' | 'config'>,
  clientId: string,
): Promise<z.output<typeof endpoint.answer>> {
  const { currency } = config
  const [row] = (await db.query<AppRow>(findApp(clientId))).rows
  if (row === undefined) throw new ServiceError('NOT_FOUND')
  const accountId = Number(row.account_id)
  const [secrets, seen, waiting, account] = await Promise.all([
    db.query<SecretRow>(listSecrets(row.id)),
    db.query<SeenRow>(listSeen(row.id)),
    db.query<WaitingLimitRow>(findWaitingLimit(row.id)),
    ledger.readAccount(accountId),
  ])
  const creditLimit = account?.creditLimit ?? null
  // With a limit the ledger keeps it at every moment; without one the books add it up.
  const settlement = account?.balance ?? (await readSettlement(db, accountId))
  const seenOf = (kind: SeenRow['kind']) => seen.rows.filter((each) => each.kind === kind)
  return {
    ...showApp(row),
    allowedOrigins: row.allowed_origins,
    allowedIframeParents: row.allowed_iframe_parents,
    accentColor: row.accent_color,
    creditLimit: showLimit(creditLimit, currency),
    waitingLimit: waiting.rows[0] ? showWaiting(waiting.rows[0], currency) : null,
    settlement: toWireNumber(settlement, currency),
    currency: currency.code,
    secrets: secrets.rows.map((each) => ({
      id: String(each.id),
      createdAt: each.created_at.toISOString(),
      expiresAt: each.expires_at?.toISOString() ?? null,
      lastUsedAt: each.used_at?.toISOString() ?? null,
    })),
    seen: {
      refusedOrigins: seenOf('origin').map((each) => ({ origin: each.value, ...when(each) })),
      errors: seenOf('error').map((each) => ({ code: each.value, ...when(each) })),
    },
  }
}

function showLimit(limit: bigint | null, currency: Currency): number | null {
  return limit === null ? null : toWireNumber(limit, currency)
}

function showWaiting({ id, credit_limit: limit, email }: WaitingLimitRow, currency: Currency) {
  return { grantId: id, creditLimit: showLimit(limit, currency), proposedBy: email }
}

function when({ last_at: lastAt, times }: SeenRow) {
  return { at: lastAt.toISOString(), count: Number(times) }
}
