import { toWireNumber } from '@coffer/contract/money'
import assert from 'node:assert/strict'
import type { Context } from '../context.ts'
import { many, one } from '../database/statement.ts'
import { listOwnPasskeys } from '../identity/passkeys/queries.ts'
import { readAlerts } from './alerts/set-alerts.ts'
import { listLogIns, type LoggedIn } from './log-in-queries.ts'
import { listLinkedApps, readSettings } from './queries.ts'
import { IDLE_MINUTES } from './require-log-in.ts'
import { showSpendLimit } from './set-spend-limit.ts'

export async function readAccount(context: Context, person: LoggedIn) {
  const { db, ledger, config } = context
  const [wallet, apps, logIns, passkeys, settings, alerts] = await Promise.all([
    ledger.readWallet(person.walletId),
    many(db, listLinkedApps(person.userId)),
    many(db, listLogIns(person.userId, IDLE_MINUTES)),
    many(db, listOwnPasskeys(person.userId)),
    one(db, readSettings(person.userId)),
    readAlerts(context, person.userId),
  ])
  assert(wallet, 'a person has a wallet')
  const limits = await ledger.spendLimits.list(wallet)
  return {
    firstName: person.firstName,
    lastName: person.lastName,
    email: person.email,
    balance: toWireNumber(wallet.balance, config.currency),
    debt: toWireNumber(wallet.debt, config.currency),
    held: toWireNumber(wallet.held, config.currency),
    currency: config.currency.code,
    isActive: wallet.isActive,
    wantsReceipts: settings?.wantsReceipts ?? true,
    alerts,
    language: settings?.language ?? null,
    apps: apps.map(({ ledgerAccount, linkedAt, ...app }) => {
      const limit = limits.get(ledgerAccount)
      return {
        ...app,
        linkedAt: linkedAt.toISOString(),
        limit: limit ? showSpendLimit(limit, config.currency) : null,
      }
    }),
    logIns: logIns.map((logIn) => ({
      id: logIn.id,
      isThis: logIn.id === person.logInId,
      device: logIn.device,
      createdAt: logIn.createdAt.toISOString(),
      lastSeenAt: logIn.lastSeenAt.toISOString(),
    })),
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt, copiedAt }) => ({
      id: String(id),
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      copiedAt: copiedAt?.toISOString() ?? null,
    })),
  }
}
