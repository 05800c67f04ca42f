import { toWireNumber } from '@coffer/contract/money'
import assert from 'node:assert/strict'
import type { Context } from '../context.ts'
import { listLogIns, type ListedLogInRow } from './log-in-queries.ts'
import { listLinkedApps, type LinkedAppRow } from './queries.ts'
import { IDLE_MINUTES, type LoggedIn } from './require-log-in.ts'

export async function readAccount({ db, ledger, config }: Context, person: LoggedIn) {
  const [wallet, apps, logIns] = await Promise.all([
    ledger.readWallet(person.walletId),
    db.query<LinkedAppRow>(listLinkedApps(person.userId)),
    db.query<ListedLogInRow>(listLogIns(person.userId, IDLE_MINUTES)),
  ])
  assert(wallet, 'a person has a wallet')
  return {
    firstName: person.firstName,
    lastName: person.lastName,
    email: person.email,
    balance: toWireNumber(wallet.balance, config.currency),
    debt: toWireNumber(wallet.debt, config.currency),
    currency: config.currency.code,
    isActive: wallet.isActive,
    apps: apps.rows.map((row) => ({
      clientId: row.client_id,
      name: row.name,
      linkedAt: row.created_at.toISOString(),
    })),
    logIns: logIns.rows.map((row) => ({
      id: row.id,
      isThis: row.id === person.logInId,
      device: row.device,
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
    })),
  }
}
