CREATE SCHEMA admin;

CREATE SCHEMA books;

CREATE SCHEMA directory;

CREATE SCHEMA events;

CREATE SCHEMA ledger;

CREATE TYPE ledger.kind AS ENUM (
    'debit',
    'credit',
    'topup',
    'bonus',
    'seizure',
    'reversal',
    'refund',
    'correction_in',
    'correction_out',
    'debit_refund',
    'hold',
    'capture',
    'release',
    'expiry'
);

CREATE TYPE ledger.refusal AS ENUM (
    'INSUFFICIENT_BALANCE',
    'WALLET_INACTIVE',
    'CREDIT_LIMIT_EXCEEDED',
    'BALANCE_LIMIT',
    'REFUND_EXCEEDS_DEBIT',
    'WALLET_CLOSED',
    'CAPTURE_EXCEEDS_HOLD',
    'HOLD_EXPIRED',
    'HOLD_CLOSED',
    'SPEND_LIMIT_EXCEEDED'
);

CREATE FUNCTION admin.chain_audit_backlog(most integer) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
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

CREATE TABLE admin.audit (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor text NOT NULL,
    actor_id bigint,
    address text,
    action text NOT NULL,
    subject text,
    before jsonb,
    after jsonb
);

COMMENT ON COLUMN admin.audit.actor IS 'The e-mail at that time, or the command line.';

CREATE FUNCTION admin.chain_entry(entry admin.audit) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
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

CREATE FUNCTION admin.chain_new_entry() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
begin
  perform pg_advisory_xact_lock(7241865325823967);
  if not exists (select from admin.audit_backlog where after_id < new.id) then
    perform admin.chain_entry(new);
  end if;
  return null;
end
$$;

CREATE FUNCTION admin.hash_entry(previous bytea, seq bigint, entry admin.audit) RETURNS bytea
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog'
    AS $$
  select sha256(previous || convert_to(string_agg(
    coalesce(octet_length(convert_to(field, 'UTF8')) || ':' || field, '-'), ',' order by place
  ), 'UTF8'))
  from unnest(array[
    '1', seq::text, entry.id::text, (extract(epoch from entry.at) * 1000000)::bigint::text, entry.actor,
    entry.actor_id::text, entry.address, entry.action, entry.subject, entry.before::text, entry.after::text
  ]) with ordinality as fields(field, place)
$$;

CREATE FUNCTION directory.count_client_app_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
begin
  update directory.client_app_version set version = version + 1;
  return null;
end
$$;

CREATE FUNCTION directory.end_customer() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
  update directory.customers set ended_at = now() where service_user_id = old.service_user_id;
  return null;
end
$$;

CREATE FUNCTION directory.mark_topup() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
  if tg_table_name = 'refunds' then
    update directory.topups set has_refund = true where id = new.topup_id and not has_refund;
  else
    update directory.topups set has_dispute = true where id = new.topup_id and not has_dispute;
  end if;
  return null;
end
$$;

CREATE FUNCTION events.add_app_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
  changes text[] := array(
    select setting from (values
      ('name', old.name is distinct from new.name),
      ('scopes', old.scopes is distinct from new.scopes),
      ('allowedOrigins', old.allowed_origins is distinct from new.allowed_origins),
      ('allowedIframeParents', old.allowed_iframe_parents is distinct from new.allowed_iframe_parents),
      ('accentColor', old.accent_color is distinct from new.accent_color),
      ('requiresLinkProof', old.requires_link_proof is distinct from new.requires_link_proof),
      ('onMismatch', old.on_mismatch is distinct from new.on_mismatch),
      ('getsBalanceEvents', (old.balance_events_since is null) is distinct from (new.balance_events_since is null)),
      ('contactEmails', old.contact_emails is distinct from new.contact_emails),
      ('isActive', old.is_active is distinct from new.is_active),
      ('isPaused', (old.paused_at is null) is distinct from (new.paused_at is null))
    ) as settings (setting, is_changed) where is_changed
  );
begin
  if cardinality(changes) > 0 then
    insert into events.outbox (client_app_id, type, data)
      values (new.id, 'client_app.changed', jsonb_build_object('changes', changes));
  end if;
  return null;
end
$$;

CREATE FUNCTION events.add_deliveries() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
  if not exists (
    select from events.webhooks w
    where w.client_app_id in (select client_app_id from added) and w.deleted_at is null and w.disabled_at is null
  ) then
    return null;
  end if;
  insert into events.deliveries (webhook_id, event_id, client_app_id, sequence, recorded_at, next_attempt_at)
    select w.id, a.id, a.client_app_id, a.sequence, a.recorded_at, now()
    from added a join events.webhooks w on w.client_app_id = a.client_app_id
    where w.deleted_at is null and w.disabled_at is null and (w.types is null or a.type = any (w.types));
  perform from events.webhooks w
    where w.client_app_id in (select client_app_id from added) and w.deleted_at is null and w.disabled_at is null
    order by w.id for update;
  -- One that fails rests between its attempts.
  update events.webhooks w
    set due_at = least(w.due_at, now() + case when w.failing_since is null then interval '0' else interval '5 seconds' end)
    where exists (
      select from added a
      where a.client_app_id = w.client_app_id and (w.types is null or a.type = any (w.types))
    ) and w.deleted_at is null and w.disabled_at is null;
  return null;
end
$$;

CREATE FUNCTION events.disable_webhooks() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
  ended uuid[];
begin
  -- In the order of their ids, as processes that record attempts lock them.
  select array_agg(w.id) into ended from (
    select id from events.webhooks
    where client_app_id = new.client_app_id and created_by_secret = new.id
      and deleted_at is null and disabled_at is null
    order by id for update
  ) as w;
  update events.webhooks set disabled_at = now(), disabled_reason = 'secret_ended' where id = any (ended);
  insert into events.outbox (client_app_id, type, data)
    select new.client_app_id, 'webhook.disabled',
      jsonb_build_object('webhookId', 'wh_' || replace(id::text, '-', ''), 'reason', 'secret_ended')
    from unnest(ended) as id order by id;
  return null;
end
$$;

CREATE FUNCTION events.drop_partitions() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '200ms'
    AS $_$
declare
  oldest_week date := (now() at time zone 'UTC')::date - 37;
  expired name;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(7241865325823968);
  for expired in
    select relname from pg_inherits join pg_class on oid = inhrelid
    where inhparent = 'events.events'::regclass and relname ~ '^events_[0-9]{4}_[0-9]{2}_[0-9]{2}$'
      and to_date(substr(relname, 8), 'YYYY_MM_DD') <= oldest_week
  loop
    execute format('drop table events.%I', expired);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$_$;

CREATE FUNCTION events.prepare_partitions() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '200ms'
    AS $$
declare
  week date := date_trunc('week', now() at time zone 'UTC');
  last_week date := week + 28;
  name text;
begin
  perform pg_advisory_xact_lock(7241865325823968);
  while week <= last_week loop
    name := 'events_' || to_char(week, 'YYYY_MM_DD');
    if to_regclass(format('events.%I', name)) is null then
      execute format(
        'create table events.%I partition of events.events for values from (%L) to (%L)',
        name, week || ' 00:00+00', (week + 7) || ' 00:00+00'
      );
    end if;
    week := week + 7;
  end loop;
end
$$;

CREATE FUNCTION events.report_expiry() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
  insert into events.outbox (client_app_id, type, data)
    select a.id, 'hold.expired', jsonb_strip_nulls(jsonb_build_object(
      'serviceUserId', 'su_' || replace(l.public_id::text, '-', ''),
      'referenceType', new.reference_type, 'referenceId', new.reference_id, 'amountMinor', old.remaining::text))
    from directory.client_apps a
    left join directory.service_users u on u.wallet_id = new.wallet_id
    left join directory.links l on l.service_user_id = u.id and l.client_app_id = a.id and l.ended_at is null
    where a.account_id = new.account;
  return null;
end
$$;

CREATE FUNCTION ledger.backfill_outcomes(most integer) RETURNS TABLE(filled bigint, lost bigint, progress double precision, wait_ms double precision)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
declare
  began_at timestamptz := clock_timestamp();
  state ledger.outcome_backfill;
  digests uuid[];
  unfilled uuid[];
begin
  select * into state from ledger.outcome_backfill for update skip locked;
  if not found then
    return query select 0::bigint, 0::bigint, null::double precision, 1000::double precision;
    return;
  end if;
  filled := 0;
  lost := 0;
  -- A time in the distant future comes from a clock that was set back.
  if state.finished_at is null and (state.next_at <= began_at or state.next_at > began_at + interval '1 minute') then
    select array_agg(k.digest order by k.digest), array_agg(k.digest) filter (where k.kind is null)
    into digests, unfilled
    from (
      select digest, kind from ledger.operation_keys
      where digest > state.after_digest order by digest limit most
    ) k;
    if unfilled is not null then
      filled := ledger.fill_outcomes(unfilled);
      lost := cardinality(unfilled) - filled;
    end if;
    state.after_digest := coalesce(digests[cardinality(digests)], state.after_digest);
    state.next_at := clock_timestamp() + 4 * (clock_timestamp() - began_at);
    if coalesce(cardinality(digests), 0) < most then
      state.finished_at := clock_timestamp();
    end if;
    update ledger.outcome_backfill
    set after_digest = state.after_digest, next_at = state.next_at, finished_at = state.finished_at;
  end if;
  progress := case when state.finished_at is null
    then ('x' || left(state.after_digest::text, 8))::bit(32)::bigint / 4294967296.0 else 1 end;
  wait_ms := extract(epoch from state.next_at - clock_timestamp()) * 1000;
  return next;
end
$$;

