/**
 * Fills a database with the data of a large deployment: 1 000 client apps, 100 000 people, 1 million operations or more.
 * PostgreSQL generates all rows in chronological order, as a real deployment would. Pairs have their real
 * digests; the hashes of the chains are not computed, so the books of such a database do not verify.
 */
import type pg from 'pg'
import { TEST_PEPPER } from './harness.ts'
import { createPastMonths } from './ledger/partition-setup.ts'

const APPS = 1_000
const PEOPLE = 100_000
const TOPUPS = 50_000
const AUDIT = 100_000
const DELIVERIES = 200_000
const FIRST_ACCOUNT = 100_000

export interface Volume {
  /** Operations of every wallet: a top-up, then debits and credits at equal distances over 90 days. */
  operationsEach: number
  /** More operations of the first wallet only, all by its client app. */
  busyOperations: number
}
const ONE_MILLION: Volume = { operationsEach: 4, busyOperations: 600_000 }

/** The clientId of the app with this number, from 1 to 1 000. */
export function volumeApp(number: number): string {
  return `app_${number.toString(16).padStart(24, '0')}`
}
/** The app of the first wallet. */
export const BUSY_APP = volumeApp(2)

const digestOf = (scope: string, type: string, id: string) =>
  `substring(encode(sha256(int4send(${scope}) || int4send(octet_length(${type}))
    || convert_to(${type}, 'UTF8') || convert_to(${id}, 'UTF8')), 'hex'), 1, 32)::uuid`

const fillDirectory = ({ operationsEach, busyOperations }: Volume) => `
  insert into ledger.accounts (id, name)
    select ${FIRST_ACCOUNT} + n, 'app ' || n from generate_series(1, ${APPS}) n;
  insert into directory.client_apps (client_id, name, account_id, scopes, created_at, on_mismatch)
    select 'app_' || lpad(to_hex(n), 24, '0'), 'Shop ' || n, ${FIRST_ACCOUNT} + n,
      '{wallet:read,wallet:write}', now() - make_interval(hours => ${APPS} - n), 'conflict'
    from generate_series(1, ${APPS}) n;
  insert into ledger.wallets (id, balance, seq) overriding system value
    select n, 100000, case when n = 1 then ${operationsEach + busyOperations} else ${operationsEach} end
    from generate_series(1, ${PEOPLE}) n;
  insert into directory.service_users (id, wallet_id, created_at) overriding system value
    select n, n, now() - make_interval(mins => ${PEOPLE} - n) from generate_series(1, ${PEOPLE}) n;
  insert into directory.people (service_user_id, first_name, last_name, email, email_verified_at)
    select n, (array['Ada', 'Ben', 'Chloé', 'Dmitri', 'Eve', 'Farah', 'Grace', 'Hugo'])[1 + n % 8],
      'Surname' || n / 7, 'person' || n || '@mail' || n % 50 || '.example', now()
    from generate_series(1, ${PEOPLE}) n;
  insert into directory.links (public_id, client_app_id, service_user_id, wallet_id)
    select md5(n || ' link')::uuid, a.id, n, n
    from generate_series(1, ${PEOPLE}) n
    join directory.client_apps a on a.account_id = ${FIRST_ACCOUNT} + 1 + n % ${APPS};
  select setval(pg_get_serial_sequence('ledger.wallets', 'id'), ${PEOPLE}),
    setval(pg_get_serial_sequence('directory.service_users', 'id'), ${PEOPLE}),
    setval(pg_get_serial_sequence('ledger.accounts', 'id'), ${FIRST_ACCOUNT + APPS});`

