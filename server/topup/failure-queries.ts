import type { Statement } from '../database/statement.ts'

/**
 * Counts a failed payment and marks its event as done, in one statement, so that each event counts once. Returns the
 * person; no row: the event is done already, or the intent is not one of ours.
 */
export function countFailure(eventId: string, intentId: string): Statement<bigint> {
  return {
    text: `with fresh as (
        update directory.processor_events set processed_at = now() where id = $1 and processed_at is null returning id
      )
      update directory.topups set failures = failures + 1, failed_at = now()
      where intent_id = $2 and exists (select from fresh) returning service_user_id`,
    values: [eventId, intentId],
    read: (row: { service_user_id: bigint }) => row.service_user_id,
  }
}

/**
 * The seconds until this person may start another top-up: an hour after the last failed payment, if there were too many.
 * No row means now. Top-ups are open for a day, so older ones cannot fail.
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