CREATE FUNCTION ledger.erase_texts(wallet bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
begin
  if not exists (select from ledger.wallets where id = wallet and closed_at is not null) then
    raise exception 'Wallet % is not closed, so its texts are not erased.', wallet;
  end if;
  perform pg_advisory_xact_lock_shared(7241865325823970);
  delete from ledger.metadata where wallet_id = wallet;
  delete from ledger.spend_limits where wallet_id = wallet;
  update ledger.wallets set has_spend_limits = false where id = wallet and has_spend_limits;
  update ledger.operations set description = null where wallet_id = wallet and description is not null;
end
$$;

COMMENT ON FUNCTION ledger.erase_texts(wallet bigint) IS 'Clears the descriptions, the metadata and the spending limits of a closed wallet.';

CREATE FUNCTION ledger.fill_new_outcome() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
begin
  perform ledger.fill_outcomes(array[new.digest]);
  return null;
end
$$;

CREATE FUNCTION ledger.fill_outcomes(digests uuid[]) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
declare
  filled bigint;
begin
  update ledger.operation_keys k
  set kind = o.kind, amount = abs(o.amount - coalesce(o.debt_change, 0)), balance_after = o.balance_after
  from ledger.operations o
  where k.digest = any(digests) and k.kind is null
    and o.wallet_id = k.wallet_id and o.seq = k.seq and o.created_at = k.decided_at;
  get diagnostics filled = row_count;
  return filled;
end
$$;

CREATE FUNCTION ledger.prepare_partition(month date) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '200ms'
    AS $$
declare
  this_month date := date_trunc('month', now() at time zone 'UTC');
  name text := 'operations_' || to_char(month, 'YYYY_MM');
begin
  if month <> date_trunc('month', month::timestamp) or month not between this_month and this_month + interval '1 year' then
    raise exception '% is not the first day of this month or of one of the next twelve', month;
  end if;
  perform pg_advisory_xact_lock(7241865325823965);
  if not exists (
    select from pg_inherits
    where inhparent = 'ledger.operations'::regclass and inhrelid = to_regclass('ledger.' || name)
  ) then
    execute format(
      'create table ledger.%I partition of ledger.operations for values from (%L) to (%L)',
      name, month || ' 00:00+00', (month + interval '1 month')::date || ' 00:00+00'
    );
  end if;
end
$$;

CREATE FUNCTION ledger.prepare_partitions() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '200ms'
    AS $$
declare
  first_day date;
begin
  perform pg_advisory_xact_lock(7241865325823965);
  for ahead in 0..3 loop
    first_day := date_trunc('month', now() at time zone 'UTC')::date + make_interval(months => ahead);
    if to_regclass('ledger.operations_' || to_char(first_day, 'YYYY_MM')) is null then
      execute format(
        'create table ledger.operations_%s partition of ledger.operations for values from (%L) to (%L)',
        to_char(first_day, 'YYYY_MM'), first_day || ' 00:00+00', (first_day + interval '1 month')::date || ' 00:00+00'
      );
    end if;
  end loop;
end
$$;

CREATE FUNCTION ledger.prune_mismatches(most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
declare
  pruned integer;
begin
  delete from ledger.mismatches where id = any(array(select id from ledger.mismatches order by id limit most))
    and attempted_at < now() - interval '90 days';
  get diagnostics pruned = row_count;
  return pruned;
end
$$;

CREATE FUNCTION ledger.require_standby() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
declare
  names text := current_setting('synchronous_standby_names');
begin
  if current_setting('synchronous_commit') in ('off', 'local') then
    raise exception using errcode = 'CF001', message = 'synchronous_commit does not wait for a standby';
  end if;
  -- Anybody who streams the log satisfies a star, a backup too.
  if names = '' or names like '%*%' then
    raise exception using errcode = 'CF001', message = 'synchronous_standby_names names no standby';
  end if;
  if not exists (
    select from pg_stat_replication where sync_state in ('sync', 'quorum') and state = 'streaming'
  ) then
    raise exception using errcode = 'CF001', message = 'no synchronous standby is attached',
      hint = 'Or the owner of this function may not see it: grant pg_read_all_stats to it.';
  end if;
end
$$;

CREATE FUNCTION ledger.summarize_operations() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '100ms'
    AS $$
declare
  part record;
  first_block bigint;
  month date := date_trunc('month', now() at time zone 'UTC');
begin
  for part in
    select x.indexrelid::regclass as index, x.indrelid::regclass as heap
    from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
    where i.inhparent = 'ledger.operations_by_time'::regclass and x.indrelid in (
      to_regclass('ledger.operations_default'),
      to_regclass('ledger.operations_' || to_char(month - interval '1 month', 'YYYY_MM')),
      to_regclass('ledger.operations_' || to_char(month, 'YYYY_MM'))
    )
  loop
    first_block := (pg_relation_size(part.heap) / current_setting('block_size')::bigint / 128 - 3) * 128;
    while first_block >= 0 loop
      exit when brin_summarize_range(part.index, first_block) = 0;
      first_block := first_block - 128;
    end loop;
  end loop;
exception when lock_not_available then
  null;
end
$$;

CREATE TABLE admin.audit_backlog (
    only_row boolean DEFAULT true NOT NULL,
    after_id bigint,
    CONSTRAINT audit_backlog_only_row_check CHECK (only_row)
);

COMMENT ON COLUMN admin.audit_backlog.after_id IS 'Later entries are added by admin.chain_audit_backlog; null: all entries are in the chain.';

CREATE TABLE admin.audit_chain (
    seq bigint NOT NULL,
    audit_id bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_chain_hash_check CHECK ((octet_length(hash) = 32))
);

COMMENT ON COLUMN admin.audit_chain.seq IS '1, 2, 3, …, in the order in which the entries were committed.';

COMMENT ON COLUMN admin.audit_chain.hash IS 'SHA-256 of the hash before it (32 zero bytes at first) and the entry.';

ALTER TABLE admin.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME admin.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE admin.audit_tasks (
    task text NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    hash bytea,
    held_by uuid,
    held_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT audit_tasks_task_check CHECK ((task = ANY (ARRAY['stream'::text, 'verify'::text])))
);

COMMENT ON COLUMN admin.audit_tasks.seq IS 'The last entry that is in AUDIT_LOG_FILE, or at which a verification without a fault ended.';

COMMENT ON COLUMN admin.audit_tasks.hash IS 'The hash of that entry; null: there is none yet.';

CREATE TABLE admin.debit_alerts (
    client_app_id bigint NOT NULL,
    hour timestamp with time zone NOT NULL,
    amount bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON COLUMN admin.debit_alerts.amount IS 'The debits of that hour when the alert was recorded, in minor units.';

CREATE TABLE admin.grants (
    id uuid NOT NULL,
    service_user_id bigint,
    wallet_id bigint,
    kind text NOT NULL,
    amount bigint,
    reason text NOT NULL,
    needs_second boolean NOT NULL,
    status text NOT NULL,
    proposed_by bigint NOT NULL,
    proposed_at timestamp with time zone DEFAULT now() NOT NULL,
    second_operator bigint,
    decided_at timestamp with time zone,
    declined_because text,
    refusal text,
    client_app_id bigint,
    credit_limit bigint,
    change jsonb,
    used_at timestamp with time zone,
    hold uuid,
    CONSTRAINT grants_amount_check CHECK ((amount > 0)),
    CONSTRAINT grants_check CHECK ((second_operator <> proposed_by)),
    CONSTRAINT grants_check1 CHECK (((NOT needs_second) OR (second_operator IS NOT NULL) OR (status = ANY (ARRAY['open'::text, 'withdrawn'::text])))),
    CONSTRAINT grants_check2 CHECK ((needs_second OR ((second_operator IS NULL) AND (status = ANY (ARRAY['approved'::text, 'posted'::text, 'refused'::text]))))),
    CONSTRAINT grants_check3 CHECK (((second_operator IS NULL) OR (status <> ALL (ARRAY['open'::text, 'withdrawn'::text])))),
    CONSTRAINT grants_check4 CHECK (((status = 'open'::text) = (decided_at IS NULL))),
    CONSTRAINT grants_check5 CHECK (((status = ANY (ARRAY['rejected'::text, 'withdrawn'::text])) = (declined_because IS NOT NULL))),
    CONSTRAINT grants_check6 CHECK (((status = 'refused'::text) = (refusal IS NOT NULL))),
    CONSTRAINT grants_declined_because_check CHECK (((char_length(declined_because) >= 3) AND (char_length(declined_because) <= 500))),
    CONSTRAINT grants_reason_check CHECK (((char_length(reason) >= 3) AND (char_length(reason) <= 500))),
    CONSTRAINT grants_status_check CHECK ((status = ANY (ARRAY['open'::text, 'approved'::text, 'posted'::text, 'refused'::text, 'rejected'::text, 'withdrawn'::text])))
);

COMMENT ON COLUMN admin.grants.amount IS 'Of a credit limit: by how much it is raised; null: it becomes unlimited.';

COMMENT ON COLUMN admin.grants.needs_second IS 'Whether it was above what the operator and those related may give in 24 hours without a second one.';

COMMENT ON COLUMN admin.grants.status IS 'approved: decided, and the ledger has not answered yet; refused: by the ledger.';

COMMENT ON COLUMN admin.grants.second_operator IS 'Who approved or rejected it.';

COMMENT ON COLUMN admin.grants.credit_limit IS 'What the limit of the client app becomes, in minor units; null: unlimited, or not a credit limit.';

COMMENT ON COLUMN admin.grants.change IS 'What changes in the client app; null: not a change of a client app.';

COMMENT ON COLUMN admin.grants.used_at IS 'Of an approved rotation or URL of a webhook: when its proposer rotated the secret, or created or changed the webhook.';

COMMENT ON COLUMN admin.grants.hold IS 'The digest of the hold that is released; null: not a release.';

CREATE TABLE admin.log_ins (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    token_hash bytea NOT NULL,
    operator_id bigint NOT NULL,
    address text NOT NULL,
    device text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT log_ins_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

COMMENT ON COLUMN admin.log_ins.confirmed_at IS 'When password and code were last given.';

CREATE TABLE admin.operator_resets (
    operator_id bigint NOT NULL,
    reset_by bigint NOT NULL,
    first_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT operator_resets_check CHECK ((operator_id <> reset_by))
);

CREATE TABLE admin.operators (
    id bigint NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    password_hash text NOT NULL,
    totp_seed bytea,
    totp_key_id text,
    totp_step bigint DEFAULT 0 NOT NULL,
    recovery_hmacs bytea[] DEFAULT '{}'::bytea[] NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_by bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp with time zone,
    recovery_key_id text,
    password_changed_at timestamp with time zone,
    CONSTRAINT operators_check CHECK (((totp_seed IS NULL) = (totp_key_id IS NULL))),
    CONSTRAINT operators_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'operator'::text, 'viewer'::text])))
);

COMMENT ON COLUMN admin.operators.totp_seed IS 'AES-256-GCM with a key that is not in the database; null: no authenticator is set up yet.';

COMMENT ON COLUMN admin.operators.totp_step IS 'Of the last code that was accepted; only later ones are accepted after it.';

COMMENT ON COLUMN admin.operators.recovery_hmacs IS 'HMAC-SHA-256 with the same key; a code that was used is removed.';

COMMENT ON COLUMN admin.operators.recovery_key_id IS 'The key of recovery_hmacs, if it is not totp_key_id: a seed can be sealed anew, a hash cannot.';

COMMENT ON COLUMN admin.operators.password_changed_at IS 'When the operator last chose a password; null: it is still the first one.';

ALTER TABLE admin.operators ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME admin.operators_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE admin.passkey_challenges (
    challenge_hash bytea NOT NULL,
    purpose text NOT NULL,
    log_in_id uuid,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT passkey_challenges_challenge_hash_check CHECK ((octet_length(challenge_hash) = 32)),
    CONSTRAINT passkey_challenges_check CHECK (((purpose = 'log_in'::text) = (log_in_id IS NULL))),
    CONSTRAINT passkey_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['log_in'::text, 'confirm'::text, 'add'::text])))
);

CREATE TABLE admin.passkeys (
    id bigint NOT NULL,
    operator_id bigint NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT passkeys_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023)))
);

COMMENT ON COLUMN admin.passkeys.public_key IS 'In the form of COSE.';

COMMENT ON COLUMN admin.passkeys.sign_count IS 'Of the last signature. It only grows, or is always 0; otherwise there is a second copy of the private key.';