/** n numbers the operations in chronological order; the first and the last are 90 days apart. */
const fillOperations = ({ operationsEach, busyOperations }: Volume) => `
  create temporary table volume as
    select wallet_id, seq, date_trunc('milliseconds', now() - interval '90 days' * (1 - at)) as created_at,
      case when seq = 1 then 'topup' when seq % 10 = 0 then 'credit' else 'debit' end::ledger.kind as kind,
      case when seq = 1 then 100000 else 1 + (wallet_id * 7919 + seq * 104729::bigint) % 1000 end as size,
      case when seq = 1 then 1 else ${FIRST_ACCOUNT} + 1 + wallet_id % ${APPS} end as account
    from (
      select w as wallet_id, s as seq, (s - 1 + w::float8 / ${PEOPLE}) / ${operationsEach} as at
        from generate_series(1, ${operationsEach}) s, generate_series(1, ${PEOPLE}) w
      union all
      select 1, ${operationsEach} + s, s::float8 / ${busyOperations}
        from generate_series(1, ${busyOperations}) s
    ) x order by at;
  insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
      reference_type, reference_id, description, hash)
    select wallet_id, seq, case when kind = 'debit' then -size else size end, 100000, created_at, account, kind,
      case when kind = 'topup' then 'TOPUP' else 'ORDER_PAYMENT' end, wallet_id || '-' || seq, 'Order ' || seq,
      decode(repeat('00', 32), 'hex')
    from volume;
  insert into ledger.operation_keys (digest, wallet_id, seq, decided_at, kind, amount, balance_after)
    select ${digestOf(
      `(case when kind = 'topup' then 0 else account end)::int`,
      `case when kind = 'topup' then 'TOPUP' else 'ORDER_PAYMENT' end`,
      `wallet_id || '-' || seq`,
    )}, wallet_id, seq, created_at, kind, size, 100000 from volume;
  insert into ledger.operation_keys (digest, wallet_id, seq, decided_at, refusal, kind, amount)
    select md5(n || ' refused')::uuid, 1 + n % ${PEOPLE}, 1, now() - make_interval(mins => n),
      'INSUFFICIENT_BALANCE', 'debit', 500 from generate_series(1, 20000) n;
  insert into ledger.mismatches (digest, wallet_id, kind, amount, differs)
    select digest, wallet_id, 'debit', 7, '{amount}' from ledger.operation_keys limit 2000;
  drop table volume;`

const AROUND = `
  insert into directory.topups (id, service_user_id, wallet_id, client_app_id, amount, intent_id, status, created_at,
      ended_at, next_check_at)
    select md5(n || ' topup')::uuid, 1 + n % ${PEOPLE}, 1 + n % ${PEOPLE}, (select min(id) from directory.client_apps) + n % ${APPS}, 2500,
      'pi_' || md5(n::text), (array['credited', 'credited', 'credited', 'ended'])[1 + n % 4],
      now() - make_interval(mins => 2 * n), now() - make_interval(mins => 2 * n), 'infinity'
    from generate_series(1, ${TOPUPS}) n;
  insert into directory.refunds (topup_id, amount, status, created_at)
    select id, 500, 'sent', created_at from directory.topups where status = 'credited' limit 2000;
  insert into admin.audit (at, actor, action, subject)
    select now() - make_interval(mins => ${AUDIT} - n), 'operator' || n % 20 || '@example.com',
      'client_app.change', 'app_' || lpad(to_hex(1 + n % ${APPS}), 24, '0')
    from generate_series(1, ${AUDIT}) n;
  insert into events.webhooks (id, client_app_id, url, description, sealed_secret, key_id, disabled_at, disabled_reason)
    select md5(client_id || ' webhook')::uuid, id, 'https://shop.example/events', '', '\\x00', '${TEST_PEPPER.split(':')[0]}', now(), 'failing'
    from directory.client_apps;
  insert into events.events (client_app_id, sequence, recorded_at, id, type, data, created_at)
    select a.id, n, now(), md5(n || ' event')::uuid, 'link.created', '{"serviceUserId": "su_1"}', now()
    from generate_series(1, ${DELIVERIES}) n, directory.client_apps a where a.client_id = '${BUSY_APP}';
  insert into events.deliveries (webhook_id, event_id, client_app_id, sequence, recorded_at, next_attempt_at, delivered_at)
    select md5('${BUSY_APP} webhook')::uuid, id, client_app_id, sequence, recorded_at,
      case when sequence = 2 then now() + interval '1 day' end, case when sequence > 2 then now() end
    from events.events where type = 'link.created';`

export async function fillVolume(admin: pg.Client, volume = ONE_MILLION): Promise<void> {
  await admin.query('set synchronous_commit = off')
  await admin.query(fillDirectory(volume))
  await admin.query(createPastMonths(4))
  await admin.query(fillOperations(volume))
  await admin.query(AROUND)
  await admin.query('vacuum analyze')
}
