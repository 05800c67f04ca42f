import type pg from 'pg'

export interface AuditEntry {
  actor: string
  actorId: bigint | null
  address: string | null
  action: string
  subject: string | null
  before: object | null
  after: object | null
}

export function insertAudit(entry: AuditEntry): pg.QueryConfig {
  const { actor, actorId, address, action, subject, before, after } = entry
  return {
    text: `insert into admin.audit (actor, actor_id, address, action, subject, before, after)
      values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb)`,
    values: [
      actor,
      actorId,
      address,
      action,
      subject,
      before && JSON.stringify(before),
      after && JSON.stringify(after),
    ],
  }
}

export interface AuditRow {
  id: bigint
  at: Date
  actor: string
  address: string | null
  action: string
  subject: string | null
  before: string | null
  after: string | null
}

export interface AuditSearch {
  /** A pattern of `ilike`. */
  pattern: string | undefined
  from: Date | undefined
  before: Date | undefined
  /** The entry that the page before ended with. */
  after: bigint | undefined
  limit: number
}

/** Walks down the index by time; the words are looked for in what it yields. */
export function searchAudit({ pattern, from, before, after, limit }: AuditSearch): pg.QueryConfig {
  return {
    text: `select id, at, actor, address, action, subject, before::text, after::text from admin.audit
      where at >= $1::timestamptz and at < $2::timestamptz
        and ($3::bigint is null or (at, id) < ((select c.at from admin.audit c where c.id = $3), $3))
        and ($4::text is null or concat_ws(' ', actor, action, subject) ilike $4)
      order by at desc, id desc limit $5`,
    values: [from ?? '-infinity', before ?? 'infinity', after ?? null, pattern ?? null, limit],
  }
}
