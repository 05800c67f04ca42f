import type { readPerson as endpoint } from '@coffer/contract/admin/people'
import { toWireNumber, type Currency } from '@coffer/contract/money'
import type { z } from 'zod'
import { readArchivedBefore } from '../../account/read-history.ts'
import { IDLE_MINUTES } from '../../account/require-log-in.ts'
import type { Context } from '../../context.ts'
import { many, one } from '../../database/statement.ts'
import { toServiceUserId } from '../../identity/link.ts'
import type { Hold } from '../../ledger/types.ts'
import { showPerson } from './list-people.ts'
import {
  countLogIns,
  findAppsOf,
  listLinks,
  listNewestTopups,
  type AppOfAccount,
} from './queries.ts'
import { requirePerson } from './require-person.ts'

const LINKS_MAX = 100
const TOPUPS_MAX = 10
const HOLDS_MAX = 100

export async function readPerson(
  { db, ledger, config }: Pick<Context, 'db' | 'ledger' | 'config'>,
  id: string,
): Promise<z.output<typeof endpoint.response>> {
  const { currency } = config
  const person = await requirePerson(db, id)
  const [wallet, holds, links, topups, logIns, archivedBefore] = await Promise.all([
    ledger.readWallet(person.walletId),
    ledger.holds.listOpen(person.walletId, HOLDS_MAX),
    many(db, listLinks(person.id, LINKS_MAX)),
    many(db, listNewestTopups(person.id, TOPUPS_MAX)),
    one(db, countLogIns(person.id, IDLE_MINUTES)),
    readArchivedBefore({ ledger }, person.walletId),
  ])
  const apps =
    holds.length > 0 ? await many(db, findAppsOf(holds.map(({ account }) => account))) : []
  return {
    ...showPerson(person, wallet, config),
    isEmailVerified: person.isEmailVerified,
    walletId: String(person.walletId),
    debt: toWireNumber(wallet?.debt ?? 0n, currency),
    held: toWireNumber(wallet?.held ?? 0n, currency),
    holds: holds.map((hold) => showHold(hold, apps, currency)),
    currency: currency.code,
    entries: Number(wallet?.seq ?? 0n),
    archivedBefore,
    apps: links.map((link) => ({
      clientId: link.clientId,
      name: link.name,
      serviceUserId: toServiceUserId(link.publicId),
      linkedAt: link.createdAt.toISOString(),
      endedAt: link.endedAt?.toISOString() ?? null,
    })),
    topups: topups.map((topup) => ({
      id: topup.id,
      state: topup.status,
      amount: toWireNumber(topup.amount, currency),
      createdAt: topup.createdAt.toISOString(),
      isAutomatic: topup.isAutomatic,
    })),
    logIns: logIns?.live ?? 0,
    passkeys: logIns?.passkeys ?? 0,
    lastSeenAt: logIns?.lastSeenAt?.toISOString() ?? null,
  }
}

function showHold(hold: Hold, apps: readonly AppOfAccount[], currency: Currency) {
  const app = apps.find(({ ledgerAccount }) => ledgerAccount === hold.account)
  return {
    id: hold.digest,
    clientId: app?.clientId ?? '',
    appName: app?.name ?? '',
    held: toWireNumber(hold.remaining, currency),
    referenceType: hold.referenceType,
    referenceId: hold.referenceId,
    createdAt: new Date(hold.createdAtMs).toISOString(),
    expiresAt: new Date(hold.expiresAtMs).toISOString(),
    isSuspended: hold.isSuspended === true,
  }
}