ALTER TABLE admin.passkeys ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME admin.passkeys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE admin.secret_uses (
    secret_id bigint NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE admin.seen (
    client_app_id bigint NOT NULL,
    kind text NOT NULL,
    value text NOT NULL,
    times bigint NOT NULL,
    last_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT seen_kind_check CHECK ((kind = ANY (ARRAY['origin'::text, 'error'::text])))
);

CREATE TABLE admin.tickets (
    ticket_hash bytea NOT NULL,
    operator_id bigint NOT NULL,
    totp_seed bytea,
    totp_key_id text,
    tries bigint DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT tickets_check CHECK (((totp_seed IS NULL) = (totp_key_id IS NULL))),
    CONSTRAINT tickets_ticket_hash_check CHECK ((octet_length(ticket_hash) = 32))
);

CREATE TABLE admin.traffic (
    hour timestamp with time zone NOT NULL,
    kind text NOT NULL,
    value text NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT traffic_kind_check CHECK ((kind = ANY (ARRAY['status'::text, 'code'::text, 'latency'::text])))
)
WITH (fillfactor='70');

COMMENT ON COLUMN admin.traffic.value IS 'Of latency: n stands for answers that took up to 2 ^ (n / 3) ms.';

CREATE TABLE books.days (
    day date NOT NULL,
    account bigint NOT NULL,
    kind ledger.kind NOT NULL,
    count bigint NOT NULL,
    amount bigint NOT NULL,
    debt_change bigint NOT NULL,
    held_change bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='70');

COMMENT ON COLUMN books.days.day IS 'Of UTC.';

CREATE TABLE books.hours (
    hour timestamp with time zone NOT NULL,
    account bigint NOT NULL,
    kind ledger.kind NOT NULL,
    count bigint NOT NULL,
    amount bigint NOT NULL,
    debt_change bigint NOT NULL,
    held_change bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='70');

COMMENT ON COLUMN books.hours.amount IS 'As in ledger.operations: the account changes by debt_change - amount - held_change.';

CREATE TABLE books.progress (
    only_row boolean DEFAULT true NOT NULL,
    rolled_up_to timestamp with time zone NOT NULL,
    mark_at timestamp with time zone NOT NULL,
    mark_xid xid8 NOT NULL,
    next_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT progress_only_row_check CHECK (only_row)
);

COMMENT ON COLUMN books.progress.rolled_up_to IS 'Every operation before it is in the sums, and none from it on.';

CREATE TABLE books.proof (
    only_row boolean DEFAULT true NOT NULL,
    balanced_at timestamp with time zone,
    balanced_operations bigint,
    proved_at timestamp with time zone,
    proved_operations bigint,
    fault text,
    fault_at timestamp with time zone,
    round_began_at timestamp with time zone,
    round_operations bigint DEFAULT 0 NOT NULL,
    round_fault text,
    place jsonb,
    held_by uuid,
    held_until timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT proof_check CHECK (((fault IS NULL) = (fault_at IS NULL))),
    CONSTRAINT proof_check1 CHECK (((place IS NULL) OR (round_began_at IS NOT NULL))),
    CONSTRAINT proof_only_row_check CHECK (only_row)
);

COMMENT ON COLUMN books.proof.balanced_at IS 'When wallets, accounts and operations last added up.';

COMMENT ON COLUMN books.proof.proved_at IS 'When the last walk through everything that found no fault began.';

COMMENT ON COLUMN books.proof.fault IS 'The first bad row that was found, until a whole walk finds none.';

COMMENT ON COLUMN books.proof.place IS 'Where the walk goes on; null: it is not under way.';

COMMENT ON COLUMN books.proof.held_by IS 'The process whose turn it is, until held_until.';

CREATE TABLE books.tail (
    only_row boolean DEFAULT true NOT NULL,
    read_to timestamp with time zone NOT NULL,
    CONSTRAINT tail_only_row_check CHECK (only_row)
);

COMMENT ON TABLE books.tail IS 'How far the reader of new operations is. It changes in the transaction of what the reader causes.';

COMMENT ON COLUMN books.tail.read_to IS 'Every operation before it was read, and none from it on.';

CREATE TABLE books.totals (
    account bigint NOT NULL,
    kind ledger.kind NOT NULL,
    count bigint NOT NULL,
    amount bigint NOT NULL,
    debt_change bigint NOT NULL,
    held_change bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE directory.alert_emails (
    service_user_id bigint NOT NULL,
    kind text NOT NULL,
    seq bigint NOT NULL,
    operation_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE directory.alert_emails IS 'Operations about which an email is due. Their texts and amounts are read when it is sent.';

COMMENT ON COLUMN directory.alert_emails.seq IS 'The number of the operation in the wallet.';

COMMENT ON COLUMN directory.alert_emails.operation_at IS 'The time of the operation, which finds its partition.';

CREATE TABLE directory.alerts (
    service_user_id bigint NOT NULL,
    kind text NOT NULL,
    wallet_id bigint NOT NULL,
    threshold bigint NOT NULL,
    since timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    after_seq bigint NOT NULL,
    is_low boolean DEFAULT false NOT NULL,
    next_email_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT alerts_kind_check CHECK ((kind = ANY (ARRAY['payment'::text, 'balance'::text]))),
    CONSTRAINT alerts_threshold_check CHECK ((threshold > 0))
);

COMMENT ON TABLE directory.alerts IS 'About what a person wants an email. payment: a payment of at least the threshold. balance: the balance falls below it.';

COMMENT ON COLUMN directory.alerts.since IS 'When the threshold was set.';

COMMENT ON COLUMN directory.alerts.after_seq IS 'The number of the last operation of the wallet when the threshold was set. Only later ones count.';

COMMENT ON COLUMN directory.alerts.is_low IS 'Of kind balance: it was below the threshold after the last operation that was read.';

COMMENT ON COLUMN directory.alerts.next_email_at IS 'No email of this kind is sent earlier. The process that sends one sets it first, so that no other process does.';

CREATE TABLE directory.automatic_topups (
    service_user_id bigint NOT NULL,
    threshold bigint NOT NULL,
    amount bigint NOT NULL,
    month_max bigint NOT NULL,
    time_zone text NOT NULL,
    card_id text NOT NULL,
    card_name text NOT NULL,
    consent text NOT NULL,
    consented_at timestamp with time zone DEFAULT now() NOT NULL,
    next_try_at timestamp with time zone DEFAULT now() NOT NULL,
    failures bigint DEFAULT 0 NOT NULL,
    paused_for text,
    terms_id uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT automatic_topups_amount_check CHECK ((amount > 0)),
    CONSTRAINT automatic_topups_check CHECK ((month_max >= amount)),
    CONSTRAINT automatic_topups_paused_for_check CHECK ((paused_for = ANY (ARRAY['authentication'::text, 'failures'::text, 'card'::text]))),
    CONSTRAINT automatic_topups_threshold_check CHECK ((threshold > 0))
);

COMMENT ON COLUMN directory.automatic_topups.threshold IS 'Money is added while the balance, with what is reserved, is below this.';

COMMENT ON COLUMN directory.automatic_topups.month_max IS 'The most per calendar month in the time zone. Open payments count.';

COMMENT ON COLUMN directory.automatic_topups.card_name IS 'What the person sees of the card: brand and last digits.';

COMMENT ON COLUMN directory.automatic_topups.consent IS 'The text that the person agreed to.';

COMMENT ON COLUMN directory.automatic_topups.next_try_at IS 'An hour after the last attempt.';

COMMENT ON COLUMN directory.automatic_topups.failures IS 'Since the last payment that succeeded.';

COMMENT ON COLUMN directory.automatic_topups.paused_for IS 'authentication: the bank asks for the card holder. failures: too many declines. card: it was removed. null: active.';

COMMENT ON COLUMN directory.automatic_topups.terms_id IS 'A new one whenever the person saves the terms.';

CREATE TABLE directory.client_app_version (
    only_row boolean DEFAULT true NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT client_app_version_only_row_check CHECK (only_row)
);

CREATE TABLE directory.client_apps (
    id bigint NOT NULL,
    client_id text NOT NULL,
    name text NOT NULL,
    account_id bigint NOT NULL,
    scopes text[] NOT NULL,
    allowed_origins text[] DEFAULT '{}'::text[] NOT NULL,
    allowed_iframe_parents text[] DEFAULT '{}'::text[] NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    accent_color text,
    paused_at timestamp with time zone,
    paused_by text,
    pause_reason text,
    requires_link_proof boolean DEFAULT false NOT NULL,
    contact_emails text[] DEFAULT '{}'::text[] NOT NULL,
    debit_alert_above bigint,
    pauses_on_debit_alert boolean DEFAULT false NOT NULL,
    on_mismatch text DEFAULT 'replay'::text NOT NULL,
    balance_events_since timestamp with time zone,
    CONSTRAINT client_apps_allowed_iframe_parents_check CHECK ((cardinality(allowed_iframe_parents) <= 50)),
    CONSTRAINT client_apps_allowed_origins_check CHECK ((cardinality(allowed_origins) <= 50)),
    CONSTRAINT client_apps_scopes_check CHECK ((scopes <@ ARRAY['wallet:read'::text, 'wallet:write'::text]))
);

COMMENT ON COLUMN directory.client_apps.account_id IS 'The settlement account in the ledger, which is also the namespace of the app''s references.';

COMMENT ON COLUMN directory.client_apps.accent_color IS 'Of buttons in the widget; null: ours.';

COMMENT ON COLUMN directory.client_apps.paused_at IS 'null: its writes go on.';

COMMENT ON COLUMN directory.client_apps.requires_link_proof IS 'Whether the exchange of a link code requires the verifier.';

COMMENT ON COLUMN directory.client_apps.debit_alert_above IS 'Debits in one hour, in minor units, above which there is an alert; null: never.';

COMMENT ON COLUMN directory.client_apps.pauses_on_debit_alert IS 'Whether an alert also pauses the writes of the app.';

COMMENT ON COLUMN directory.client_apps.on_mismatch IS 'What a repeat of a reference with other values gets: the outcome of the first request (replay) or 409 REFERENCE_MISMATCH (conflict).';

COMMENT ON COLUMN directory.client_apps.balance_events_since IS 'The app gets balance.changed for operations from then on. null: it gets none.';

ALTER TABLE directory.client_apps ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME directory.client_apps_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE directory.client_secrets (
    id bigint NOT NULL,
    client_app_id bigint NOT NULL,
    hmac bytea NOT NULL,
    pepper_id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    renewed_from text,
    restriction jsonb,
    CONSTRAINT client_secrets_hmac_check CHECK ((octet_length(hmac) = 32))
);

COMMENT ON COLUMN directory.client_secrets.expires_at IS 'The end of the overlap after a rotation; null: until rotated.';

COMMENT ON COLUMN directory.client_secrets.renewed_from IS 'The pepper that the hash was made with before. It is not returned to: while peppers rotate, processes disagree on which one is the newest.';

COMMENT ON COLUMN directory.client_secrets.restriction IS 'What the secret is limited to: { name, scopes, networks }. null: it can do everything that the client app can do.';

ALTER TABLE directory.client_secrets ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME directory.client_secrets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE directory.customers (
    service_user_id bigint NOT NULL,
    customer_id text NOT NULL,
    ended_at timestamp with time zone
);

COMMENT ON COLUMN directory.customers.customer_id IS 'The id of the customer at the processor.';

COMMENT ON COLUMN directory.customers.ended_at IS 'When the person was deleted. Then the customer is deleted at the processor, and after that the row.';

CREATE TABLE directory.deployment (
    only_row boolean DEFAULT true NOT NULL,
    transaction_id_key uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT deployment_only_row_check CHECK (only_row)
);

CREATE TABLE directory.disputes (
    id text NOT NULL,
    topup_id uuid NOT NULL,
    amount bigint NOT NULL,
    status text NOT NULL,
    reason text NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    respond_by timestamp with time zone,
    withdrawals text[] NOT NULL,
    reinstatements text[] NOT NULL,
    asked_at timestamp with time zone NOT NULL
);

COMMENT ON COLUMN directory.disputes.status IS 'In the processor''s words.';

COMMENT ON COLUMN directory.disputes.respond_by IS 'Until when evidence can be given; null: not at all.';

COMMENT ON COLUMN directory.disputes.asked_at IS 'When the processor was asked for all this; an answer to an earlier question changes nothing.';

CREATE TABLE directory.key_fingerprints (
    variable text NOT NULL,
    key_id text NOT NULL,
    fingerprint bytea NOT NULL,
    CONSTRAINT key_fingerprints_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
    CONSTRAINT key_fingerprints_variable_check CHECK ((variable = ANY (ARRAY['SECRET_PEPPERS'::text, 'ADMIN_KEYS'::text])))
);

CREATE TABLE directory.link_codes (
    code_hash bytea NOT NULL,
    link_public_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    challenge bytea,
    CONSTRAINT link_codes_code_hash_check CHECK ((octet_length(code_hash) = 32))
);

COMMENT ON COLUMN directory.link_codes.challenge IS 'SHA-256 of the verifier that the exchange must send; null: none was given at the login.';

CREATE TABLE directory.links (
    public_id uuid NOT NULL,
    client_app_id bigint NOT NULL,
    service_user_id bigint NOT NULL,
    wallet_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    agreed_at timestamp with time zone
);

COMMENT ON COLUMN directory.links.public_id IS 'serviceUserId on the wire: su_ and these 128 random bits in hex.';

COMMENT ON COLUMN directory.links.agreed_at IS 'When the person agreed again; null: when the link was created.';

CREATE TABLE directory.log_in_failures (
    email_hash bytea NOT NULL,
    failures bigint NOT NULL,
    blocked_until timestamp with time zone NOT NULL,
    CONSTRAINT log_in_failures_email_hash_check CHECK ((octet_length(email_hash) = 32))
);

CREATE TABLE directory.log_ins (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    token_hash bytea NOT NULL,
    service_user_id bigint NOT NULL,
    device text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT log_ins_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

CREATE TABLE directory.passkey_challenges (
    challenge_hash bytea NOT NULL,
    purpose text NOT NULL,
    log_in_id uuid,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT passkey_challenges_challenge_hash_check CHECK ((octet_length(challenge_hash) = 32)),
    CONSTRAINT passkey_challenges_check CHECK (((purpose = 'add'::text) = (log_in_id IS NOT NULL))),
    CONSTRAINT passkey_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['log_in'::text, 'widget'::text, 'add'::text])))
);

CREATE TABLE directory.passkeys (
    id bigint NOT NULL,
    service_user_id bigint NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    copied_at timestamp with time zone,
    CONSTRAINT passkeys_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023)))
);

COMMENT ON COLUMN directory.passkeys.public_key IS 'In the form of COSE.';

COMMENT ON COLUMN directory.passkeys.sign_count IS 'Of the last signature. It only grows, or is always 0; otherwise there is a second copy of the private key.';

COMMENT ON COLUMN directory.passkeys.copied_at IS 'When a signature with an old count was last refused: then somebody has a copy of the private key.';

ALTER TABLE directory.passkeys ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME directory.passkeys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE directory.people (
    service_user_id bigint NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    email text NOT NULL,
    password_hash text,
    email_verified_at timestamp with time zone,
    password_changed_at timestamp with time zone,
    wants_receipts boolean DEFAULT true NOT NULL,
    language text
);

COMMENT ON COLUMN directory.people.password_changed_at IS 'null: not since the account was created, or by a version before this column.';

COMMENT ON COLUMN directory.people.wants_receipts IS 'Whether the person gets an email for every top-up. Emails about the security of the account are always sent.';

COMMENT ON COLUMN directory.people.language IS 'Of the pages at /account and of emails; null: that of the browser.';

CREATE TABLE directory.processor_events (
    id text NOT NULL,
    type text NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    processed_at timestamp with time zone,
    counted_at timestamp with time zone
);

CREATE TABLE directory.processor_fees (
    id text NOT NULL,
    source text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    booked_at timestamp with time zone DEFAULT now() NOT NULL,
    topup_id uuid
);

COMMENT ON COLUMN directory.processor_fees.currency IS 'The one that the processor settles in; the amount is in its units.';

CREATE UNLOGGED TABLE directory.rate_limits (
    key_hash bytea NOT NULL,
    tokens double precision NOT NULL,
    leased double precision NOT NULL,
    refilled_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT rate_limits_key_hash_check CHECK ((octet_length(key_hash) = 32))
);

COMMENT ON COLUMN directory.rate_limits.key_hash IS 'HMAC-SHA-256 of the limit and its key, which can be a network address.';

COMMENT ON COLUMN directory.rate_limits.leased IS 'What the last process got.';

CREATE TABLE directory.refunds (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    topup_id uuid NOT NULL,
    amount bigint NOT NULL,
    status text DEFAULT 'reserved'::text NOT NULL,
    stripe_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    is_foreign boolean DEFAULT false NOT NULL,
    reason text,
    checks bigint DEFAULT 0 NOT NULL,
    next_check_at timestamp with time zone DEFAULT (now() + '00:00:30'::interval) NOT NULL,
    CONSTRAINT refunds_amount_check CHECK ((amount > 0)),
    CONSTRAINT refunds_status_check CHECK ((status = ANY (ARRAY['reserved'::text, 'refused'::text, 'sent'::text, 'released'::text])))
);

COMMENT ON COLUMN directory.refunds.reason IS 'In the words of the operator; null: it was not asked for in the operators'' area.';

