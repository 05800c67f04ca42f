/**
 * Where a feed continues: after which event. A cursor has the event's number and a part of its id, encrypted as
 * transaction ids are. If the database is restored from a backup, another event gets the same number, and the cursor is
 * recognized as unknown. The cursor of another app decrypts to arbitrary numbers, which are unknown too.
 */
import type { Context } from '../../context.ts'
import { InvalidRequest } from '../../service-error.ts'
import type { KnownEvent } from './queries.ts'

type Ids = Context['transactionIds']

export interface Position {
  /** 0: before the first event. */
  sequence: bigint
  /** The first 8 bytes of the event's id; 0 before the first event. */
  idPrefix: bigint
}

export const START: Position = { sequence: 0n, idPrefix: 0n }

export function positionOf({ sequence, id }: KnownEvent): Position {
  const idPrefix = Buffer.from(id.replaceAll('-', ''), 'hex').readBigInt64BE(0)
  return { sequence, idPrefix }
}

export function isAt({ idPrefix }: Position, event: KnownEvent): boolean {
  return positionOf(event).idPrefix === idPrefix
}

export function encodeCursor(
  ids: Ids,
  ledgerAccount: number,
  { sequence, idPrefix }: Position,
): string {
  return ids.encode(ledgerAccount, idPrefix, sequence).replace(/^txn_/, 'evc_')
}

export function decodeCursor(ids: Ids, ledgerAccount: number, cursor: string): Position {
  const hex = /^evc_([0-9a-f]{32})$/.exec(cursor)?.[1]
  const opened = hex === undefined ? undefined : ids.decode(ledgerAccount, `txn_${hex}`)
  if (opened === undefined) {
    throw new InvalidRequest(
      'The field after must be the nextCursor of the previous page.',
      'after',
    )
  }
  return { sequence: opened.seq, idPrefix: opened.walletId }
}
