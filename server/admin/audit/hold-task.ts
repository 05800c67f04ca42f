/** One process at a time works on a task of the audit log. Its position is in the database. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { one, run } from '../../database/statement.ts'
import {
  claimTask,
  releaseTask,
  saveTask,
  type AuditTask,
  type ChainHead,
} from './chain-queries.ts'

/** Longer than any statement and any rest between two portions of work. */
const HELD_SECONDS = 90
const RENEW_MS = 10_000

export interface HeldTask {
  /** The last entry that is done, null if none is; undefined: another process holds the task. */
  hold(): Promise<ChainHead | null | undefined>
  save(head: ChainHead): Promise<void>
  release(): Promise<void>
}

export function holdTask(db: pg.Pool, task: AuditTask): HeldTask {
  const holder = randomUUID()
  let head: ChainHead | null | undefined
  let renewDueMs = 0
  return {
    async hold() {
      if (head !== undefined && performance.now() < renewDueMs) return head
      const renewMs = performance.now() + RENEW_MS
      head = await one(db, claimTask(task, holder, HELD_SECONDS))
      renewDueMs = renewMs
      return head
    },
    async save(done) {
      const saved = await run(db, saveTask(task, holder, done))
      head = saved === 1 ? done : undefined
      if (saved !== 1) throw new Error(`another process has taken over the task ${task}`)
    },
    async release() {
      await run(db, releaseTask(task, holder))
    },
  }
}