CREATE TABLE directory.service_users (
    id bigint NOT NULL,
    wallet_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE directory.service_users ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME directory.service_users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE directory.tickets (
    ticket_hash bytea NOT NULL,
    purpose text NOT NULL,
    client_app_id bigint,
    service_user_id bigint,
    first_name text,
    last_name text,
    email text,
    password_hash text,
    code_hash bytea,
    tries bigint DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    link_challenge bytea,
    CONSTRAINT tickets_code_hash_check CHECK ((octet_length(code_hash) = 32)),
    CONSTRAINT tickets_ticket_hash_check CHECK ((octet_length(ticket_hash) = 32))
);

COMMENT ON COLUMN directory.tickets.password_hash IS 'Sign-up: of the new account. Otherwise the one that the person logged in with: the ticket is worth nothing after it changes.';

COMMENT ON COLUMN directory.tickets.code_hash IS 'null: no code was sent, so none is right.';

CREATE TABLE directory.topups (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    service_user_id bigint NOT NULL,
    wallet_id bigint NOT NULL,
    client_app_id bigint,
    amount bigint NOT NULL,
    intent_id text,
    status text DEFAULT 'open'::text NOT NULL,
    checks bigint DEFAULT 0 NOT NULL,
    next_check_at timestamp with time zone DEFAULT (now() + '00:00:10'::interval) NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    settled_at timestamp with time zone,
    settled_by text,
    has_refund boolean DEFAULT false NOT NULL,
    has_dispute boolean DEFAULT false NOT NULL,
    failures bigint DEFAULT 0 NOT NULL,
    failed_at timestamp with time zone,
    customer_id text,
    card_id text,
    is_automatic boolean DEFAULT false NOT NULL,
    terms_id uuid,
    CONSTRAINT topups_amount_check CHECK ((amount > 0)),
    CONSTRAINT topups_status_check CHECK ((status = ANY (ARRAY['open'::text, 'credited'::text, 'ended'::text])))
);

COMMENT ON COLUMN directory.topups.client_app_id IS 'The client app in whose widget the top-up was started; null: at /account.';

COMMENT ON COLUMN directory.topups.intent_id IS 'null until the processor has answered.';

COMMENT ON COLUMN directory.topups.status IS 'ended: cancelled at the processor, so it cannot be paid any more.';

COMMENT ON COLUMN directory.topups.settled_by IS 'Who brought the news that it was paid: page, webhook, sweeper or command; null: nobody noted it.';

COMMENT ON COLUMN directory.topups.failures IS 'Declined cards and failed 3-D Secure checks. Each event of the processor counts once.';

COMMENT ON COLUMN directory.topups.failed_at IS 'When the service was notified of the last one.';

COMMENT ON COLUMN directory.topups.customer_id IS 'Whose saved cards are involved; null: no saved card.';

COMMENT ON COLUMN directory.topups.card_id IS 'The saved card that pays; null: the person enters one, and it is saved if there is a customer.';

COMMENT ON COLUMN directory.topups.is_automatic IS 'The service charges the saved card by itself.';

COMMENT ON COLUMN directory.topups.terms_id IS 'The terms of an automatic top-up. It is only charged while they are the current ones.';

CREATE TABLE directory.turns (
    name text NOT NULL,
    next_at timestamp with time zone NOT NULL,
    done_at timestamp with time zone
);

COMMENT ON COLUMN directory.turns.done_at IS 'When it was last done to the end.';

CREATE TABLE directory.undo_links (
    ticket_hash bytea NOT NULL,
    service_user_id bigint NOT NULL,
    email text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT undo_links_ticket_hash_check CHECK ((octet_length(ticket_hash) = 32))
);

COMMENT ON COLUMN directory.undo_links.email IS 'The address that the link restores.';

CREATE TABLE directory.warning_links (
    ticket_hash bytea NOT NULL,
    service_user_id bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT warning_links_ticket_hash_check CHECK ((octet_length(ticket_hash) = 32))
);

CREATE TABLE directory.widget_sessions (
    token_hash bytea NOT NULL,
    link_public_id uuid NOT NULL,
    parent_origin text,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT widget_sessions_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

CREATE TABLE events.changed_balances (
    link_id uuid NOT NULL,
    due_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE events.changed_balances IS 'Links whose app gets balance.changed when it is due. Further changes until then belong to the same event.';

COMMENT ON COLUMN events.changed_balances.link_id IS 'public_id of directory.links.';

CREATE TABLE events.deliveries (
    webhook_id uuid NOT NULL,
    event_id uuid NOT NULL,
    client_app_id bigint NOT NULL,
    sequence bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    next_attempt_at timestamp with time zone,
    delivered_at timestamp with time zone,
    failures bigint DEFAULT 0 NOT NULL,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL
);

COMMENT ON TABLE events.deliveries IS 'An event that a webhook gets. It waits while next_attempt_at is set; without delivered_at it then has failed.';

COMMENT ON COLUMN events.deliveries.recorded_at IS 'The key of the event, together with client_app_id and sequence.';

COMMENT ON COLUMN events.deliveries.failures IS 'How many attempts failed since it was queued.';

COMMENT ON COLUMN events.deliveries.attempts IS 'The last attempts: { at, status, error, durationMs, response }.';

CREATE TABLE events.events (
    client_app_id bigint NOT NULL,
    sequence bigint NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT events_sequence_check CHECK ((sequence > 0))
)
PARTITION BY RANGE (recorded_at);

COMMENT ON COLUMN events.events.recorded_at IS 'When the event got its number.';

COMMENT ON COLUMN events.events.created_at IS 'When the event happened.';

CREATE TABLE events.feeds (
    client_app_id bigint NOT NULL,
    last_sequence bigint NOT NULL,
    last_id uuid NOT NULL,
    CONSTRAINT feeds_last_sequence_check CHECK ((last_sequence > 0))
);

COMMENT ON COLUMN events.feeds.last_sequence IS 'The number of the newest event of the client app; the first one is 1.';

COMMENT ON COLUMN events.feeds.last_id IS 'The id of that event.';

CREATE TABLE events.outbox (
    "position" bigint NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    client_app_id bigint NOT NULL,
    type text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE events.outbox IS 'Events that have no number yet. A row that is committed late is moved late, so position does not number events.';

COMMENT ON COLUMN events.outbox.id IS 'The id of the event.';

ALTER TABLE events.outbox ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME events.outbox_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE events.webhooks (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    client_app_id bigint NOT NULL,
    url text NOT NULL,
    types text[],
    description text NOT NULL,
    sealed_secret bytea NOT NULL,
    key_id text NOT NULL,
    sealed_previous bytea,
    previous_key_id text,
    previous_until timestamp with time zone,
    created_by_secret bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    disabled_at timestamp with time zone,
    disabled_reason text,
    deleted_at timestamp with time zone,
    failing_since timestamp with time zone,
    due_at timestamp with time zone,
    lease uuid,
    leased_until timestamp with time zone,
    CONSTRAINT webhooks_check CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
    CONSTRAINT webhooks_check1 CHECK (((sealed_previous IS NULL) = (previous_key_id IS NULL))),
    CONSTRAINT webhooks_check2 CHECK (((sealed_previous IS NULL) = (previous_until IS NULL))),
    CONSTRAINT webhooks_check3 CHECK (((lease IS NULL) = (leased_until IS NULL)))
);

COMMENT ON COLUMN events.webhooks.types IS 'Only events of these types. null: all.';

COMMENT ON COLUMN events.webhooks.sealed_secret IS 'What signs the requests, encrypted with the pepper key_id.';

COMMENT ON COLUMN events.webhooks.sealed_previous IS 'The secret before the last rotation. It also signs until previous_until.';

COMMENT ON COLUMN events.webhooks.created_by_secret IS 'The client secret that created or last changed it. null: an operator did.';

COMMENT ON COLUMN events.webhooks.failing_since IS 'The first failure after the last success. null: the last attempt succeeded.';

COMMENT ON COLUMN events.webhooks.due_at IS 'When the next delivery is due. null: none waits.';

COMMENT ON COLUMN events.webhooks.lease IS 'Who sends to it until leased_until.';

CREATE TABLE ledger.accounts (
    id bigint NOT NULL,
    name text NOT NULL,
    credit_limit bigint,
    balance bigint,
    CONSTRAINT accounts_check1 CHECK ((balance >= (- credit_limit))),
    CONSTRAINT accounts_credit_limit_check CHECK ((credit_limit >= 0))
);

COMMENT ON COLUMN ledger.accounts.credit_limit IS 'How far the balance may go below zero, in minor units; null: unlimited.';

COMMENT ON COLUMN ledger.accounts.balance IS 'Kept for the credit limit. Without a limit it is null, or incomplete while the account is getting one.';

ALTER TABLE ledger.accounts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME ledger.accounts_id_seq
    START WITH 1000
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE ledger.archived_heads (
    wallet_id bigint NOT NULL,
    month date NOT NULL,
    seq bigint NOT NULL,
    balance bigint NOT NULL,
    debt bigint NOT NULL,
    head_hash bytea NOT NULL,
    held bigint DEFAULT 0 NOT NULL,
    CONSTRAINT archived_heads_balance_check CHECK ((balance >= 0)),
    CONSTRAINT archived_heads_debt_check CHECK ((debt >= 0)),
    CONSTRAINT archived_heads_head_hash_check CHECK ((octet_length(head_hash) = 32)),
    CONSTRAINT archived_heads_seq_check CHECK ((seq > 0))
);

COMMENT ON TABLE ledger.archived_heads IS 'Where the chain of a wallet continues. Only rows of months in archived_months count: the others are of an archive that is being written or was restored.';

CREATE TABLE ledger.archived_months (
    month date NOT NULL,
    operations bigint NOT NULL,
    manifest_hash bytea NOT NULL,
    archived_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT archived_months_manifest_hash_check CHECK ((octet_length(manifest_hash) = 32)),
    CONSTRAINT archived_months_month_check CHECK ((month = date_trunc('month'::text, (month)::timestamp without time zone))),
    CONSTRAINT archived_months_operations_check CHECK ((operations >= 0))
);

COMMENT ON COLUMN ledger.archived_months.month IS 'The first day of the month, in UTC.';

COMMENT ON COLUMN ledger.archived_months.manifest_hash IS 'SHA-256 of the signed lines of the manifest.';

CREATE TABLE ledger.archived_sums (
    month date NOT NULL,
    account bigint NOT NULL,
    kind ledger.kind NOT NULL,
    count bigint NOT NULL,
    amount bigint NOT NULL,
    debt_change bigint NOT NULL,
    held_change bigint DEFAULT 0 NOT NULL
);

COMMENT ON TABLE ledger.archived_sums IS 'The sums of the archived operations, as in books.totals.';

CREATE TABLE ledger.chain (
    only_row boolean DEFAULT true NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT chain_only_row_check CHECK (only_row),
    CONSTRAINT chain_version_check CHECK ((version = ANY (ARRAY[(1)::bigint, (2)::bigint, (3)::bigint, (4)::bigint])))
);

COMMENT ON COLUMN ledger.chain.version IS 'What may be written. 2: refunds, whose hashes have version 2. 3: also holds. 4: also spending limits.';

CREATE TABLE ledger.clock (
    only_row boolean DEFAULT true NOT NULL,
    not_before timestamp with time zone NOT NULL,
    CONSTRAINT clock_only_row_check CHECK (only_row)
);

COMMENT ON TABLE ledger.clock IS 'Keeps the times of operations from going back when the clock of the server does.';

COMMENT ON COLUMN ledger.clock.not_before IS 'No batch that starts now gives its operations an earlier time.';

CREATE TABLE ledger.currency (
    only_row boolean DEFAULT true NOT NULL,
    code text NOT NULL,
    CONSTRAINT currency_code_check CHECK ((code ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT currency_only_row_check CHECK (only_row)
);

CREATE TABLE ledger.demo (
    only_row boolean DEFAULT true NOT NULL,
    is_demo boolean NOT NULL,
    CONSTRAINT demo_only_row_check CHECK (only_row)
);

CREATE TABLE ledger.hold_changes (
    hold uuid NOT NULL,
    remaining bigint NOT NULL,
    change uuid NOT NULL,
    wallet_id bigint NOT NULL,
    CONSTRAINT hold_changes_remaining_check CHECK ((remaining >= 0))
);

COMMENT ON TABLE ledger.hold_changes IS 'Rows are added under the lock of the wallet. The row with the lowest remaining is the last change of its hold.';

COMMENT ON COLUMN ledger.hold_changes.hold IS 'The digest of the hold.';

COMMENT ON COLUMN ledger.hold_changes.remaining IS 'How much of the hold is still held after this change.';

COMMENT ON COLUMN ledger.hold_changes.change IS 'The digest of the capture, release or expiry.';

CREATE TABLE ledger.holds (
    digest uuid NOT NULL,
    wallet_id bigint NOT NULL,
    account bigint NOT NULL,
    amount bigint NOT NULL,
    captured bigint NOT NULL,
    remaining bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    closed_by ledger.kind,
    reference_type text NOT NULL,
    reference_id text NOT NULL,
    suspended_at timestamp with time zone,
    CONSTRAINT holds_check CHECK (((captured >= 0) AND (remaining >= 0) AND (amount > 0) AND ((captured + remaining) <= amount))),
    CONSTRAINT holds_check1 CHECK (((remaining = 0) = (closed_by IS NOT NULL)))
);

COMMENT ON TABLE ledger.holds IS 'One row per hold. Rows are added and updated under the lock of the wallet.';

COMMENT ON COLUMN ledger.holds.digest IS 'The digest of the hold.';

COMMENT ON COLUMN ledger.holds.account IS 'The ledger account of the client app that holds the money.';

COMMENT ON COLUMN ledger.holds.captured IS 'How much was paid to the client app.';

COMMENT ON COLUMN ledger.holds.remaining IS 'How much is still held. wallets.held is the sum of the holds of the wallet.';

COMMENT ON COLUMN ledger.holds.closed_by IS 'What ended the hold: capture, release or expiry; null: it is open.';

COMMENT ON COLUMN ledger.holds.suspended_at IS 'Since when an operator must allow captures, because the person reported that somebody else used the account; null: captures need nobody.';

CREATE TABLE ledger.metadata (
    digest uuid NOT NULL,
    wallet_id bigint NOT NULL,
    data json NOT NULL
);

COMMENT ON TABLE ledger.metadata IS 'Keys and values that a client app stored with an operation, posted or refused. Only that app sees them.';

COMMENT ON COLUMN ledger.metadata.digest IS 'The digest of the operation.';

CREATE TABLE ledger.mismatches (
    id bigint NOT NULL,
    digest uuid NOT NULL,
    wallet_id bigint,
    kind ledger.kind NOT NULL,
    amount bigint NOT NULL,
    differs text[] NOT NULL,
    attempted_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ledger.mismatches ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ledger.mismatches_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE ledger.operation_keys (
    digest uuid NOT NULL,
    wallet_id bigint NOT NULL,
    seq bigint NOT NULL,
    decided_at timestamp with time zone NOT NULL,
    refusal ledger.refusal,
    kind ledger.kind,
    amount bigint,
    balance_after bigint,
    outcome_version smallint,
    target uuid,
    refundable bigint,
    held_after bigint,
    released bigint,
    expires_at timestamp with time zone,
    is_final boolean,
    is_amount_omitted boolean,
    is_balance_hidden boolean,
    CONSTRAINT operation_keys_amount_check CHECK ((amount > 0))
);

COMMENT ON COLUMN ledger.operation_keys.kind IS 'null: the key was written without its outcome, by a version before this column was used for posted operations.';

COMMENT ON COLUMN ledger.operation_keys.amount IS 'The amount that was requested; if none was, the amount that was moved.';

COMMENT ON COLUMN ledger.operation_keys.balance_after IS 'Posted: the balance right after the operation.';

COMMENT ON COLUMN ledger.operation_keys.outcome_version IS 'null stands for 1: kind, amount, refusal and balance_after are the whole outcome.';

COMMENT ON COLUMN ledger.operation_keys.target IS 'Version 2. The digest of the debit that is refunded, or of the hold that is captured or released.';

COMMENT ON COLUMN ledger.operation_keys.refundable IS 'Version 2. Refund: how much of the debit is left.';

COMMENT ON COLUMN ledger.operation_keys.held_after IS 'Version 2. Hold, capture, release, expiry: how much of the hold is still held.';

COMMENT ON COLUMN ledger.operation_keys.released IS 'Version 2. Capture, release, expiry: how much went back to the balance or paid debt.';

COMMENT ON COLUMN ledger.operation_keys.expires_at IS 'Version 2. Hold: also if it was refused, because it shows for how long it was requested.';

COMMENT ON COLUMN ledger.operation_keys.is_final IS 'Version 2. Capture: whether it ends the hold.';

COMMENT ON COLUMN ledger.operation_keys.is_amount_omitted IS 'Version 2. Whether the request had no amount; null stands for false.';

COMMENT ON COLUMN ledger.operation_keys.is_balance_hidden IS 'Version 2. Whether the response had no balance; null stands for false.';

CREATE TABLE ledger.operations (
    wallet_id bigint NOT NULL,
    seq bigint NOT NULL,
    amount bigint NOT NULL,
    balance_after bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    counter_account bigint NOT NULL,
    kind ledger.kind NOT NULL,
    debt_change bigint,
    debt_after bigint,
    reference_type text NOT NULL,
    reference_id text NOT NULL,
    description text,
    hash bytea NOT NULL,
    target uuid,
    held_change bigint,
    held_after bigint,
    CONSTRAINT operations_balance_after_check CHECK ((balance_after >= 0)),
    CONSTRAINT operations_debt_after_check CHECK ((debt_after >= 0)),
    CONSTRAINT operations_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT operations_seq_check CHECK ((seq > 0))
)
PARTITION BY RANGE (created_at);

COMMENT ON COLUMN ledger.operations.amount IS 'Signed change of the balance, in minor units. The counter account changes by debt_change - amount - held_change.';

COMMENT ON COLUMN ledger.operations.debt_change IS 'null stands for 0: most operations touch no debt.';

COMMENT ON COLUMN ledger.operations.target IS 'A refund: the digest of the debit or capture. A capture, release or expiry: the digest of the hold.';

COMMENT ON COLUMN ledger.operations.held_change IS 'Signed change of the held amount; null stands for 0.';

COMMENT ON COLUMN ledger.operations.held_after IS 'How much is held after it; null stands for 0.';

CREATE TABLE ledger.operations_default (
    wallet_id bigint NOT NULL,
    seq bigint NOT NULL,
    amount bigint NOT NULL,
    balance_after bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    counter_account bigint NOT NULL,
    kind ledger.kind NOT NULL,
    debt_change bigint,
    debt_after bigint,
    reference_type text NOT NULL,
    reference_id text NOT NULL,
    description text,
    hash bytea NOT NULL,
    target uuid,
    held_change bigint,
    held_after bigint,
    CONSTRAINT operations_balance_after_check CHECK ((balance_after >= 0)),
    CONSTRAINT operations_debt_after_check CHECK ((debt_after >= 0)),
    CONSTRAINT operations_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT operations_seq_check CHECK ((seq > 0))
);

CREATE TABLE ledger.outcome_backfill (
    only_row boolean DEFAULT true NOT NULL,
    after_digest uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    next_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT outcome_backfill_only_row_check CHECK (only_row)
);

CREATE TABLE ledger.pause (
    only_row boolean DEFAULT true NOT NULL,
    paused_at timestamp with time zone,
    paused_by text,
    reason text,
    CONSTRAINT pause_check CHECK ((((paused_at IS NULL) = (paused_by IS NULL)) AND ((paused_at IS NULL) = (reason IS NULL)))),
    CONSTRAINT pause_only_row_check CHECK (only_row)
);

COMMENT ON COLUMN ledger.pause.paused_at IS 'null: writes go on.';

CREATE TABLE ledger.refunds (
    debit uuid NOT NULL,
    refunded bigint NOT NULL,
    refund uuid NOT NULL,
    wallet_id bigint NOT NULL,
    debited bigint NOT NULL,
    CONSTRAINT refunds_check CHECK (((refunded > 0) AND (refunded <= debited)))
);

COMMENT ON TABLE ledger.refunds IS 'Rows are added under the lock of the wallet. The row with the highest refunded has the total of its debit.';

COMMENT ON COLUMN ledger.refunds.debit IS 'The digest of the debit.';

COMMENT ON COLUMN ledger.refunds.refunded IS 'How much of the debit is refunded, including this refund.';

COMMENT ON COLUMN ledger.refunds.refund IS 'The digest of the refund.';

COMMENT ON COLUMN ledger.refunds.debited IS 'The amount of the debit.';

CREATE TABLE ledger.spend_limits (
    wallet_id bigint NOT NULL,
    account bigint NOT NULL,
    single_max bigint,
    ends_at timestamp with time zone,
    time_zone text NOT NULL,
    day_max bigint,
    day_starts_at timestamp with time zone NOT NULL,
    day_ends_at timestamp with time zone NOT NULL,
    day_spent bigint NOT NULL,
    week_max bigint,
    week_starts_at timestamp with time zone NOT NULL,
    week_ends_at timestamp with time zone NOT NULL,
    week_spent bigint NOT NULL,
    month_max bigint,
    month_starts_at timestamp with time zone NOT NULL,
    month_ends_at timestamp with time zone NOT NULL,
    month_spent bigint NOT NULL,
    CONSTRAINT spend_limits_check CHECK (((single_max >= 0) AND (day_max >= 0) AND (week_max >= 0) AND (month_max >= 0))),
    CONSTRAINT spend_limits_check1 CHECK (((day_spent >= 0) AND (week_spent >= 0) AND (month_spent >= 0))),
    CONSTRAINT spend_limits_check2 CHECK (((day_starts_at < day_ends_at) AND (week_starts_at < week_ends_at) AND (month_starts_at < month_ends_at)))
);

COMMENT ON TABLE ledger.spend_limits IS 'One row per wallet and client app with a limit. Rows are added, updated and deleted under the lock of the wallet.';

COMMENT ON COLUMN ledger.spend_limits.account IS 'The ledger account of the client app.';

COMMENT ON COLUMN ledger.spend_limits.single_max IS 'The largest debit or hold; null: no limit.';

COMMENT ON COLUMN ledger.spend_limits.ends_at IS 'From then on, the app may take nothing; null: no end.';

COMMENT ON COLUMN ledger.spend_limits.time_zone IS 'Determines the bounds of the next periods. A period that has started keeps its bounds.';

COMMENT ON COLUMN ledger.spend_limits.day_max IS 'The most that the app may take in a day; null: no limit.';

COMMENT ON COLUMN ledger.spend_limits.day_spent IS 'Debits and holds of the period, minus what was refunded or released of them within it.';

CREATE TABLE ledger.wallets (
    id bigint NOT NULL,
    balance bigint DEFAULT 0 NOT NULL,
    debt bigint DEFAULT 0 NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    head_hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL,
    closed_at timestamp with time zone,
    held bigint DEFAULT 0 NOT NULL,
    next_expiry timestamp with time zone,
    has_spend_limits boolean DEFAULT false NOT NULL,
    CONSTRAINT wallets_balance_check CHECK (((balance >= 0) AND (balance <= '999999999999999'::bigint))),
    CONSTRAINT wallets_debt_check CHECK ((debt >= 0)),
    CONSTRAINT wallets_head_hash_check CHECK ((octet_length(head_hash) = 32)),
    CONSTRAINT wallets_seq_check CHECK ((seq >= 0))
)
WITH (fillfactor='50');

COMMENT ON COLUMN ledger.wallets.closed_at IS 'When the wallet was closed for good, because its owner was deleted. Only an empty wallet is closed.';

COMMENT ON COLUMN ledger.wallets.held IS 'What client apps hold; it is not part of the balance.';

COMMENT ON COLUMN ledger.wallets.next_expiry IS 'When the first open hold expires; null: there is none.';

COMMENT ON COLUMN ledger.wallets.has_spend_limits IS 'Whether ledger.spend_limits has rows of this wallet. A batch reads them only then.';

ALTER TABLE ledger.wallets ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ledger.wallets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY ledger.operations ATTACH PARTITION ledger.operations_default DEFAULT;

ALTER TABLE ONLY admin.audit_backlog
    ADD CONSTRAINT audit_backlog_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY admin.audit_chain
    ADD CONSTRAINT audit_chain_audit_id_key UNIQUE (audit_id);

ALTER TABLE ONLY admin.audit_chain
    ADD CONSTRAINT audit_chain_pkey PRIMARY KEY (seq);

ALTER TABLE ONLY admin.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY admin.audit_tasks
    ADD CONSTRAINT audit_tasks_pkey PRIMARY KEY (task);

ALTER TABLE ONLY admin.debit_alerts
    ADD CONSTRAINT debit_alerts_pkey PRIMARY KEY (client_app_id, hour);

ALTER TABLE admin.grants
    ADD CONSTRAINT grants_credit_limit_check CHECK ((credit_limit >= amount)) NOT VALID;

ALTER TABLE admin.grants
    ADD CONSTRAINT grants_hold_check CHECK (((kind = 'hold_release'::text) = (hold IS NOT NULL))) NOT VALID;

ALTER TABLE admin.grants
    ADD CONSTRAINT grants_kind_check CHECK ((kind = ANY (ARRAY['bonus'::text, 'correction_in'::text, 'correction_out'::text, 'credit_limit'::text, 'app_change'::text, 'hold_release'::text]))) NOT VALID;

ALTER TABLE ONLY admin.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (id);

ALTER TABLE admin.grants
    ADD CONSTRAINT grants_subject_check CHECK (
CASE
    WHEN (kind = 'app_change'::text) THEN ((client_app_id IS NOT NULL) AND (service_user_id IS NULL) AND (wallet_id IS NULL) AND (amount IS NULL) AND (credit_limit IS NULL) AND (change IS NOT NULL) AND needs_second AND (status <> ALL (ARRAY['approved'::text, 'refused'::text])))
    WHEN (kind = 'credit_limit'::text) THEN ((client_app_id IS NOT NULL) AND (service_user_id IS NULL) AND (wallet_id IS NULL) AND (change IS NULL) AND (status <> ALL (ARRAY['approved'::text, 'refused'::text])) AND ((amount IS NULL) = (credit_limit IS NULL)))
    ELSE ((client_app_id IS NULL) AND (service_user_id IS NOT NULL) AND (wallet_id IS NOT NULL) AND (credit_limit IS NULL) AND (amount IS NOT NULL) AND (change IS NULL))
END) NOT VALID;

ALTER TABLE admin.grants
    ADD CONSTRAINT grants_unlimited_check CHECK (((amount IS NOT NULL) OR needs_second)) NOT VALID;

ALTER TABLE admin.grants
    ADD CONSTRAINT grants_used_check CHECK (((used_at IS NULL) OR ((kind = 'app_change'::text) AND (status = 'posted'::text)))) NOT VALID;

ALTER TABLE ONLY admin.log_ins
    ADD CONSTRAINT log_ins_pkey PRIMARY KEY (id);

ALTER TABLE ONLY admin.log_ins
    ADD CONSTRAINT log_ins_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY admin.operator_resets
    ADD CONSTRAINT operator_resets_pkey PRIMARY KEY (operator_id, reset_by);

ALTER TABLE ONLY admin.operators
    ADD CONSTRAINT operators_pkey PRIMARY KEY (id);

ALTER TABLE ONLY admin.passkey_challenges
    ADD CONSTRAINT passkey_challenges_pkey PRIMARY KEY (challenge_hash);

ALTER TABLE ONLY admin.passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);

ALTER TABLE ONLY admin.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY admin.secret_uses
    ADD CONSTRAINT secret_uses_pkey PRIMARY KEY (secret_id);

ALTER TABLE ONLY admin.seen
    ADD CONSTRAINT seen_pkey PRIMARY KEY (client_app_id, kind, value);

ALTER TABLE ONLY admin.tickets
    ADD CONSTRAINT tickets_pkey PRIMARY KEY (ticket_hash);

ALTER TABLE ONLY admin.traffic
    ADD CONSTRAINT traffic_pkey PRIMARY KEY (hour, kind, value);

ALTER TABLE ONLY books.days
    ADD CONSTRAINT days_pkey PRIMARY KEY (day, account, kind);

ALTER TABLE ONLY books.hours
    ADD CONSTRAINT hours_pkey PRIMARY KEY (hour, account, kind);

ALTER TABLE ONLY books.progress
    ADD CONSTRAINT progress_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY books.proof
    ADD CONSTRAINT proof_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY books.tail
    ADD CONSTRAINT tail_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY books.totals
    ADD CONSTRAINT totals_pkey PRIMARY KEY (account, kind);

ALTER TABLE directory.client_apps
    ADD CONSTRAINT accent_color_is_hex CHECK ((accent_color ~ '^#[0-9a-f]{6}$'::text)) NOT VALID;

ALTER TABLE ONLY directory.alert_emails
    ADD CONSTRAINT alert_emails_pkey PRIMARY KEY (service_user_id, kind, seq);

ALTER TABLE ONLY directory.alerts
    ADD CONSTRAINT alerts_pkey PRIMARY KEY (service_user_id, kind);

ALTER TABLE ONLY directory.automatic_topups
    ADD CONSTRAINT automatic_topups_pkey PRIMARY KEY (service_user_id);

ALTER TABLE ONLY directory.client_app_version
    ADD CONSTRAINT client_app_version_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY directory.client_apps
    ADD CONSTRAINT client_apps_account_id_key UNIQUE (account_id);

ALTER TABLE ONLY directory.client_apps
    ADD CONSTRAINT client_apps_client_id_key UNIQUE (client_id);

ALTER TABLE directory.client_apps
    ADD CONSTRAINT client_apps_contact_emails_check CHECK ((cardinality(contact_emails) <= 10)) NOT VALID;

ALTER TABLE directory.client_apps
    ADD CONSTRAINT client_apps_debit_alert_above_check CHECK ((debit_alert_above > 0)) NOT VALID;

ALTER TABLE directory.client_apps
    ADD CONSTRAINT client_apps_on_mismatch_check CHECK ((on_mismatch = ANY (ARRAY['replay'::text, 'conflict'::text]))) NOT VALID;

ALTER TABLE ONLY directory.client_apps
    ADD CONSTRAINT client_apps_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.client_secrets
    ADD CONSTRAINT client_secrets_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.customers
    ADD CONSTRAINT customers_customer_id_key UNIQUE (customer_id);

ALTER TABLE ONLY directory.customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (service_user_id);

ALTER TABLE ONLY directory.deployment
    ADD CONSTRAINT deployment_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY directory.disputes
    ADD CONSTRAINT disputes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.key_fingerprints
    ADD CONSTRAINT key_fingerprints_pkey PRIMARY KEY (variable, key_id);

ALTER TABLE directory.link_codes
    ADD CONSTRAINT link_codes_challenge_check CHECK ((octet_length(challenge) = 32)) NOT VALID;

ALTER TABLE ONLY directory.link_codes
    ADD CONSTRAINT link_codes_pkey PRIMARY KEY (code_hash);

ALTER TABLE ONLY directory.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (public_id);

ALTER TABLE ONLY directory.log_in_failures
    ADD CONSTRAINT log_in_failures_pkey PRIMARY KEY (email_hash);

ALTER TABLE ONLY directory.log_ins
    ADD CONSTRAINT log_ins_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.log_ins
    ADD CONSTRAINT log_ins_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY directory.passkey_challenges
    ADD CONSTRAINT passkey_challenges_pkey PRIMARY KEY (challenge_hash);

ALTER TABLE ONLY directory.passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);

ALTER TABLE ONLY directory.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);

ALTER TABLE directory.client_apps
    ADD CONSTRAINT pause_is_whole CHECK ((((paused_at IS NULL) = (paused_by IS NULL)) AND ((paused_at IS NULL) = (pause_reason IS NULL)))) NOT VALID;

ALTER TABLE directory.people
    ADD CONSTRAINT people_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'es'::text]))) NOT VALID;

