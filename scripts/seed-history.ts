/** Gives the demo its past: people, what they paid in several client apps, and their top-ups. */
import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Context } from '../server/context.ts'
import { createAccount } from '../server/identity/sign-up.ts'
import { link } from '../server/identity/link.ts'
import { PROCESSOR_ACCOUNT } from '../server/ledger/types.ts'
import { DAY_MS, DEMO_PEOPLE, HISTORY_DAYS, planHistory, type PastPayment } from './demo-history.ts'
import { postInThePast, preparePastPartitions, type PastRequest } from './post-in-the-past.ts'

export interface SeededApp {
  id: bigint
  ledgerAccount: number
}

interface SeededPerson {
  id: bigint
  walletId: bigint
}

/** `apps` in the order of DEMO_APPS. Returns the first person and their id in the first app. */
export async function seedHistory(
  context: Context,
  apps: readonly SeededApp[],
  passwordHash: string,
): Promise<{ serviceUserId: string }> {
  const { db, config } = context
  const nowMs = Date.now()
  const startMs = nowMs - HISTORY_DAYS * DAY_MS
  await preparePastPartitions(config.databaseUrl, startMs)
  const people: SeededPerson[] = []
  for (const { firstName, lastName, email } of DEMO_PEOPLE) {
    people.push(await createAccount(context, { firstName, lastName, email, passwordHash }))
  }
  const ids = await linkPeople(db, apps, people)
  const payments = planHistory(nowMs).map((payment, index) => {
    const { id: userId, walletId } = people[payment.person] as SeededPerson
    const app = apps[payment.app] as SeededApp
    return { ...payment, userId, walletId, app, request: toRequest(payment, index, walletId, app) }
  })
  await postInThePast(
    db,
    payments.map(({ request }) => request),
    async (tx) => {
      for (const { kind, userId, walletId, app, request } of payments) {
        if (kind === 'topup') await tx.query(insertPastTopup({ userId, walletId, app, request }))
      }
      for (const [index, { joinedDay }] of DEMO_PEOPLE.entries()) {
        const joined = new Date(startMs + joinedDay * DAY_MS)
        await tx.query(setJoined((people[index] as SeededPerson).id, joined))
      }
    },
  )
  return { serviceUserId: ids[0] ?? '' }
}

/** Returns each person's id in the first of their apps. */
async function linkPeople(
  db: pg.Pool,
  apps: readonly SeededApp[],
  people: readonly SeededPerson[],
): Promise<string[]> {
  const ids: string[] = []
  for (const [index, { apps: theirs }] of DEMO_PEOPLE.entries()) {
    const { id } = people[index] as SeededPerson
    const linked: string[] = []
    for (const app of theirs) linked.push(await link(db, (apps[app] as SeededApp).id, id))
    ids.push(linked[0] ?? '')
  }
  return ids
}

function toRequest(
  { atMs, kind, amountMinor, description }: PastPayment,
  index: number,
  walletId: bigint,
  app: SeededApp,
): PastRequest {
  const shared = { atMs, kind, walletId, amountMinor: BigInt(amountMinor), description }
  if (kind === 'topup') {
    const intentId = `pi_demo${randomBytes(9).toString('hex')}`
    const reference = { referenceType: 'TOPUP', referenceId: intentId }
    return { ...shared, ...reference, counterAccount: PROCESSOR_ACCOUNT }
  }
  const referenceType = kind === 'debit' ? 'ORDER_PAYMENT' : 'ORDER_REFUND'
  const day = new Date(atMs).toISOString().slice(0, 10)
  return {
    ...shared,
    referenceType,
    referenceId: `${day}-${index}`,
    counterAccount: app.ledgerAccount,
  }
}

/** The card processor of the demo does not know these payments, so they cannot be refunded to a card. */
function insertPastTopup(topup: {
  userId: bigint
  walletId: bigint
  app: SeededApp
  request: PastRequest
}): pg.QueryConfig {
  const { atMs, amountMinor, referenceId } = topup.request
  return {
    text: `insert into directory.topups (id, service_user_id, wallet_id, client_app_id, amount, intent_id,
        status, created_at, ended_at, reported_by, next_check_at)
      values ($1, $2, $3, $4, $5, $6, 'credited', $7, $8, 'webhook', 'infinity')`,
    values: [
      randomUUID(),
      topup.userId,
      topup.walletId,
      topup.app.id,
      amountMinor,
      referenceId,
      new Date(atMs - 45_000),
      new Date(atMs),
    ],
  }
}

function setJoined(userId: bigint, at: Date): pg.QueryConfig {
  return {
    text: 'update directory.service_users set created_at = $2 where id = $1',
    values: [userId, at],
  }
}
