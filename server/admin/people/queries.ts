import type { Statement } from '../../database/statement.ts'

export interface Person {
  id: bigint
  walletId: bigint
  createdAt: Date
  /** null, like the last name and the email: the person was erased. */
  firstName: string | null
  lastName: string | null
  email: string | null
  isEmailVerified: boolean
}

interface PersonRow {
  id: bigint
  wallet_id: bigint
  created_at: Date
  first_name: string | null
  last_name: string | null
  email: string | null
  is_email_verified: boolean
}
const PERSON = `u.id, u.wallet_id, u.created_at, p.first_name, p.last_name, p.email,
  p.email_verified_at is not null as is_email_verified`
const EVERYBODY = `directory.service_users u left join directory.people p on p.service_user_id = u.id`

function readPerson(row: PersonRow): Person {
  return {
    id: row.id,
    walletId: row.wallet_id,
    createdAt: row.created_at,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    isEmailVerified: row.is_email_verified,
  }
}

const NEWEST = '9223372036854775807'

interface PeoplePage {
  /** The last person of the previous page. */
  after: bigint | undefined
  limit: number
}

/** Scans the primary key, newest first; includes erased people. */
export function listPeople({ after, limit }: PeoplePage): Statement<Person> {
  return {
    text: `select ${PERSON} from ${EVERYBODY} where u.id < $1::bigint order by u.id desc limit $2`,
    values: [after ?? NEWEST, limit],
    read: readPerson,
  }
}

export interface PeopleSearch extends PeoplePage {
  /** A `like` pattern. */
  emailPattern: string
  /** A tsquery. */
  names: string
}

/**
 * Finds every match by the indexes on emails and names, then takes the newest. The `+ 0` keeps the planner from scanning
 * the primary key instead: for a word that only old accounts contain, it would read all newer ones.
 */
export function searchPeople(search: PeopleSearch): Statement<Person> {
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
    read: readPerson,
  }
}

export interface FrozenSearch extends PeoplePage {
  /** Without it, everybody whose wallet is frozen. */
  words: Pick<PeopleSearch, 'emailPattern' | 'names'> | undefined
}

/** Finds frozen wallets by their index, and reads all of them: there are few. */
export function searchFrozen({ words, after, limit }: FrozenSearch): Statement<Person> {
  return {
    text: `select ${PERSON} from ledger.wallets w
        join directory.service_users u on u.wallet_id = w.id
        left join directory.people p on p.service_user_id = u.id
      where not w.is_active and w.closed_at is null and u.id < $3::bigint
        and ($1::text is null or lower(p.email) like lower($1)
          or to_tsvector('simple', p.first_name || ' ' || p.last_name) @@ to_tsquery('simple', $2))
      order by u.id desc limit $4`,
    values: [words?.emailPattern ?? null, words?.names ?? null, after ?? NEWEST, limit],
    read: readPerson,
  }
}

/** Also finds an ended link and an erased person. */
export function findPersonByLink(publicId: string): Statement<Person> {
  return {
    text: `select ${PERSON} from ${EVERYBODY}
      where u.id = (select l.service_user_id from directory.links l where l.public_id = $1)`,
    values: [publicId],
    read: readPerson,
  }
}

export function findPerson(id: bigint): Statement<Person> {
  return {
    text: `select ${PERSON} from ${EVERYBODY} where u.id = $1`,
    values: [id],
    read: readPerson,
  }
}

export interface PersonLink {
  clientId: string
  name: string
  publicId: string
  createdAt: Date
  endedAt: Date | null
}

interface PersonLinkRow {
  client_id: string
  name: string
  public_id: string
  created_at: Date
  ended_at: Date | null
}

export function listLinks(userId: bigint, limit: number): Statement<PersonLink> {
  return {
    text: `select a.client_id, a.name, l.public_id, l.created_at, l.ended_at
      from directory.links l join directory.client_apps a on a.id = l.client_app_id
      where l.service_user_id = $1
      order by l.ended_at is not null, l.created_at desc, l.public_id limit $2`,
    values: [userId, limit],
    read: (row: PersonLinkRow) => ({
      clientId: row.client_id,
      name: row.name,
      publicId: row.public_id,
      createdAt: row.created_at,
      endedAt: row.ended_at,
    }),
  }
}

export interface PersonTopup {
  id: string
  status: 'open' | 'credited' | 'ended'
  amount: bigint
  createdAt: Date
  isAutomatic: boolean
}

type PersonTopupRow = Omit<PersonTopup, 'createdAt' | 'isAutomatic'> & {
  created_at: Date
  is_automatic: boolean
}

export function listNewestTopups(userId: bigint, limit: number): Statement<PersonTopup> {
  return {
    text: `select id, status, amount, created_at, is_automatic from directory.topups
      where service_user_id = $1 order by created_at desc limit $2`,
    values: [userId, limit],
    read: ({ created_at: createdAt, is_automatic: isAutomatic, ...topup }: PersonTopupRow) => ({
      ...topup,
      createdAt,
      isAutomatic,
    }),
  }
}

export interface LogInCount {
  live: number
  passkeys: number
  lastSeenAt: Date | null
}

/** A login in the widget is not stored, but the consent that follows it and the top-ups are. */
export function countLogIns(userId: bigint, idleMinutes: number): Statement<LogInCount> {
  return {
    text: `select count(*) filter (
          where expires_at > now() and last_seen_at > now() - make_interval(mins => $2)) as live,
        greatest(
          max(last_seen_at),
          (select max(coalesce(agreed_at, created_at)) from directory.links where service_user_id = $1),
          (select max(created_at) from directory.topups where service_user_id = $1 and not is_automatic)
        ) as last_seen_at,
        (select count(*) from directory.passkeys where service_user_id = $1) as passkeys
      from directory.log_ins where service_user_id = $1`,
    values: [userId, idleMinutes],
    read: (row: { live: bigint; passkeys: bigint; last_seen_at: Date | null }) => ({
      live: Number(row.live),
      passkeys: Number(row.passkeys),
      lastSeenAt: row.last_seen_at,
    }),
  }
}

export interface MadeGrant {
  id: string
  reason: string
  proposedBy: string
  secondOperator: string | null
}

interface MadeGrantRow {
  id: string
  reason: string
  proposed_by: string
  second_operator: string | null
}

export function findGrants(ids: readonly string[]): Statement<MadeGrant> {
  return {
    text: `select g.id, g.reason, o.email as proposed_by, s.email as second_operator
      from admin.grants g
        join admin.operators o on o.id = g.proposed_by
        left join admin.operators s on s.id = g.second_operator
      where g.id = any($1::uuid[])`,
    values: [ids],
    read: (row: MadeGrantRow) => ({
      id: row.id,
      reason: row.reason,
      proposedBy: row.proposed_by,
      secondOperator: row.second_operator,
    }),
  }
}

/** Returns the ledger account of a client app. */
export function findAccountOf(clientId: string): Statement<number> {
  return {
    text: 'select account_id from directory.client_apps where client_id = $1',
    values: [clientId],
    read: (row: { account_id: bigint }) => Number(row.account_id),
  }
}

export interface AppOfAccount {
  ledgerAccount: number
  clientId: string
  name: string
}

export function findAppsOf(accounts: readonly number[]): Statement<AppOfAccount> {
  return {
    text: 'select account_id, client_id, name from directory.client_apps where account_id = any($1::bigint[])',
    values: [accounts],
    read: (row: { account_id: bigint; client_id: string; name: string }) => ({
      ledgerAccount: Number(row.account_id),
      clientId: row.client_id,
      name: row.name,
    }),
  }
}