ALTER TABLE ONLY directory.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (service_user_id);

ALTER TABLE ONLY directory.processor_events
    ADD CONSTRAINT processor_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.processor_fees
    ADD CONSTRAINT processor_fees_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key_hash);

ALTER TABLE ONLY directory.refunds
    ADD CONSTRAINT refunds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.refunds
    ADD CONSTRAINT refunds_stripe_id_key UNIQUE (stripe_id);

ALTER TABLE ONLY directory.service_users
    ADD CONSTRAINT service_users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.service_users
    ADD CONSTRAINT service_users_wallet_id_key UNIQUE (wallet_id);

ALTER TABLE directory.tickets
    ADD CONSTRAINT tickets_link_challenge_check CHECK ((octet_length(link_challenge) = 32)) NOT VALID;

ALTER TABLE ONLY directory.tickets
    ADD CONSTRAINT tickets_pkey PRIMARY KEY (ticket_hash);

ALTER TABLE directory.tickets
    ADD CONSTRAINT tickets_purpose_check CHECK ((purpose = ANY (ARRAY['sign_up'::text, 'verify_email'::text, 'consent'::text, 'reset'::text, 'reset_link'::text, 'change_email'::text, 'client_secret'::text, 'saved_card'::text]))) NOT VALID;

ALTER TABLE ONLY directory.topups
    ADD CONSTRAINT topups_intent_id_key UNIQUE (intent_id);

