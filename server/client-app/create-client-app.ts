import { randomBytes } from 'node:crypto'
import { SCOPES, type Scope } from '@coffer/contract/endpoint'
import { ON_MISMATCH_DEFAULT } from '@coffer/contract/limits'
import type pg from 'pg'
import type { NamedKey } from '../config.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { checkOrigins } from './origins.ts'
import { listParentOwners } from './list-client-apps.ts'
import { insertClientApp, type OnMismatch } from './queries.ts'
import { insertSecret } from './secret-queries.ts'
import { generateSecret, hashSecret } from './secret.ts'

export interface NewClientApp {
  name: string
  scopes?: readonly Scope[]
  allowedOrigins?: readonly string[]
  allowedIframeParents?: readonly string[]
  /** The color of buttons in the widget, such as #0a7c66. */
  accentColor?: string | null
  /** How far the ledger account may go below zero, in minor units, or an explicit "unlimited". */
  creditLimit: bigint | 'unlimited'
  /** Allows an origin that a second active app lists; iframe URLs must then contain the clientId. */
  sharesParents?: boolean
  /** What a repeat of a reference with other values gets. Default: ON_MISMATCH_DEFAULT. */
  onMismatch?: OnMismatch
  /** Whether it gets the event balance.changed. Default: false. */
  getsBalanceEvents?: boolean
  /** Who is notified of changes, and receives the secret after an emergency rotation. */
  contactEmails?: readonly string[]
}

/** Steps that the caller adds to the transaction that inserts the app. */
interface Steps {
  before?: (tx: pg.ClientBase) => Promise<void>
  after?: (tx: pg.ClientBase, app: InsertedApp) => Promise<void>
}

interface InsertedApp {
  id: bigint
  clientId: string
  ledgerAccount: number
}

/** Returns the secret, which is not stored. */
export async function createClientApp(
  {
    db,
    ledger,
    peppers,
  }: { db: pg.Pool; ledger: Ledger; peppers: readonly [NamedKey, ...NamedKey[]] },
  app: NewClientApp,
  steps: Steps = {},
): Promise<InsertedApp & { clientSecret: string }> {
  const { allowedOrigins = [], allowedIframeParents = [], scopes = SCOPES } = app
  checkOrigins(allowedOrigins)
  checkOrigins(allowedIframeParents)
  if (!app.sharesParents) await refuseTakenParents(db, allowedIframeParents)
  // A crash after this step leaves a ledger account without operations, which is harmless.
  const creditLimit = app.creditLimit === 'unlimited' ? null : app.creditLimit
  const accountId = await ledger.openAccount('settlement', creditLimit)
  const clientId = `app_${randomBytes(12).toString('hex')}`
  const clientSecret = generateSecret()
  const [pepper] = peppers
  const id = await inTransaction(db, async (tx) => {
    await steps.before?.(tx)
    const { name, accentColor = null, contactEmails = [] } = app
    const { onMismatch = ON_MISMATCH_DEFAULT, getsBalanceEvents = false } = app
    const origins = { allowedOrigins, allowedIframeParents }
    const settings = { name, scopes, ...origins, accentColor, contactEmails }
    const newApp = { clientId, accountId, ...settings, onMismatch, getsBalanceEvents }
    const inserted = (await one(tx, insertClientApp(newApp))) as bigint
    await run(tx, insertSecret(inserted, hashSecret(pepper, clientSecret), pepper.id))
    await steps.after?.(tx, { id: inserted, clientId, ledgerAccount: accountId })
    return inserted
  })
  return { id, clientId, clientSecret, ledgerAccount: accountId }
}

async function refuseTakenParents(db: pg.Pool, parents: readonly string[]): Promise<void> {
  const [owner] = await listParentOwners(db, parents)
  if (owner === undefined) return
  const taken = parents.find((origin) => owner.allowedIframeParents.includes(origin))
  throw new Error(
    `The origin ${taken} is already an iframe parent of ${owner.clientId}. Remove it there, or use --share-parents and pass clientId in the iframe URL.`,
  )
}
