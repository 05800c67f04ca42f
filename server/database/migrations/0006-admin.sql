-- squawk-ignore-file require-lock-timeout, require-statement-timeout
-- The operators and everything that they do.
create schema admin;
grant usage on schema admin to coffer_service;

create table admin.operators (
  id bigint generated always as identity primary key,
  email text not null,
  name text not null,
  role text not null check (role in ('owner', 'operator', 'viewer')),
  password_hash text not null,
  -- AES-256-GCM with a key that is not in the database; null: no authenticator is set up yet.
  totp_seed bytea,
  totp_key_id text,
  -- Of the last code that was accepted; only later ones are accepted after it.
  totp_step bigint not null default 0,
  -- HMAC-SHA-256 with the same key; a code that was used is removed.
  recovery_hmacs bytea[] not null default '{}',
  is_active boolean not null default true,
  created_by bigint references admin.operators (id),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz,
  -- The key of recovery_hmacs, if it is not totp_key_id: a seed can be encrypted again, a hash cannot.
  recovery_key_id text,
  -- When the operator last chose a password; null: it is still the first one, which somebody else may know.
  password_changed_at timestamptz,
  check ((totp_seed is null) = (totp_key_id is null))
);
create unique index operators_by_email on admin.operators (lower(email));
grant select, insert, update on admin.operators to coffer_service;

-- Who gave whom new means to log in, and so could have used them. Nothing is ever removed: what one person could
-- do then, that person could have done. operators.created_by says who created an operator.
create table admin.operator_resets (
  operator_id bigint not null references admin.operators (id),
  reset_by bigint not null references admin.operators (id),
  first_at timestamptz not null default now(),
  primary key (operator_id, reset_by),
  check (operator_id <> reset_by)
);
grant select, insert on admin.operator_resets to coffer_service;