ALTER TABLE ONLY directory.topups
    ADD CONSTRAINT topups_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.turns
    ADD CONSTRAINT turns_pkey PRIMARY KEY (name);

ALTER TABLE ONLY directory.undo_links
    ADD CONSTRAINT undo_links_pkey PRIMARY KEY (ticket_hash);

ALTER TABLE ONLY directory.warning_links
    ADD CONSTRAINT warning_links_pkey PRIMARY KEY (ticket_hash);

ALTER TABLE ONLY directory.widget_sessions
    ADD CONSTRAINT widget_sessions_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY events.changed_balances
    ADD CONSTRAINT changed_balances_pkey PRIMARY KEY (link_id);

ALTER TABLE ONLY events.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (webhook_id, event_id);

ALTER TABLE ONLY events.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (client_app_id, sequence, recorded_at);

ALTER TABLE ONLY events.feeds
    ADD CONSTRAINT feeds_pkey PRIMARY KEY (client_app_id);

ALTER TABLE ONLY events.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY ("position");

ALTER TABLE ONLY events.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);

ALTER TABLE ledger.accounts
    ADD CONSTRAINT accounts_limit_needs_balance CHECK (((credit_limit IS NULL) OR (balance IS NOT NULL))) NOT VALID;

ALTER TABLE ONLY ledger.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY ledger.archived_heads
    ADD CONSTRAINT archived_heads_pkey PRIMARY KEY (wallet_id, month);

ALTER TABLE ONLY ledger.archived_months
    ADD CONSTRAINT archived_months_pkey PRIMARY KEY (month);

ALTER TABLE ONLY ledger.archived_sums
    ADD CONSTRAINT archived_sums_pkey PRIMARY KEY (month, account, kind);

ALTER TABLE ONLY ledger.chain
    ADD CONSTRAINT chain_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY ledger.clock
    ADD CONSTRAINT clock_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY ledger.currency
    ADD CONSTRAINT currency_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY ledger.demo
    ADD CONSTRAINT demo_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY ledger.hold_changes
    ADD CONSTRAINT hold_changes_change_key UNIQUE (change);

ALTER TABLE ONLY ledger.hold_changes
    ADD CONSTRAINT hold_changes_pkey PRIMARY KEY (hold, remaining);

ALTER TABLE ONLY ledger.holds
    ADD CONSTRAINT holds_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY ledger.metadata
    ADD CONSTRAINT metadata_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY ledger.mismatches
    ADD CONSTRAINT mismatches_pkey PRIMARY KEY (id);

ALTER TABLE ledger.operation_keys
    ADD CONSTRAINT operation_keys_outcome_check CHECK (
CASE
    WHEN (kind IS NULL) THEN ((refusal IS NULL) AND (amount IS NULL) AND (balance_after IS NULL))
    WHEN (refusal IS NULL) THEN ((amount IS NOT NULL) AND (balance_after IS NOT NULL))
    ELSE ((balance_after IS NULL) AND ((amount IS NOT NULL) OR (is_amount_omitted IS TRUE)))
END) NOT VALID;

ALTER TABLE ONLY ledger.operation_keys
    ADD CONSTRAINT operation_keys_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY ledger.operations
    ADD CONSTRAINT operations_pkey PRIMARY KEY (wallet_id, seq, created_at);

ALTER TABLE ONLY ledger.operations_default
    ADD CONSTRAINT operations_default_pkey PRIMARY KEY (wallet_id, seq, created_at);

ALTER TABLE ONLY ledger.outcome_backfill
    ADD CONSTRAINT outcome_backfill_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY ledger.pause
    ADD CONSTRAINT pause_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY ledger.refunds
    ADD CONSTRAINT refunds_pkey PRIMARY KEY (debit, refunded);

ALTER TABLE ONLY ledger.refunds
    ADD CONSTRAINT refunds_refund_key UNIQUE (refund);

ALTER TABLE ONLY ledger.spend_limits
    ADD CONSTRAINT spend_limits_pkey PRIMARY KEY (wallet_id, account);

ALTER TABLE ledger.wallets
    ADD CONSTRAINT wallets_held_check CHECK ((held >= 0)) NOT VALID;

ALTER TABLE ONLY ledger.wallets
    ADD CONSTRAINT wallets_pkey PRIMARY KEY (id);

CREATE INDEX admin_tickets_by_expiry ON admin.tickets USING btree (expires_at);

CREATE INDEX admin_tickets_by_operator ON admin.tickets USING btree (operator_id);

CREATE INDEX audit_by_time ON admin.audit USING btree (at, id);

CREATE INDEX grants_by_person ON admin.grants USING btree (service_user_id, proposed_at, id);

CREATE INDEX grants_by_time ON admin.grants USING btree (proposed_at, id);

CREATE INDEX grants_waiting ON admin.grants USING btree (proposed_at, id) WHERE (status = ANY (ARRAY['open'::text, 'approved'::text]));

CREATE INDEX grants_without_second ON admin.grants USING btree (proposed_by, decided_at) WHERE (NOT needs_second);

CREATE INDEX log_ins_by_expiry ON admin.log_ins USING btree (expires_at);

CREATE INDEX log_ins_by_operator ON admin.log_ins USING btree (operator_id);

CREATE UNIQUE INDEX operators_by_email ON admin.operators USING btree (lower(email));

CREATE INDEX passkey_challenges_by_expiry ON admin.passkey_challenges USING btree (expires_at);

CREATE INDEX passkey_challenges_by_log_in ON admin.passkey_challenges USING btree (log_in_id);

CREATE INDEX passkeys_by_operator ON admin.passkeys USING btree (operator_id);

CREATE INDEX days_by_account ON books.days USING btree (account, day);

CREATE INDEX alert_emails_by_time ON directory.alert_emails USING btree (operation_at);

CREATE UNIQUE INDEX alert_emails_one_balance ON directory.alert_emails USING btree (service_user_id) WHERE (kind = 'balance'::text);

