import type { Statement } from '../../database/statement.ts'
import { GRANT, readGrant, type Grant, type GrantRow } from './queries.ts'

export type ListedGrant = Grant & {
  /** null, like the name: the grant is for a client app, or the person was erased. */
  email: string | null
  personName: string | null
  clientId: string | null
  appName: string | null
}

type ListedGrantRow = GrantRow & {
  email: string | null
  person_name: string | null
  client_id: string | null
  app_name: string | null
}

export interface GrantSearch {
  state: 'waiting' | 'decided' | undefined
  userId: bigint | undefined
  /** An `ilike` pattern. */
  pattern: string | undefined
  /** The last grant of the previous page. */
  after: string | undefined
  limit: number
}

const STATES = {
  waiting: `and g.status in ('open', 'approved')`,
  decided: `and g.status not in ('open', 'approved')`,
}

/** Scans an index by time, newest first, and matches the search text against those rows. */
export function searchGrants(search: GrantSearch): Statement<ListedGrant> {
  const { state, userId, pattern, after, limit } = search
  return {
    text: `select ${GRANT}, p.first_name || ' ' || p.last_name as person_name, p.email, a.client_id, a.name as app_name
      from admin.grants g left join directory.people p on p.service_user_id = g.service_user_id
        left join directory.client_apps a on a.id = g.client_app_id
      where ($1::uuid is null or (g.proposed_at, g.id) < ((select c.proposed_at from admin.grants c where c.id = $1), $1))
        ${state === undefined ? '' : STATES[state]}
        ${userId === undefined ? 'and $2::bigint is null' : 'and g.service_user_id = $2'}
        and ($3::text is null or g.reason ilike $3 or p.email ilike $3 or p.first_name || ' ' || p.last_name ilike $3
          or a.name ilike $3 or a.client_id ilike $3
          or exists (select from admin.operators o
            where o.id in (g.proposed_by, g.second_operator) and (o.email ilike $3 or o.name ilike $3)))
      order by g.proposed_at desc, g.id desc limit $4`,
    values: [after ?? null, userId ?? null, pattern ?? null, limit],
    read: (row: ListedGrantRow) => ({
      ...readGrant(row),
      email: row.email,
      personName: row.person_name,
      clientId: row.client_id,
      appName: row.app_name,
    }),
  }
}

/** Also of a person who is erased: a repeated request gets the same outcome. */
export function findWalletOf(userId: bigint): Statement<bigint> {
  return {
    text: 'select wallet_id from directory.service_users where id = $1',
    values: [userId],
    read: (row: { wallet_id: bigint }) => row.wallet_id,
  }
}