create table admin.log_ins (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  operator_id bigint not null references admin.operators (id),
  address text not null,
  device text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- When password and code were last given.
  confirmed_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index log_ins_by_operator on admin.log_ins (operator_id);
create index log_ins_by_expiry on admin.log_ins (expires_at);
grant select, insert, update, delete on admin.log_ins to coffer_service;

-- Between the password and the code. A seed that is being set up counts only after its first code was right.
create table admin.tickets (
  ticket_hash bytea primary key check (octet_length(ticket_hash) = 32),
  operator_id bigint not null references admin.operators (id),
  totp_seed bytea,
  totp_key_id text,
  tries bigint not null default 0,
  expires_at timestamptz not null,
  check ((totp_seed is null) = (totp_key_id is null))
);
create index admin_tickets_by_operator on admin.tickets (operator_id);
create index admin_tickets_by_expiry on admin.tickets (expires_at);
grant select, insert, update, delete on admin.tickets to coffer_service;

-- As directory.passkeys.
create table admin.passkeys (
  id bigint generated always as identity primary key,
  operator_id bigint not null references admin.operators (id),
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_by_operator on admin.passkeys (operator_id);
grant select, insert, update, delete on admin.passkeys to coffer_service;

create table admin.passkey_challenges (
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  purpose text not null check (purpose in ('log_in', 'confirm', 'add')),
  log_in_id uuid references admin.log_ins (id) on delete cascade,
  expires_at timestamptz not null,
  check ((purpose = 'log_in') = (log_in_id is null))
);
create index passkey_challenges_by_log_in on admin.passkey_challenges (log_in_id);
create index passkey_challenges_by_expiry on admin.passkey_challenges (expires_at);
grant select, insert, delete on admin.passkey_challenges to coffer_service;

-- What operators did. Append-only, and the database sets id and time: the service cannot change, delete or backdate an
-- entry.
create table admin.audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- The email address at that time, or the command line.
  actor text not null,
  actor_id bigint,
  address text,
  action text not null,
  subject text,
  before jsonb,
  after jsonb
);
create index audit_by_time on admin.audit (at, id);
grant select, insert (actor, actor_id, address, action, subject, before, after) on admin.audit to coffer_service;

-- The hash chain of the audit log. Each hash covers one entry and the hash before it, so an entry that is changed,
-- removed, moved or added later breaks the chain.
create table admin.audit_chain (
  -- 1, 2, 3, …, in the order in which the entries were committed.
  seq bigint primary key,
  audit_id bigint not null unique,
  -- SHA-256 of the hash before it (32 zero bytes at first) and the entry.
  hash bytea not null check (octet_length(hash) = 32)
);
grant select on admin.audit_chain to coffer_service;

-- The encoding of an entry: version, seq and the columns as text, separated by commas. Each is "bytes:text", or "-" for
-- null; the time is in microseconds since 1970. server/admin/audit/hash-entry.ts does the same.
create function admin.hash_entry(previous bytea, seq bigint, entry admin.audit) returns bytea language sql stable
set search_path = pg_catalog as $$
  select sha256(previous || convert_to(string_agg(
    coalesce(octet_length(convert_to(field, 'UTF8')) || ':' || field, '-'), ',' order by place
  ), 'UTF8'))
  from unnest(array[
    '1', seq::text, entry.id::text, (extract(epoch from entry.at) * 1000000)::bigint::text, entry.actor,
    entry.actor_id::text, entry.address, entry.action, entry.subject, entry.before::text, entry.after::text
  ]) with ordinality as fields(field, place)
$$;
revoke execute on function admin.hash_entry(bytea, bigint, admin.audit) from public;

-- Runs at the commit of the transaction that inserted the entry. Writers wait for each other only while they commit.
-- The lock is the last one that a transaction takes, so it cannot deadlock.
create function admin.chain_new_entry() returns trigger language plpgsql security definer
set search_path = pg_catalog as $$
declare
  last_seq bigint;
  last_hash bytea;
begin
  -- auditChain in server/database/advisory-locks.ts.
  perform pg_advisory_xact_lock(7241865325823967);
  select c.seq, c.hash into last_seq, last_hash from admin.audit_chain c order by c.seq desc limit 1;
  last_seq := coalesce(last_seq, 0);
  last_hash := coalesce(last_hash, decode(repeat('00', 32), 'hex'));
  insert into admin.audit_chain (seq, audit_id, hash)
    values (last_seq + 1, new.id, admin.hash_entry(last_hash, last_seq + 1, new));
  return null;
end
$$;
revoke execute on function admin.chain_new_entry() from public;
create constraint trigger chain_new_entry after insert on admin.audit
  deferrable initially deferred for each row execute function admin.chain_new_entry();

-- How far the background jobs on the chain are.
create table admin.audit_tasks (
  task text primary key check (task in ('stream', 'verify')),
  -- The last entry that is in AUDIT_LOG_FILE, or at which a verification without a fault ended.
  seq bigint not null default 0,
  -- The hash of that entry; null: there is none yet.
  hash bytea
);
insert into admin.audit_tasks (task) values ('stream'), ('verify');
grant select, update (seq, hash) on admin.audit_tasks to coffer_service;

-- What one operator proposes and, above what they may do alone, a second one approves: a bonus, a correction, a credit
-- limit, a change that gives a client app more power, the release of a hold. The id comes from the page and names the
-- operation in the ledger, so that what is sent or done twice happens once. A proposal cannot be changed.
create table admin.grants (
  id uuid primary key,
  service_user_id bigint references directory.service_users (id),
  wallet_id bigint,
  kind text not null check (kind in (
    'bonus', 'correction_in', 'correction_out', 'credit_limit', 'app_change', 'hold_release'
  )),
  -- Of a credit limit: by how much it is raised; null: it becomes unlimited.
  amount bigint check (amount > 0),
  reason text not null check (char_length(reason) between 3 and 500),
  -- Whether it was above what the operator and those related may give in 24 hours without a second one.
  needs_second boolean not null,
  -- approved: decided, and the ledger has not answered yet; refused: by the ledger. Credit limits and changes of a
  -- client app take effect in the transaction that decides them, so they are neither.
  status text not null check (status in ('open', 'approved', 'posted', 'refused', 'rejected', 'withdrawn')),
  proposed_by bigint not null references admin.operators (id),
  proposed_at timestamptz not null default now(),
  -- Who approved or rejected it.
  second_operator bigint references admin.operators (id),
  decided_at timestamptz,
  declined_because text check (char_length(declined_because) between 3 and 500),
  refusal text,
  client_app_id bigint references directory.client_apps (id),
  -- What the limit of the client app becomes, in minor units; null: unlimited, or not a credit limit.
  credit_limit bigint,
  -- What changes in the client app; null: not a change of a client app.
  change jsonb,
  -- Of an approved rotation or URL of a webhook: when its proposer rotated the secret, or created or changed the
  -- webhook.
  used_at timestamptz,
  -- The digest of the hold that is released; null: not a release.
  hold uuid,
  -- The rule itself, once more: a second operator is another one, and where one is needed nothing moves without.
  check (second_operator <> proposed_by),
  check (not needs_second or second_operator is not null or status in ('open', 'withdrawn')),
  check (needs_second or (second_operator is null and status in ('approved', 'posted', 'refused'))),
  check (second_operator is null or status not in ('open', 'withdrawn')),
  check ((status = 'open') = (decided_at is null)),
  check ((status in ('rejected', 'withdrawn')) = (declined_because is not null)),
  check ((status = 'refused') = (refusal is not null)),
  constraint grants_subject_check check (
    case kind
      when 'app_change'
        then client_app_id is not null and service_user_id is null and wallet_id is null and amount is null
          and credit_limit is null and change is not null and needs_second and status not in ('approved', 'refused')
      when 'credit_limit'
        then client_app_id is not null and service_user_id is null and wallet_id is null and change is null
          and status not in ('approved', 'refused') and (amount is null) = (credit_limit is null)
      else client_app_id is null and service_user_id is not null and wallet_id is not null
        and credit_limit is null and amount is not null and change is null
    end
  ),
  -- Nobody alone makes an app unlimited, and a raise ends at the new limit.
  constraint grants_unlimited_check check (amount is not null or needs_second),
  constraint grants_credit_limit_check check (credit_limit >= amount),
  constraint grants_hold_check check ((kind = 'hold_release') = (hold is not null)),
  constraint grants_used_check check (used_at is null or (kind = 'app_change' and status = 'posted'))
);
create index grants_by_time on admin.grants (proposed_at, id);
create index grants_by_person on admin.grants (service_user_id, proposed_at, id);
create index grants_waiting on admin.grants (proposed_at, id) where status in ('open', 'approved');
create index grants_without_second on admin.grants (proposed_by, decided_at) where not needs_second;
grant select, insert, update (status, second_operator, decided_at, declined_because, refusal, used_at)
  on admin.grants to coffer_service;

-- Operators are notified when the debits of a client app in one hour exceed an amount. At most one alert per app and
-- hour, in all processes together.
create table admin.debit_alerts (
  client_app_id bigint not null references directory.client_apps (id),
  hour timestamptz not null,
  -- The debits of that hour when the alert was recorded, in minor units.
  amount bigint not null,
  created_at timestamptz not null default now(),
  primary key (client_app_id, hour)
);
grant select, insert on admin.debit_alerts to coffer_service;

-- What was seen of a client app's integration recently: a few rows per app, each written at most once a minute.
create table admin.app_activity (
  client_app_id bigint not null references directory.client_apps (id),
  kind text not null check (kind in ('origin', 'error')),
  value text not null,
  times bigint not null,
  last_at timestamptz not null default now(),
  primary key (client_app_id, kind, value)
);
grant select, insert, update, delete on admin.app_activity to coffer_service;

-- Apart from the secrets, because a change there makes every process drop its cached client apps.
create table admin.secret_uses (
  secret_id bigint primary key references directory.client_secrets (id),
  used_at timestamptz not null default now()
);
grant select, insert, update on admin.secret_uses to coffer_service;

-- Responses per hour, of all processes.
create table admin.traffic (
  hour timestamptz not null,
  kind text not null check (kind in ('status', 'code', 'latency')),
  -- Of latency: n stands for responses that took up to 2 ^ (n / 3) ms.
  value text not null,
  count bigint not null,
  primary key (hour, kind, value)
) with (fillfactor = 70);
grant select, insert, update, delete on admin.traffic to coffer_service;

-- The last run of each check of `coffer check`.
create table admin.checks (
  name text primary key check (name in ('doctor', 'reconcile', 'checkpoint', 'verify')),
  -- When the last run began that has ended, and when it ended.
  began_at timestamptz not null,
  finished_at timestamptz not null,
  is_ok boolean not null,
  summary text not null,
  -- When the last run began that found no problem.
  succeeded_at timestamptz,
  -- The result that the operators know: they get an email when it changes.
  reported_ok boolean not null default true,
  check (finished_at >= began_at)
);
grant select, insert, update on admin.checks to coffer_service;
