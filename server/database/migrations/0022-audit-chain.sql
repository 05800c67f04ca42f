set lock_timeout = '5s';
set statement_timeout = '60s';

-- The hash chain of the audit log. Each hash covers one entry and the hash before it, so an entry that is changed,
-- removed, moved or added later breaks the chain. The hashes are in a table of their own: entries stay as they were
-- inserted, and the service's role can change neither.
create table admin.audit_chain (
  seq bigint primary key,
  audit_id bigint not null unique,
  hash bytea not null check (octet_length(hash) = 32)
);
comment on column admin.audit_chain.seq is '1, 2, 3, …, in the order in which the entries were committed.';
comment on column admin.audit_chain.hash is 'SHA-256 of the hash before it (32 zero bytes at first) and the entry.';
grant select on admin.audit_chain to coffer_service;

-- The entries from before this migration, which the service adds to the chain in portions.
create table admin.audit_backlog (
  only_row boolean primary key default true check (only_row),
  after_id bigint
);
comment on column admin.audit_backlog.after_id is 'Later entries are added by admin.chain_audit_backlog; null: all entries are in the chain.';
grant select on admin.audit_backlog to coffer_service;

-- Background jobs on the chain. One process at a time holds each of them.
create table admin.audit_tasks (
  task text primary key check (task in ('stream', 'verify')),
  seq bigint not null default 0,
  hash bytea,
  held_by uuid,
  held_until timestamptz not null default '-infinity'
);
comment on column admin.audit_tasks.seq is 'The last entry that is in AUDIT_LOG_FILE, or at which a verification without a fault ended.';
comment on column admin.audit_tasks.hash is 'The hash of that entry; null: there is none yet.';
insert into admin.audit_tasks (task) values ('stream'), ('verify');
grant select, update (seq, hash, held_by, held_until) on admin.audit_tasks to coffer_service;

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

-- Call it while holding the lock below.
create function admin.chain_entry(entry admin.audit) returns void language plpgsql
set search_path = pg_catalog as $$
declare
  last_seq bigint;
  last_hash bytea;
begin
  select c.seq, c.hash into last_seq, last_hash from admin.audit_chain c order by c.seq desc limit 1;
  last_seq := coalesce(last_seq, 0);
  last_hash := coalesce(last_hash, decode(repeat('00', 32), 'hex'));
  insert into admin.audit_chain (seq, audit_id, hash)
    values (last_seq + 1, entry.id, admin.hash_entry(last_hash, last_seq + 1, entry));
end
$$;
revoke execute on function admin.chain_entry(admin.audit) from public;

-- Runs at the commit of the transaction that inserted the entry, in every version of the service. Writers wait for each
-- other only while they commit. The lock is the last one that a transaction takes, so it cannot deadlock.
create function admin.chain_new_entry() returns trigger language plpgsql security definer
set search_path = pg_catalog as $$
begin
  perform pg_advisory_xact_lock(7241865325823967);
  if not exists (select from admin.audit_backlog where after_id < new.id) then
    perform admin.chain_entry(new);
  end if;
  return null;
end
$$;
revoke execute on function admin.chain_new_entry() from public;
create constraint trigger chain_new_entry after insert on admin.audit
  deferrable initially deferred for each row execute function admin.chain_new_entry();

-- Adds up to `most` entries to the chain and returns whether no more are left. A transaction that has not committed yet
-- waits for the lock, and then adds its own entry if this function has passed it.
create function admin.chain_audit_backlog(most integer) returns boolean language plpgsql security definer
set search_path = pg_catalog as $$
declare
  entry admin.audit;
  last_id bigint;
  chained integer := 0;
begin
  perform pg_advisory_xact_lock(7241865325823967);
  select after_id into last_id from admin.audit_backlog;
  if last_id is null then
    return true;
  end if;
  for entry in select * from admin.audit where id > last_id order by id limit most loop
    perform admin.chain_entry(entry);
    last_id := entry.id;
    chained := chained + 1;
  end loop;
  update admin.audit_backlog set after_id = case when chained < most then null else last_id end;
  return chained < most;
end
$$;
revoke execute on function admin.chain_audit_backlog(integer) from public;
grant execute on function admin.chain_audit_backlog(integer) to coffer_service;

-- The trigger's lock on the table keeps others from inserting until this migration commits.
insert into admin.audit_backlog (after_id) select case when exists (select from admin.audit) then 0 end;

-- The database sets id and time, so the service cannot backdate an entry.
revoke insert on admin.audit from coffer_service;
grant insert (actor, actor_id, address, action, subject, before, after) on admin.audit to coffer_service;
