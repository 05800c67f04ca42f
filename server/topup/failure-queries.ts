import type { Statement } from '../database/statement.ts'

/** Counts a failed payment, once per event. Returns the person; no row: the intent is not one of ours. */
export function countFailure(eventId: string, intentId: string): Statement<bigint> {
  return {
    text: `with fresh as (
        update directory.processor_events set counted_at = now() where id = $1 and counted_at is null returning id
      ), counted as (
        update directory.topups set failures = failures + 1, failed_at = now()
        where intent_id = $2 and exists (select from fresh)
      )
      select service_user_id from directory.topups where intent_id = $2`,
    values: [eventId, intentId],
    read: (row: { service_user_id: bigint }) => row.service_user_id,
  }
}

/**
 * The seconds until this person may start another top-up: an hour after the last failed payment, if there were too
 * many. No row means now. Top-ups are open for a day, so older ones cannot fail.
 */
export function findFailureWait(userId: bigint, most: number): Statement<number> {
  return {
    text: `select ceil(extract(epoch from max(failed_at) + interval '1 hour' - now()))::int as seconds
      from directory.topups where service_user_id = $1 and created_at > now() - interval '3 days'
        and failed_at > now() - interval '1 hour'
      having sum(failures) >= $2`,
    values: [userId, most],
    read: (row: { seconds: number }) => row.seconds,
  }
}
