import { randomBytes } from 'node:crypto'
import { SCOPES, type Scope } from '@coffer/contract/endpoint'
import type pg from 'pg'
import type { Pepper } from '../config.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { checkOrigins } from './origins.ts'
import { findParentOwners, insertClientApp, insertSecret } from './queries.ts'
import { generateSecret, hashSecret } from './secret.ts'

export interface NewClientApp {
  name: string
  scopes?: readonly Scope[]
  allowedOrigins?: readonly string[]
  allowedIframeParents?: readonly string[]
  /** Of buttons in the widget, such as #0a7c66. */
  accentColor?: string | null
  /** How far the settlement account may go below zero, in minor units, or an explicit "unlimited". */
  creditLimit: bigint | 'unlimited'
  /** Lets an origin stand in the list of a second active app; its frames must then carry the clientId. */
  sharesParents?: boolean
}

/** What the caller does in the transaction that inserts the app. */
interface Steps {
  before?: (tx: pg.ClientBase) => Promise<void>
  after?: (tx: pg.ClientBase, app: InsertedApp) => Promise<void>
}

interface InsertedApp {
  id: bigint
  clientId: string
  account: number
}

/** The secret is returned once and kept nowhere. */
export async function createClientApp(
  { db, ledger, peppers }: { db: pg.Pool; ledger: Ledger; peppers: readonly [Pepper, ...Pepper[]] },
  app: NewClientApp,
  steps: Steps = {},
): Promise<InsertedApp & { clientSecret: string }> {
  const { allowedOrigins = [], allowedIframeParents = [], scopes = SCOPES } = app
  checkOrigins(allowedOrigins)
  checkOrigins(allowedIframeParents)
  if (!app.sharesParents) await refuseTakenParents(db, allowedIframeParents)
  // If we die after this step an account without operations is left behind, which harms nobody.
  const creditLimit = app.creditLimit === 'unlimited' ? null : app.creditLimit
  const accountId = await ledger.openAccount('settlement', creditLimit)
  const clientId = `app_${randomBytes(12).toString('hex')}`
  const clientSecret = generateSecret()
  const [pepper] = peppers
  const id = await inTransaction(db, async (tx) => {
    await steps.before?.(tx)
    const { name, accentColor = null } = app
    const origins = { allowedOrigins, allowedIframeParents }
    const { rows } = await tx.query<{ id: bigint }>(
      insertClientApp({ clientId, name, accountId, scopes, ...origins, accentColor }),
    )
    const inserted = (rows[0] as { id: bigint }).id
    await tx.query(insertSecret(inserted, hashSecret(pepper, clientSecret), pepper.id))
    await steps.after?.(tx, { id: inserted, clientId, account: accountId })
    return inserted
  })
  return { id, clientId, clientSecret, account: accountId }
}

async function refuseTakenParents(db: pg.Pool, parents: readonly string[]): Promise<void> {
  const { rows } = await db.query<{ client_id: string; allowed_iframe_parents: string[] }>(
    findParentOwners(parents),
  )
  const [owner] = rows
  if (owner === undefined) return
  const taken = parents.find((origin) => owner.allowed_iframe_parents.includes(origin))
  throw new Error(
    `The origin ${taken} is already an iframe parent of ${owner.client_id}. Remove it there, or insist and pass clientId in the frame's address.`,
  )
}