CREATE INDEX alerts_by_start ON directory.alerts USING btree (since);

CREATE INDEX alerts_by_wallet ON directory.alerts USING btree (wallet_id, kind);

CREATE INDEX automatic_topups_due ON directory.automatic_topups USING btree (next_try_at) WHERE (paused_for IS NULL);

CREATE INDEX client_apps_by_parent ON directory.client_apps USING gin (allowed_iframe_parents) WHERE is_active;

CREATE INDEX client_secrets_by_app ON directory.client_secrets USING btree (client_app_id);

CREATE INDEX client_secrets_live_by_pepper ON directory.client_secrets USING btree (pepper_id, client_app_id) WHERE (revoked_at IS NULL);

CREATE INDEX customers_ended ON directory.customers USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX disputes_by_topup ON directory.disputes USING btree (topup_id);

CREATE INDEX disputes_unanswered ON directory.disputes USING btree (respond_by) WHERE (status ~~ '%needs_response'::text);

CREATE INDEX link_codes_by_expiry ON directory.link_codes USING btree (expires_at);

CREATE INDEX links_by_app ON directory.links USING btree (client_app_id);

CREATE INDEX links_by_user ON directory.links USING btree (service_user_id);

CREATE UNIQUE INDEX links_live ON directory.links USING btree (service_user_id, client_app_id) WHERE (ended_at IS NULL);

CREATE INDEX log_in_failures_by_time ON directory.log_in_failures USING btree (blocked_until);

CREATE INDEX log_ins_by_expiry ON directory.log_ins USING btree (expires_at);

CREATE INDEX log_ins_by_user ON directory.log_ins USING btree (service_user_id);

CREATE INDEX passkey_challenges_by_expiry ON directory.passkey_challenges USING btree (expires_at);

CREATE INDEX passkey_challenges_by_log_in ON directory.passkey_challenges USING btree (log_in_id);

CREATE INDEX passkeys_by_user ON directory.passkeys USING btree (service_user_id);

CREATE UNIQUE INDEX people_by_email ON directory.people USING btree (lower(email));

CREATE INDEX people_by_email_start ON directory.people USING btree (lower(email) text_pattern_ops);

CREATE INDEX people_by_name ON directory.people USING gin (to_tsvector('simple'::regconfig, ((first_name || ' '::text) || last_name))) WITH (fastupdate=off);

CREATE INDEX processor_events_by_time ON directory.processor_events USING btree (received_at);

CREATE INDEX processor_fees_by_topup ON directory.processor_fees USING btree (topup_id);

CREATE INDEX rate_limits_by_time ON directory.rate_limits USING btree (refilled_at);

CREATE INDEX refunds_by_topup ON directory.refunds USING btree (topup_id);

CREATE INDEX refunds_due ON directory.refunds USING btree (next_check_at) WHERE (status = 'reserved'::text);

CREATE INDEX tickets_by_expiry ON directory.tickets USING btree (expires_at);

CREATE INDEX tickets_by_user ON directory.tickets USING btree (service_user_id);

CREATE INDEX topups_by_app ON directory.topups USING btree (client_app_id, created_at);

CREATE INDEX topups_by_state ON directory.topups USING btree (status, created_at);

CREATE INDEX topups_by_time ON directory.topups USING btree (created_at);

CREATE INDEX topups_by_user ON directory.topups USING btree (service_user_id, created_at);

CREATE INDEX topups_disputed ON directory.topups USING btree (created_at) WHERE has_dispute;

CREATE INDEX topups_due ON directory.topups USING btree (next_check_at) WHERE (status = 'open'::text);

CREATE UNIQUE INDEX topups_one_automatic ON directory.topups USING btree (service_user_id) WHERE (is_automatic AND (status = 'open'::text));

CREATE INDEX topups_refunded ON directory.topups USING btree (created_at) WHERE has_refund;

CREATE INDEX undo_links_by_expiry ON directory.undo_links USING btree (expires_at);

CREATE INDEX undo_links_by_user ON directory.undo_links USING btree (service_user_id);

CREATE INDEX warning_links_by_expiry ON directory.warning_links USING btree (expires_at);

CREATE INDEX warning_links_by_user ON directory.warning_links USING btree (service_user_id);

CREATE INDEX widget_sessions_by_expiry ON directory.widget_sessions USING btree (expires_at);

CREATE INDEX changed_balances_due ON events.changed_balances USING btree (due_at);

CREATE INDEX deliveries_due ON events.deliveries USING btree (webhook_id, next_attempt_at, sequence) WHERE (next_attempt_at IS NOT NULL);

CREATE INDEX deliveries_listed ON events.deliveries USING btree (webhook_id, sequence);

CREATE INDEX deliveries_old ON events.deliveries USING btree (created_at);

CREATE INDEX webhooks_by_app ON events.webhooks USING btree (client_app_id) WHERE (deleted_at IS NULL);

CREATE INDEX webhooks_due ON events.webhooks USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (deleted_at IS NULL) AND (disabled_at IS NULL));

CREATE INDEX holds_by_account ON ledger.holds USING btree (account, created_at, digest);

CREATE INDEX holds_by_expiry ON ledger.holds USING btree (expires_at) WHERE (remaining > 0);

CREATE INDEX holds_by_user ON ledger.holds USING btree (wallet_id, account, created_at, digest);

CREATE INDEX holds_by_wallet ON ledger.holds USING btree (wallet_id, expires_at) WHERE (remaining > 0);

CREATE INDEX metadata_by_wallet ON ledger.metadata USING btree (wallet_id);

CREATE INDEX mismatches_by_digest ON ledger.mismatches USING btree (digest);

CREATE INDEX open_holds_by_account ON ledger.holds USING btree (account, created_at, digest) WHERE (remaining > 0);

CREATE INDEX operations_by_time ON ONLY ledger.operations USING brin (created_at) WITH (pages_per_range='128');

CREATE INDEX operations_default_created_at_idx ON ledger.operations_default USING brin (created_at) WITH (pages_per_range='128');

CREATE INDEX wallets_frozen ON ledger.wallets USING btree (id) WHERE ((NOT is_active) AND (closed_at IS NULL));

ALTER INDEX ledger.operations_by_time ATTACH PARTITION ledger.operations_default_created_at_idx;

ALTER INDEX ledger.operations_pkey ATTACH PARTITION ledger.operations_default_pkey;

CREATE CONSTRAINT TRIGGER chain_new_entry AFTER INSERT ON admin.audit DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION admin.chain_new_entry();

CREATE TRIGGER add_app_change AFTER UPDATE ON directory.client_apps FOR EACH ROW EXECUTE FUNCTION events.add_app_change();

CREATE TRIGGER count_change AFTER INSERT OR DELETE OR UPDATE ON directory.client_apps FOR EACH STATEMENT EXECUTE FUNCTION directory.count_client_app_change();

CREATE TRIGGER count_change AFTER INSERT OR DELETE OR UPDATE ON directory.client_secrets FOR EACH STATEMENT EXECUTE FUNCTION directory.count_client_app_change();

CREATE TRIGGER disable_webhooks AFTER UPDATE OF revoked_at ON directory.client_secrets FOR EACH ROW WHEN (((old.revoked_at IS NULL) AND (new.revoked_at IS NOT NULL))) EXECUTE FUNCTION events.disable_webhooks();

CREATE TRIGGER end_customer AFTER DELETE ON directory.people FOR EACH ROW EXECUTE FUNCTION directory.end_customer();

CREATE TRIGGER mark_topup AFTER INSERT ON directory.disputes FOR EACH ROW EXECUTE FUNCTION directory.mark_topup();

CREATE TRIGGER mark_topup AFTER INSERT ON directory.refunds FOR EACH ROW EXECUTE FUNCTION directory.mark_topup();

CREATE TRIGGER add_deliveries AFTER INSERT ON events.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION events.add_deliveries();

CREATE TRIGGER fill_new_outcome AFTER INSERT ON ledger.operation_keys FOR EACH ROW WHEN ((new.kind IS NULL)) EXECUTE FUNCTION ledger.fill_new_outcome();

CREATE TRIGGER report_expiry AFTER UPDATE OF closed_by ON ledger.holds FOR EACH ROW WHEN (((old.closed_by IS NULL) AND (new.closed_by = 'expiry'::ledger.kind))) EXECUTE FUNCTION events.report_expiry();

ALTER TABLE ONLY admin.debit_alerts
    ADD CONSTRAINT debit_alerts_client_app_id_fkey FOREIGN KEY (client_app_id) REFERENCES directory.client_apps(id);

ALTER TABLE ONLY admin.grants
    ADD CONSTRAINT grants_client_app_id_fkey FOREIGN KEY (client_app_id) REFERENCES directory.client_apps(id) NOT VALID;

ALTER TABLE ONLY admin.grants
    ADD CONSTRAINT grants_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES admin.operators(id);

ALTER TABLE ONLY admin.grants
    ADD CONSTRAINT grants_second_operator_fkey FOREIGN KEY (second_operator) REFERENCES admin.operators(id);

ALTER TABLE ONLY admin.grants
    ADD CONSTRAINT grants_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES directory.service_users(id);

ALTER TABLE ONLY admin.log_ins
    ADD CONSTRAINT log_ins_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES admin.operators(id);

ALTER TABLE ONLY admin.operator_resets
    ADD CONSTRAINT operator_resets_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES admin.operators(id);

ALTER TABLE ONLY admin.operator_resets
    ADD CONSTRAINT operator_resets_reset_by_fkey FOREIGN KEY (reset_by) REFERENCES admin.operators(id);

ALTER TABLE ONLY admin.operators
    ADD CONSTRAINT operators_created_by_fkey FOREIGN KEY (created_by) REFERENCES admin.operators(id);

ALTER TABLE ONLY admin.passkey_challenges
    ADD CONSTRAINT passkey_challenges_log_in_id_fkey FOREIGN KEY (log_in_id) REFERENCES admin.log_ins(id) ON DELETE CASCADE;

ALTER TABLE ONLY admin.passkeys
    ADD CONSTRAINT passkeys_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES admin.operators(id);

ALTER TABLE ONLY admin.secret_uses
    ADD CONSTRAINT secret_uses_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES directory.client_secrets(id);

ALTER TABLE ONLY admin.seen
    ADD CONSTRAINT seen_client_app_id_fkey FOREIGN KEY (client_app_id) REFERENCES directory.client_apps(id);

ALTER TABLE ONLY admin.tickets
    ADD CONSTRAINT tickets_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES admin.operators(id);

ALTER TABLE ONLY directory.alert_emails
    ADD CONSTRAINT alert_emails_service_user_id_kind_fkey FOREIGN KEY (service_user_id, kind) REFERENCES directory.alerts(service_user_id, kind) ON DELETE CASCADE;

ALTER TABLE ONLY directory.alerts
    ADD CONSTRAINT alerts_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES directory.people(service_user_id) ON DELETE CASCADE;

ALTER TABLE ONLY directory.automatic_topups
    ADD CONSTRAINT automatic_topups_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES directory.people(service_user_id) ON DELETE CASCADE;

ALTER TABLE ONLY directory.client_secrets
    ADD CONSTRAINT client_secrets_client_app_id_fkey FOREIGN KEY (client_app_id) REFERENCES directory.client_apps(id);

ALTER TABLE ONLY directory.customers
    ADD CONSTRAINT customers_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES directory.service_users(id);

ALTER TABLE ONLY directory.disputes
    ADD CONSTRAINT disputes_topup_id_fkey FOREIGN KEY (topup_id) REFERENCES directory.topups(id);

ALTER TABLE ONLY directory.link_codes
    ADD CONSTRAINT link_codes_link_public_id_fkey FOREIGN KEY (link_public_id) REFERENCES directory.links(public_id);

ALTER TABLE ONLY directory.links
    ADD CONSTRAINT links_client_app_id_fkey FOREIGN KEY (client_app_id) REFERENCES directory.client_apps(id);

ALTER TABLE ONLY directory.links
    ADD CONSTRAINT links_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES directory.service_users(id);

ALTER TABLE ONLY directory.log_ins
    ADD CONSTRAINT log_ins_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES directory.service_users(id);

ALTER TABLE ONLY directory.passkey_challenges
    ADD CONSTRAINT passkey_challenges_log_in_id_fkey FOREIGN KEY (log_in_id) REFERENCES directory.log_ins(id) ON DELETE CASCADE;

ALTER TABLE ONLY directory.passkeys
    ADD CONSTRAINT passkeys_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES directory.people(service_user_id) ON DELETE CASCADE;

ALTER TABLE ONLY directory.people
    ADD CONSTRAINT people_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES directory.service_users(id);

ALTER TABLE ONLY directory.refunds
    ADD CONSTRAINT refunds_topup_id_fkey FOREIGN KEY (topup_id) REFERENCES directory.topups(id);

ALTER TABLE ONLY directory.tickets
    ADD CONSTRAINT tickets_client_app_id_fkey FOREIGN KEY (client_app_id) REFERENCES directory.client_apps(id);

ALTER TABLE ONLY directory.tickets
    ADD CONSTRAINT tickets_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES directory.service_users(id);

