import { RESEND_MAX } from '@coffer/contract/limits'
import type pg from 'pg'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import { InvalidRequest, ServiceError } from '../../service-error.ts'
import { lockWebhooks } from './delivery-queries.ts'
import { queueOne, queueSince, setDue } from './listing-queries.ts'
import { readUuid } from './show-webhook.ts'

interface Request {
  eventId?: string | undefined
  since?: string | undefined
}

export async function resendEvents(
  db: pg.Pool,
  webhookId: string,
  { eventId, since }: Request,
  /** Called in the same transaction, with the number of events. */
  note: (tx: pg.ClientBase, queued: number) => Promise<void>,
): Promise<{ queued: number; nextSince: string | null }> {
  if ((eventId === undefined) === (since === undefined)) {
    throw new InvalidRequest(
      'The field eventId must be present unless the field since is. Send exactly one of them.',
      'eventId',
    )
  }
  const queued = await inTransaction(db, async (tx) => {
    await run(tx, lockWebhooks([webhookId]))
    const result =
      eventId === undefined
        ? await one(tx, queueSince(webhookId, new Date(since ?? ''), RESEND_MAX))
        : { queued: await run(tx, queueOne(webhookId, readUuid(eventId))), last: null }
    await run(tx, setDue(webhookId))
    await note(tx, result?.queued ?? 0)
    return result
  })
  const { queued: count = 0, last = null } = queued ?? {}
  if (eventId !== undefined && count === 0) throw new ServiceError('NOT_FOUND')
  return { queued: count, nextSince: count === RESEND_MAX && last ? last.toISOString() : null }
}
