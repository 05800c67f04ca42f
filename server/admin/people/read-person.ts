import type { readPerson as endpoint } from '@coffer/contract/admin/people'
import { toWireNumber } from '@coffer/contract/money'
import type pg from 'pg'
import type { z } from 'zod'
import { toServiceUserId } from '../../identity/link.ts'
import type { Context } from '../../context.ts'
import { IDLE_MINUTES } from '../../account/require-log-in.ts'
import { ServiceError } from '../../service-error.ts'
import { showPerson } from './list-people.ts'
import {
  countLogIns,
  findPerson,
  listLinks,
  listNewestTopups,
  type LogInsRow,
  type PersonLinkRow,
  type PersonRow,
  type PersonTopupRow,
} from './queries.ts'

const LINKS_MAX = 100
const TOPUPS_MAX = 10

export async function readPerson(
  { db, ledger, config }: Pick<Context, 'db' | 'ledger' | 'config'>,
  id: string,
): Promise<z.output<typeof endpoint.answer>> {
  const { currency } = config
  const row = await requirePerson(db, id)
  const [wallet, links, topups, logIns] = await Promise.all([
    ledger.readWallet(row.wallet_id),
    db.query<PersonLinkRow>(listLinks(row.id, LINKS_MAX)),
    db.query<PersonTopupRow>(listNewestTopups(row.id, TOPUPS_MAX)),
    db.query<LogInsRow>(countLogIns(row.id, IDLE_MINUTES)),
  ])
  return {
    ...showPerson(row, wallet, config),
    isEmailVerified: row.is_email_verified,
    walletId: String(row.wallet_id),
    debt: toWireNumber(wallet?.debt ?? 0n, currency),
    currency: currency.code,
    entries: Number(wallet?.seq ?? 0n),
    apps: links.rows.map((link) => ({
      clientId: link.client_id,
      name: link.name,
      serviceUserId: toServiceUserId(link.public_id),
      linkedAt: link.created_at.toISOString(),
      endedAt: link.ended_at?.toISOString() ?? null,
    })),
    topups: topups.rows.map((topup) => ({
      id: topup.id,
      state: topup.status,
      amount: toWireNumber(topup.amount, currency),
      createdAt: topup.created_at.toISOString(),
    })),
    logIns: Number(logIns.rows[0]?.alive ?? 0n),
    lastSeenAt: logIns.rows[0]?.last_seen_at?.toISOString() ?? null,
  }
}

/** Also who was erased: the wallet and its books are still there. */
export async function requirePerson(db: pg.Pool, id: string): Promise<PersonRow> {
  const { rows } = await db.query<PersonRow>(findPerson(BigInt(id)))
  if (rows[0] === undefined) throw new ServiceError('NOT_FOUND')
  return rows[0]
}

/** What the audit log calls a person: nothing that is personal, so that it may stay when the person is erased. */
export function subjectOf({ id }: Pick<PersonRow, 'id'>): string {
  return `person/${id}`
}
