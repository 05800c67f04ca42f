/**
 * A lease decides which process runs a background job that only one process at a time should run. A process renews its
 * lease until it stops. If it is killed, another process gets the lease when the lease ends. A process that was
 * suspended for longer than that does not know that another one has taken over, so work outside of `inTransaction` must
 * be harmless if it is done twice.
 */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { inTransaction } from './in-transaction.ts'
import { run } from './statement.ts'

const RENEW_MS = 10_000

export interface Lease {
  /** Whether this process has the lease, or gets it now. */
  take(): Promise<boolean>
  /** No other process gets the lease before the end of the transaction. Fails if one has it already. */
  inTransaction<Result>(steps: (tx: pg.ClientBase) => Promise<Result>): Promise<Result>
  release(): Promise<void>
}

export function openLease(db: pg.Pool, job: string): Lease {
  const holder = randomUUID()
  let timer: NodeJS.Timeout | undefined
  let renewing: Promise<unknown> | undefined

  function renew() {
    // If it fails, the next call of `take` or `inTransaction` notices it.
    renewing = run(db, renewLease(job, holder)).catch(() => undefined)
  }

  function stopRenewing() {
    clearInterval(timer)
    timer = undefined
  }

  return {
    async take() {
      const isHeld = (await run(db, takeLease(job, holder))) === 1
      if (isHeld) timer ??= setInterval(renew, RENEW_MS).unref()
      else stopRenewing()
      return isHeld
    },
    inTransaction: (steps) =>
      inTransaction(db, async (tx) => {
        const isHeld = (await run(tx, lockLease(job, holder))) === 1
        if (!isHeld) throw new Error(`another process has taken over the job ${job}`)
        return steps(tx)
      }),
    async release() {
      stopRenewing()
      await renewing
      await run(db, endLease(job, holder))
    },
  }
}

const END = `now() + interval '30 seconds'`

/** An end that is too far ahead is from before the clock was set back. */
function takeLease(job: string, holder: string): pg.QueryConfig {
  return {
    name: 'take-lease',
    text: `insert into directory.leases as l (job, holder, held_until) values ($1, $2, ${END})
      on conflict (job) do update set holder = excluded.holder, held_until = excluded.held_until
      where l.holder = excluded.holder or l.held_until <= now()
        or l.held_until > now() + interval '1 minute' and l.held_until <> 'infinity'`,
    values: [job, holder],
  }
}

/** Unlike `takeLease`, never after another process had it. */
function renewLease(job: string, holder: string): pg.QueryConfig {
  return {
    name: 'renew-lease',
    text: `update directory.leases set held_until = ${END} where job = $1 and holder = $2`,
    values: [job, holder],
  }
}

/** Also after its end, if nobody else has taken it since. */
function lockLease(job: string, holder: string): pg.QueryConfig {
  return {
    name: 'lock-lease',
    text: 'select from directory.leases where job = $1 and holder = $2 for share',
    values: [job, holder],
  }
}

function endLease(job: string, holder: string): pg.QueryConfig {
  return {
    text: 'delete from directory.leases where job = $1 and holder = $2',
    values: [job, holder],
  }
}
