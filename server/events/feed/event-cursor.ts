/**
 * Where a feed continues: after which event. A cursor has the event's number and a part of its id, encrypted as
 * transaction ids are. If the database is restored from a backup, another event gets the same number, and the cursor is
 * recognized as unknown. The cursor of another app decrypts to arbitrary numbers, which are unknown too.
 */
import type { Context } from '../../context.ts'
import { InvalidRequest } from '../../service-error.ts'
import type { Place } from './queries.ts'

type Ids = Context['transactionIds']

export interface Position {
  /** 0: before the first event. */
  sequence: bigint
  /** The first 8 bytes of the event's id; 0 before the first event. */
  mark: bigint
}

export const START: Position = { sequence: 0n, mark: 0n }

export function positionOf({ sequence, id }: Place): Position {
  const mark = Buffer.from(id.replaceAll('-', ''), 'hex').readBigInt64BE(0)
  return { sequence, mark }
}

export function isAt({ mark }: Position, place: Place): boolean {
  return positionOf(place).mark === mark
}

export function sealCursor(ids: Ids, account: number, { sequence, mark }: Position): string {
  return ids.seal(account, mark, sequence).replace(/^txn_/, 'evc_')
}

export function openCursor(ids: Ids, account: number, cursor: string): Position {
  const hex = /^evc_([0-9a-f]{32})$/.exec(cursor)?.[1]
  const opened = hex === undefined ? undefined : ids.open(account, `txn_${hex}`)
  if (opened === undefined) {
    throw new InvalidRequest(
      'The field after must be the nextCursor of the previous page.',
      'after',
    )
  }
  return { sequence: opened.seq, mark: opened.walletId }
}
