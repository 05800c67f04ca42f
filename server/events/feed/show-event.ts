import type { event as shape } from '@coffer/contract/server/events'
import { toWireNumber } from '@coffer/contract/money'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { positionOf, encodeCursor } from './event-cursor.ts'
import type { StoredEvent } from './queries.ts'

type ShownEvent = z.input<typeof shape>

/** How the client app with this ledger account sees an event. */
export function showEvent(
  { transactionIds, config }: Pick<Context, 'transactionIds' | 'config'>,
  ledgerAccount: number,
  event: StoredEvent,
): ShownEvent {
  const { id, sequence, type, data, createdAt } = event
  return {
    id: showEventId(id),
    sequence: Number(sequence),
    type,
    createdAt: createdAt.toISOString(),
    data: showData({ transactionIds, config }, ledgerAccount, { type, data }),
    cursor: encodeCursor(transactionIds, ledgerAccount, positionOf(event)),
  }
}

export function showEventId(uuid: string): string {
  return `evt_${uuid.replaceAll('-', '')}`
}

function showData(
  tools: Pick<Context, 'transactionIds' | 'config'>,
  ledgerAccount: number,
  { type, data }: Pick<StoredEvent, 'type' | 'data'>,
): ShownEvent['data'] {
  if (type === 'topup.credited') return showTopup(tools, ledgerAccount, data)
  if (type === 'hold.expired') return showExpiry(tools, data)
  if (type === 'balance.changed') return showBalance(tools, data)
  return data
}

function showExpiry(
  { config: { currency } }: Pick<Context, 'config'>,
  data: StoredEvent['data'],
): ShownEvent['data'] {
  const { serviceUserId, referenceType, referenceId, amountMinor } = data as Record<string, string>
  return {
    ...(serviceUserId !== undefined && { serviceUserId }),
    hold: { referenceType: referenceType ?? '', referenceId: referenceId ?? '' },
    amount: toWireNumber(BigInt(amountMinor ?? 0), currency),
    currency: currency.code,
  }
}

function showBalance(
  { config: { currency } }: Pick<Context, 'config'>,
  data: StoredEvent['data'],
): ShownEvent['data'] {
  const { serviceUserId, balanceMinor } = data as Record<string, string>
  return {
    serviceUserId,
    balance: toWireNumber(BigInt(balanceMinor ?? 0), currency),
    currency: currency.code,
  }
}

function showTopup(
  { transactionIds, config: { currency } }: Pick<Context, 'transactionIds' | 'config'>,
  ledgerAccount: number,
  data: StoredEvent['data'],
): ShownEvent['data'] {
  const { serviceUserId, topupId, walletId, seq, amountMinor, balanceMinor } = data as Record<
    string,
    string
  >
  return {
    serviceUserId,
    topupId,
    transactionId: transactionIds.encode(ledgerAccount, BigInt(walletId ?? 0), BigInt(seq ?? 0)),
    amount: toWireNumber(BigInt(amountMinor ?? 0), currency),
    currency: currency.code,
    balance: toWireNumber(BigInt(balanceMinor ?? 0), currency),
  }
}
