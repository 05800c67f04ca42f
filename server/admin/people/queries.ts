import type pg from 'pg'

export interface PersonRow {
  id: bigint
  wallet_id: bigint
  created_at: Date
  /** null, as the others: erased. */
  first_name: string | null
  last_name: string | null
  email: string | null
  is_email_verified: boolean
}
const PERSON = `u.id, u.wallet_id, u.created_at, p.first_name, p.last_name, p.email,
  p.email_verified_at is not null as is_email_verified`
const EVERYBODY = `directory.service_users u left join directory.people p on p.service_user_id = u.id`

const NEWEST = '9223372036854775807'

interface PeoplePage {
  /** The person that the page before ended with. */
  after: bigint | undefined
  limit: number
}

/** Walks down the primary key; those who were erased too. */
export function listPeople({ after, limit }: PeoplePage): pg.QueryConfig {
  return {
    text: `select ${PERSON} from ${EVERYBODY} where u.id < $1::bigint order by u.id desc limit $2`,
    values: [after ?? NEWEST, limit],
  }
}

export interface PeopleSearch extends PeoplePage {
  /** A pattern of `like`. */
  emailPattern: string
  /** A tsquery. */
  names: string
}

/**
 * Everybody who fits is found by the indexes of words, and the newest of them are taken. The sum keeps the planner
 * from walking down the primary key instead: for a word that only old accounts have it would read all the others.
 */
export function searchPeople(search: PeopleSearch): pg.QueryConfig {
  const { emailPattern, names, after, limit } = search
  return {
    text: `select ${PERSON} from (
        select service_user_id from directory.people
        where (lower(email) like lower($1)
            or to_tsvector('simple', first_name || ' ' || last_name) @@ to_tsquery('simple', $2))
          and service_user_id < $3::bigint
        order by service_user_id + 0 desc limit $4
      ) found
      join directory.people p using (service_user_id)
      join directory.service_users u on u.id = p.service_user_id
      order by u.id desc`,
    values: [emailPattern, names, after ?? NEWEST, limit],
  }
}

/** Also of a link that has ended, and of somebody who was erased. */
export function findPersonByLink(publicId: string): pg.QueryConfig {
  return {
    text: `select ${PERSON} from ${EVERYBODY}
      where u.id = (select l.service_user_id from directory.links l where l.public_id = $1)`,
    values: [publicId],
  }
}

export function findPerson(id: bigint): pg.QueryConfig {
  return { text: `select ${PERSON} from ${EVERYBODY} where u.id = $1`, values: [id] }
}

export interface PersonLinkRow {
  client_id: string
  name: string
  public_id: string
  created_at: Date
  ended_at: Date | null
}

export function listLinks(userId: bigint, limit: number): pg.QueryConfig {
  return {
    text: `select a.client_id, a.name, l.public_id, l.created_at, l.ended_at
      from directory.links l join directory.client_apps a on a.id = l.client_app_id
      where l.service_user_id = $1
      order by l.ended_at is not null, l.created_at desc, l.public_id limit $2`,
    values: [userId, limit],
  }
}

export interface PersonTopupRow {
  id: string
  status: 'open' | 'credited' | 'ended'
  amount: bigint
  created_at: Date
}

export function listNewestTopups(userId: bigint, limit: number): pg.QueryConfig {
  return {
    text: `select id, status, amount, created_at from directory.topups
      where service_user_id = $1 order by created_at desc limit $2`,
    values: [userId, limit],
  }
}

export interface LogInsRow {
  alive: bigint
  last_seen_at: Date | null
}

export function countLogIns(userId: bigint, idleMinutes: number): pg.QueryConfig {
  return {
    text: `select max(last_seen_at) as last_seen_at, count(*) filter (
        where expires_at > now() and last_seen_at > now() - make_interval(mins => $2)) as alive
      from directory.log_ins where service_user_id = $1`,
    values: [userId, idleMinutes],
  }
}

export function findAccountOf(clientId: string): pg.QueryConfig {
  return {
    text: 'select account_id from directory.client_apps where client_id = $1',
    values: [clientId],
  }
}
