/** Where a list of operations continues: the time, and the id of the last operation if the page ended with it. */
import type { EntryKey } from '../books/statement-queries.ts'
import { InvalidRequest } from '../service-error.ts'
import { isPossible, type TransactionIds } from './transaction-id.ts'

export function encodeCursor(
  ids: TransactionIds,
  viewer: number,
  { at, walletId, seq }: EntryKey,
): string {
  const time = String(at.getTime())
  return walletId === 0n ? time : `${time}.${ids.encode(viewer, walletId, seq)}`
}

export function decodeCursor(ids: TransactionIds, viewer: number, cursor: string): EntryKey {
  const [, time, id] = /^(\d{1,14})(?:\.(txn_[0-9a-f]{32}))?$/.exec(cursor) ?? []
  const decoded = id === undefined ? { walletId: 0n, seq: 0n } : ids.decode(viewer, id)
  if (time === undefined || decoded === undefined || !isPossible(decoded)) {
    throw new InvalidRequest(
      'The field cursor must be the nextCursor of the previous page.',
      'cursor',
    )
  }
  return { at: new Date(Number(time)), ...decoded }
}
