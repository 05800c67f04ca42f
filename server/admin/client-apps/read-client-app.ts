import type { readClientApp as endpoint } from '@coffer/contract/admin/client-apps'
import { toWireNumber, type Currency } from '@coffer/contract/money'
import type { z } from 'zod'
import { readSettlement } from '../../books/read-figures.ts'
import type { Context } from '../../context.ts'
import { many, one } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import { showApp } from './list-client-apps.ts'
import {
  findApp,
  findWaitingLimit,
  listSecrets,
  listSeen,
  type Secret,
  type Seen,
} from './queries.ts'

export async function readClientApp(
  { db, ledger, config }: Pick<Context, 'db' | 'ledger' | 'config'>,
  clientId: string,
): Promise<z.output<typeof endpoint.response>> {
  const { currency } = config
  const app = await one(db, findApp(clientId))
  if (app === undefined) throw new ServiceError('NOT_FOUND')
  const [secrets, seen, waiting, account] = await Promise.all([
    many(db, listSecrets(app.id)),
    many(db, listSeen(app.id)),
    one(db, findWaitingLimit(app.id)),
    ledger.readAccount(app.ledgerAccount),
  ])
  const creditLimit = account?.creditLimit ?? null
  // The ledger keeps the balance of an app with a limit; without a limit the books sum it up.
  const settlement = account?.balance ?? (await readSettlement(db, app.ledgerAccount))
  const seenOf = (kind: Seen['kind']) => seen.filter((each) => each.kind === kind)
  return {
    ...showApp(app),
    allowedOrigins: app.allowedOrigins,
    allowedIframeParents: app.allowedIframeParents,
    accentColor: app.accentColor,
    onMismatch: app.onMismatch,
    getsBalanceEvents: app.getsBalanceEvents,
    contactEmails: app.contactEmails,
    isInUse: app.isInUse,
    creditLimit: showLimit(creditLimit, currency),
    waitingLimit: waiting
      ? { ...waiting, creditLimit: showLimit(waiting.creditLimit, currency) }
      : null,
    debitAlert: {
      above: showLimit(app.debitAlertAbove, currency),
      pauses: app.pausesOnDebitAlert,
    },
    settlement: toWireNumber(settlement, currency),
    currency: currency.code,
    secrets: secrets.map(showSecret),
    seen: {
      // A page that was listed since then is no longer refused.
      refusedOrigins: seenOf('origin')
        .filter(({ value }) => !app.allowedIframeParents.includes(value))
        .map((each) => ({ origin: each.value, ...showTimes(each) })),
      errors: seenOf('error').map((each) => ({ code: each.value, ...showTimes(each) })),
    },
  }
}

function showLimit(limit: bigint | null, currency: Currency): number | null {
  return limit === null ? null : toWireNumber(limit, currency)
}

function showSecret({ id, createdAt, expiresAt, usedAt, restriction }: Secret) {
  return {
    id: String(id),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: usedAt?.toISOString() ?? null,
    restriction,
  }
}

function showTimes({ lastAt, times }: Seen) {
  return { at: lastAt.toISOString(), count: times }
}