ALTER TABLE ONLY directory.topups
    ADD CONSTRAINT topups_client_app_id_fkey FOREIGN KEY (client_app_id) REFERENCES directory.client_apps(id);

ALTER TABLE ONLY directory.topups
    ADD CONSTRAINT topups_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES directory.service_users(id);

ALTER TABLE ONLY directory.undo_links
    ADD CONSTRAINT undo_links_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES directory.service_users(id);

ALTER TABLE ONLY directory.warning_links
    ADD CONSTRAINT warning_links_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES directory.service_users(id);

ALTER TABLE ONLY directory.widget_sessions
    ADD CONSTRAINT widget_sessions_link_public_id_fkey FOREIGN KEY (link_public_id) REFERENCES directory.links(public_id);

ALTER TABLE ONLY events.deliveries
    ADD CONSTRAINT deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES events.webhooks(id);

ALTER TABLE ONLY events.feeds
    ADD CONSTRAINT feeds_client_app_id_fkey FOREIGN KEY (client_app_id) REFERENCES directory.client_apps(id);

ALTER TABLE ONLY events.outbox
    ADD CONSTRAINT outbox_client_app_id_fkey FOREIGN KEY (client_app_id) REFERENCES directory.client_apps(id);

ALTER TABLE ONLY events.webhooks
    ADD CONSTRAINT webhooks_client_app_id_fkey FOREIGN KEY (client_app_id) REFERENCES directory.client_apps(id);

ALTER TABLE ONLY events.webhooks
    ADD CONSTRAINT webhooks_created_by_secret_fkey FOREIGN KEY (created_by_secret) REFERENCES directory.client_secrets(id);

ALTER TABLE ONLY ledger.archived_sums
    ADD CONSTRAINT archived_sums_month_fkey FOREIGN KEY (month) REFERENCES ledger.archived_months(month);

GRANT USAGE ON SCHEMA admin TO coffer_service;

GRANT USAGE ON SCHEMA books TO coffer_service;

GRANT USAGE ON SCHEMA directory TO coffer_service;

GRANT USAGE ON SCHEMA events TO coffer_service;

GRANT USAGE ON SCHEMA ledger TO coffer_service;

REVOKE ALL ON FUNCTION admin.chain_audit_backlog(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION admin.chain_audit_backlog(most integer) TO coffer_service;

GRANT SELECT ON TABLE admin.audit TO coffer_service;

GRANT INSERT(actor) ON TABLE admin.audit TO coffer_service;

GRANT INSERT(actor_id) ON TABLE admin.audit TO coffer_service;

GRANT INSERT(address) ON TABLE admin.audit TO coffer_service;

GRANT INSERT(action) ON TABLE admin.audit TO coffer_service;

GRANT INSERT(subject) ON TABLE admin.audit TO coffer_service;

GRANT INSERT(before) ON TABLE admin.audit TO coffer_service;

GRANT INSERT(after) ON TABLE admin.audit TO coffer_service;

REVOKE ALL ON FUNCTION admin.chain_entry(entry admin.audit) FROM PUBLIC;

REVOKE ALL ON FUNCTION admin.chain_new_entry() FROM PUBLIC;

REVOKE ALL ON FUNCTION admin.hash_entry(previous bytea, seq bigint, entry admin.audit) FROM PUBLIC;

REVOKE ALL ON FUNCTION events.add_app_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION events.add_deliveries() FROM PUBLIC;

REVOKE ALL ON FUNCTION events.disable_webhooks() FROM PUBLIC;

REVOKE ALL ON FUNCTION events.drop_partitions() FROM PUBLIC;
GRANT ALL ON FUNCTION events.drop_partitions() TO coffer_service;

REVOKE ALL ON FUNCTION events.prepare_partitions() FROM PUBLIC;
GRANT ALL ON FUNCTION events.prepare_partitions() TO coffer_service;

REVOKE ALL ON FUNCTION events.report_expiry() FROM PUBLIC;

REVOKE ALL ON FUNCTION ledger.backfill_outcomes(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION ledger.backfill_outcomes(most integer) TO coffer_service;

REVOKE ALL ON FUNCTION ledger.erase_texts(wallet bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION ledger.erase_texts(wallet bigint) TO coffer_service;

REVOKE ALL ON FUNCTION ledger.fill_new_outcome() FROM PUBLIC;

REVOKE ALL ON FUNCTION ledger.fill_outcomes(digests uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION ledger.prepare_partition(month date) FROM PUBLIC;
GRANT ALL ON FUNCTION ledger.prepare_partition(month date) TO coffer_service;

REVOKE ALL ON FUNCTION ledger.prepare_partitions() FROM PUBLIC;
GRANT ALL ON FUNCTION ledger.prepare_partitions() TO coffer_service;

REVOKE ALL ON FUNCTION ledger.prune_mismatches(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION ledger.prune_mismatches(most integer) TO coffer_service;

REVOKE ALL ON FUNCTION ledger.require_standby() FROM PUBLIC;
GRANT ALL ON FUNCTION ledger.require_standby() TO coffer_service;

REVOKE ALL ON FUNCTION ledger.summarize_operations() FROM PUBLIC;
GRANT ALL ON FUNCTION ledger.summarize_operations() TO coffer_service;

GRANT SELECT ON TABLE admin.audit_backlog TO coffer_service;

GRANT SELECT ON TABLE admin.audit_chain TO coffer_service;

GRANT SELECT ON TABLE admin.audit_tasks TO coffer_service;

GRANT UPDATE(seq) ON TABLE admin.audit_tasks TO coffer_service;

GRANT UPDATE(hash) ON TABLE admin.audit_tasks TO coffer_service;

GRANT UPDATE(held_by) ON TABLE admin.audit_tasks TO coffer_service;

GRANT UPDATE(held_until) ON TABLE admin.audit_tasks TO coffer_service;

GRANT SELECT,INSERT ON TABLE admin.debit_alerts TO coffer_service;

GRANT SELECT,INSERT ON TABLE admin.grants TO coffer_service;

GRANT UPDATE(status) ON TABLE admin.grants TO coffer_service;

GRANT UPDATE(second_operator) ON TABLE admin.grants TO coffer_service;

GRANT UPDATE(decided_at) ON TABLE admin.grants TO coffer_service;

GRANT UPDATE(declined_because) ON TABLE admin.grants TO coffer_service;

GRANT UPDATE(refusal) ON TABLE admin.grants TO coffer_service;

GRANT UPDATE(used_at) ON TABLE admin.grants TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin.log_ins TO coffer_service;

GRANT SELECT,INSERT ON TABLE admin.operator_resets TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE admin.operators TO coffer_service;

GRANT SELECT,INSERT,DELETE ON TABLE admin.passkey_challenges TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin.passkeys TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE admin.secret_uses TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin.seen TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin.tickets TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin.traffic TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE books.days TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE books.hours TO coffer_service;

GRANT SELECT ON TABLE books.progress TO coffer_service;

GRANT UPDATE(rolled_up_to) ON TABLE books.progress TO coffer_service;

GRANT UPDATE(mark_at) ON TABLE books.progress TO coffer_service;

GRANT UPDATE(mark_xid) ON TABLE books.progress TO coffer_service;

GRANT UPDATE(next_at) ON TABLE books.progress TO coffer_service;

GRANT SELECT,UPDATE ON TABLE books.proof TO coffer_service;

GRANT SELECT ON TABLE books.tail TO coffer_service;

GRANT UPDATE(read_to) ON TABLE books.tail TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE books.totals TO coffer_service;

GRANT SELECT,INSERT,DELETE ON TABLE directory.alert_emails TO coffer_service;

GRANT SELECT,INSERT,DELETE ON TABLE directory.alerts TO coffer_service;

GRANT UPDATE(threshold) ON TABLE directory.alerts TO coffer_service;

GRANT UPDATE(since) ON TABLE directory.alerts TO coffer_service;

GRANT UPDATE(after_seq) ON TABLE directory.alerts TO coffer_service;

GRANT UPDATE(is_low) ON TABLE directory.alerts TO coffer_service;

GRANT UPDATE(next_email_at) ON TABLE directory.alerts TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE directory.automatic_topups TO coffer_service;

GRANT SELECT ON TABLE directory.client_app_version TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE directory.client_apps TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE directory.client_secrets TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE directory.customers TO coffer_service;

GRANT SELECT ON TABLE directory.deployment TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE directory.disputes TO coffer_service;

GRANT SELECT,INSERT ON TABLE directory.key_fingerprints TO coffer_service;

GRANT SELECT,INSERT,DELETE ON TABLE directory.link_codes TO coffer_service;

GRANT SELECT,INSERT ON TABLE directory.links TO coffer_service;

GRANT UPDATE(ended_at) ON TABLE directory.links TO coffer_service;

GRANT UPDATE(agreed_at) ON TABLE directory.links TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE directory.log_in_failures TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE directory.log_ins TO coffer_service;

GRANT SELECT,INSERT,DELETE ON TABLE directory.passkey_challenges TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE directory.passkeys TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE directory.people TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE directory.processor_events TO coffer_service;

GRANT SELECT,INSERT ON TABLE directory.processor_fees TO coffer_service;

GRANT UPDATE(topup_id) ON TABLE directory.processor_fees TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE directory.rate_limits TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE directory.refunds TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE directory.service_users TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE directory.tickets TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE directory.topups TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE directory.turns TO coffer_service;

GRANT SELECT,INSERT,DELETE ON TABLE directory.undo_links TO coffer_service;

GRANT SELECT,INSERT,DELETE ON TABLE directory.warning_links TO coffer_service;

GRANT SELECT,INSERT,DELETE ON TABLE directory.widget_sessions TO coffer_service;

GRANT SELECT,INSERT,DELETE ON TABLE events.changed_balances TO coffer_service;

GRANT UPDATE(due_at) ON TABLE events.changed_balances TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE events.deliveries TO coffer_service;

GRANT SELECT,INSERT ON TABLE events.events TO coffer_service;

GRANT SELECT,INSERT ON TABLE events.feeds TO coffer_service;

GRANT UPDATE(last_sequence) ON TABLE events.feeds TO coffer_service;

GRANT UPDATE(last_id) ON TABLE events.feeds TO coffer_service;

GRANT SELECT,DELETE ON TABLE events.outbox TO coffer_service;

GRANT INSERT(client_app_id) ON TABLE events.outbox TO coffer_service;

GRANT INSERT(type) ON TABLE events.outbox TO coffer_service;

GRANT INSERT(data) ON TABLE events.outbox TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE events.webhooks TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.accounts TO coffer_service;

GRANT UPDATE(credit_limit) ON TABLE ledger.accounts TO coffer_service;

GRANT UPDATE(balance) ON TABLE ledger.accounts TO coffer_service;

GRANT SELECT ON TABLE ledger.archived_heads TO coffer_service;

GRANT SELECT ON TABLE ledger.archived_months TO coffer_service;

GRANT SELECT ON TABLE ledger.archived_sums TO coffer_service;

GRANT SELECT ON TABLE ledger.chain TO coffer_service;

GRANT UPDATE(version) ON TABLE ledger.chain TO coffer_service;

GRANT SELECT ON TABLE ledger.clock TO coffer_service;

GRANT UPDATE(not_before) ON TABLE ledger.clock TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.currency TO coffer_service;

GRANT SELECT ON TABLE ledger.demo TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.hold_changes TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.holds TO coffer_service;

GRANT UPDATE(captured) ON TABLE ledger.holds TO coffer_service;

GRANT UPDATE(remaining) ON TABLE ledger.holds TO coffer_service;

GRANT UPDATE(closed_by) ON TABLE ledger.holds TO coffer_service;

GRANT UPDATE(suspended_at) ON TABLE ledger.holds TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.metadata TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.mismatches TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.operation_keys TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.operations TO coffer_service;

GRANT SELECT ON TABLE ledger.operations_default TO coffer_service;

GRANT SELECT ON TABLE ledger.outcome_backfill TO coffer_service;

GRANT SELECT ON TABLE ledger.pause TO coffer_service;

GRANT UPDATE(paused_at) ON TABLE ledger.pause TO coffer_service;

GRANT UPDATE(paused_by) ON TABLE ledger.pause TO coffer_service;

GRANT UPDATE(reason) ON TABLE ledger.pause TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.refunds TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE ledger.spend_limits TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.wallets TO coffer_service;

GRANT UPDATE(balance) ON TABLE ledger.wallets TO coffer_service;

GRANT UPDATE(debt) ON TABLE ledger.wallets TO coffer_service;

GRANT UPDATE(seq) ON TABLE ledger.wallets TO coffer_service;

GRANT UPDATE(is_active) ON TABLE ledger.wallets TO coffer_service;

GRANT UPDATE(head_hash) ON TABLE ledger.wallets TO coffer_service;

GRANT UPDATE(closed_at) ON TABLE ledger.wallets TO coffer_service;

GRANT UPDATE(held) ON TABLE ledger.wallets TO coffer_service;

GRANT UPDATE(next_expiry) ON TABLE ledger.wallets TO coffer_service;

GRANT UPDATE(has_spend_limits) ON TABLE ledger.wallets TO coffer_service;
