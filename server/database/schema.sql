CREATE SCHEMA admin;

CREATE SCHEMA directory;

CREATE SCHEMA ledger;

CREATE TYPE ledger.kind AS ENUM (
    'debit',
    'credit',
    'topup',
    'bonus',
    'seizure',
    'reversal',
    'refund'
);

CREATE TYPE ledger.refusal AS ENUM (
    'INSUFFICIENT_BALANCE',
    'WALLET_INACTIVE',
    'CREDIT_LIMIT_EXCEEDED',
    'BALANCE_LIMIT'
);

CREATE FUNCTION directory.count_client_app_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
begin
  update directory.client_app_version set version = version + 1;
  return null;
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

ALTER TABLE admin.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME admin.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

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
    CONSTRAINT operators_check CHECK (((totp_seed IS NULL) = (totp_key_id IS NULL))),
    CONSTRAINT operators_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'operator'::text, 'viewer'::text])))
);

COMMENT ON COLUMN admin.operators.totp_seed IS 'AES-256-GCM with a key that is not in the database; null: no authenticator is set up yet.';

COMMENT ON COLUMN admin.operators.totp_step IS 'Of the last code that was accepted; only later ones are accepted after it.';

COMMENT ON COLUMN admin.operators.recovery_hmacs IS 'HMAC-SHA-256 with the same key; a code that was used is removed.';

ALTER TABLE admin.operators ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME admin.operators_id_seq
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
    CONSTRAINT client_apps_allowed_iframe_parents_check CHECK ((cardinality(allowed_iframe_parents) <= 50)),
    CONSTRAINT client_apps_allowed_origins_check CHECK ((cardinality(allowed_origins) <= 50)),
    CONSTRAINT client_apps_scopes_check CHECK ((scopes <@ ARRAY['wallet:read'::text, 'wallet:write'::text]))
);

COMMENT ON COLUMN directory.client_apps.account_id IS 'The settlement account in the ledger, which is also the namespace of the app''s references.';

COMMENT ON COLUMN directory.client_apps.accent_color IS 'Of buttons in the widget; null: ours.';

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
    CONSTRAINT client_secrets_hmac_check CHECK ((octet_length(hmac) = 32))
);

COMMENT ON COLUMN directory.client_secrets.expires_at IS 'The end of the overlap after a rotation; null: until rotated.';

ALTER TABLE directory.client_secrets ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME directory.client_secrets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE directory.deployment (
    only_row boolean DEFAULT true NOT NULL,
    transaction_id_key uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT deployment_only_row_check CHECK (only_row)
);

CREATE TABLE directory.link_codes (
    code_hash bytea NOT NULL,
    link_public_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT link_codes_code_hash_check CHECK ((octet_length(code_hash) = 32))
);

CREATE TABLE directory.links (
    public_id uuid NOT NULL,
    client_app_id bigint NOT NULL,
    service_user_id bigint NOT NULL,
    wallet_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone
);

COMMENT ON COLUMN directory.links.public_id IS 'serviceUserId on the wire: su_ and these 128 random bits in hex.';

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

CREATE TABLE directory.people (
    service_user_id bigint NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    email text NOT NULL,
    password_hash text,
    email_verified_at timestamp with time zone
);

CREATE TABLE directory.processor_events (
    id text NOT NULL,
    type text NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    processed_at timestamp with time zone
);

CREATE TABLE directory.processor_fees (
    id text NOT NULL,
    source text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    booked_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON COLUMN directory.processor_fees.currency IS 'The one that the processor settles in; the amount is in its units.';

CREATE TABLE directory.refunds (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    topup_id uuid NOT NULL,
    amount bigint NOT NULL,
    status text DEFAULT 'reserved'::text NOT NULL,
    stripe_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT refunds_amount_check CHECK ((amount > 0)),
    CONSTRAINT refunds_status_check CHECK ((status = ANY (ARRAY['reserved'::text, 'refused'::text, 'sent'::text, 'released'::text])))
);

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
    CONSTRAINT tickets_code_hash_check CHECK ((octet_length(code_hash) = 32)),
    CONSTRAINT tickets_purpose_check CHECK ((purpose = ANY (ARRAY['sign_up'::text, 'verify_email'::text, 'consent'::text, 'reset'::text, 'change_email'::text]))),
    CONSTRAINT tickets_ticket_hash_check CHECK ((octet_length(ticket_hash) = 32))
);

COMMENT ON COLUMN directory.tickets.code_hash IS 'null: no code was sent, so none is right.';

CREATE TABLE directory.topups (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    service_user_id bigint NOT NULL,
    wallet_id bigint NOT NULL,
    client_app_id bigint NOT NULL,
    amount bigint NOT NULL,
    intent_id text,
    status text DEFAULT 'open'::text NOT NULL,
    checks bigint DEFAULT 0 NOT NULL,
    next_check_at timestamp with time zone DEFAULT (now() + '00:00:10'::interval) NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    settled_at timestamp with time zone,
    CONSTRAINT topups_amount_check CHECK ((amount > 0)),
    CONSTRAINT topups_status_check CHECK ((status = ANY (ARRAY['open'::text, 'credited'::text, 'ended'::text])))
);

COMMENT ON COLUMN directory.topups.intent_id IS 'null until the processor has answered.';

COMMENT ON COLUMN directory.topups.status IS 'ended: cancelled at the processor, so it cannot be paid any more.';

CREATE TABLE directory.turns (
    name text NOT NULL,
    next_at timestamp with time zone NOT NULL,
    done_at timestamp with time zone
);

COMMENT ON COLUMN directory.turns.done_at IS 'When it was last done to the end.';

CREATE TABLE directory.widget_sessions (
    token_hash bytea NOT NULL,
    link_public_id uuid NOT NULL,
    parent_origin text,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT widget_sessions_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

CREATE TABLE ledger.accounts (
    id bigint NOT NULL,
    name text NOT NULL,
    credit_limit bigint,
    balance bigint,
    CONSTRAINT accounts_check CHECK (((credit_limit IS NULL) = (balance IS NULL))),
    CONSTRAINT accounts_check1 CHECK ((balance >= (- credit_limit))),
    CONSTRAINT accounts_credit_limit_check CHECK ((credit_limit >= 0))
);

COMMENT ON COLUMN ledger.accounts.credit_limit IS 'How far the balance may go below zero, in minor units; null: unlimited.';

ALTER TABLE ledger.accounts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME ledger.accounts_id_seq
    START WITH 1000
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

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
    CONSTRAINT operation_keys_amount_check CHECK ((amount > 0)),
    CONSTRAINT operation_keys_check CHECK ((((refusal IS NULL) = (kind IS NULL)) AND ((refusal IS NULL) = (amount IS NULL))))
);

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
    CONSTRAINT operations_balance_after_check CHECK ((balance_after >= 0)),
    CONSTRAINT operations_debt_after_check CHECK ((debt_after >= 0)),
    CONSTRAINT operations_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT operations_seq_check CHECK ((seq > 0))
)
PARTITION BY RANGE (created_at);

COMMENT ON COLUMN ledger.operations.amount IS 'Signed change of the balance, in minor units. The counter account changes by debt_change - amount.';

COMMENT ON COLUMN ledger.operations.debt_change IS 'null stands for 0: most operations touch no debt.';

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
    CONSTRAINT operations_balance_after_check CHECK ((balance_after >= 0)),
    CONSTRAINT operations_debt_after_check CHECK ((debt_after >= 0)),
    CONSTRAINT operations_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT operations_seq_check CHECK ((seq > 0))
);

CREATE TABLE ledger.wallets (
    id bigint NOT NULL,
    balance bigint DEFAULT 0 NOT NULL,
    debt bigint DEFAULT 0 NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    head_hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL,
    CONSTRAINT wallets_balance_check CHECK (((balance >= 0) AND (balance <= '999999999999999'::bigint))),
    CONSTRAINT wallets_debt_check CHECK ((debt >= 0)),
    CONSTRAINT wallets_head_hash_check CHECK ((octet_length(head_hash) = 32)),
    CONSTRAINT wallets_seq_check CHECK ((seq >= 0))
)
WITH (fillfactor='50');

ALTER TABLE ledger.wallets ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ledger.wallets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY ledger.operations ATTACH PARTITION ledger.operations_default DEFAULT;

ALTER TABLE ONLY admin.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY admin.log_ins
    ADD CONSTRAINT log_ins_pkey PRIMARY KEY (id);

ALTER TABLE ONLY admin.log_ins
    ADD CONSTRAINT log_ins_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY admin.operators
    ADD CONSTRAINT operators_pkey PRIMARY KEY (id);

ALTER TABLE ONLY admin.secret_uses
    ADD CONSTRAINT secret_uses_pkey PRIMARY KEY (secret_id);

ALTER TABLE ONLY admin.seen
    ADD CONSTRAINT seen_pkey PRIMARY KEY (client_app_id, kind, value);

ALTER TABLE ONLY admin.tickets
    ADD CONSTRAINT tickets_pkey PRIMARY KEY (ticket_hash);

ALTER TABLE directory.client_apps
    ADD CONSTRAINT accent_color_is_hex CHECK ((accent_color ~ '^#[0-9a-f]{6}$'::text)) NOT VALID;

ALTER TABLE ONLY directory.client_app_version
    ADD CONSTRAINT client_app_version_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY directory.client_apps
    ADD CONSTRAINT client_apps_account_id_key UNIQUE (account_id);

ALTER TABLE ONLY directory.client_apps
    ADD CONSTRAINT client_apps_client_id_key UNIQUE (client_id);

ALTER TABLE ONLY directory.client_apps
    ADD CONSTRAINT client_apps_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.client_secrets
    ADD CONSTRAINT client_secrets_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.deployment
    ADD CONSTRAINT deployment_pkey PRIMARY KEY (only_row);

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

ALTER TABLE ONLY directory.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (service_user_id);

ALTER TABLE ONLY directory.processor_events
    ADD CONSTRAINT processor_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.processor_fees
    ADD CONSTRAINT processor_fees_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.refunds
    ADD CONSTRAINT refunds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.refunds
    ADD CONSTRAINT refunds_stripe_id_key UNIQUE (stripe_id);

ALTER TABLE ONLY directory.service_users
    ADD CONSTRAINT service_users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.service_users
    ADD CONSTRAINT service_users_wallet_id_key UNIQUE (wallet_id);

ALTER TABLE ONLY directory.tickets
    ADD CONSTRAINT tickets_pkey PRIMARY KEY (ticket_hash);

ALTER TABLE ONLY directory.topups
    ADD CONSTRAINT topups_intent_id_key UNIQUE (intent_id);

ALTER TABLE ONLY directory.topups
    ADD CONSTRAINT topups_pkey PRIMARY KEY (id);

ALTER TABLE ONLY directory.turns
    ADD CONSTRAINT turns_pkey PRIMARY KEY (name);

ALTER TABLE ONLY directory.widget_sessions
    ADD CONSTRAINT widget_sessions_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY ledger.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY ledger.mismatches
    ADD CONSTRAINT mismatches_pkey PRIMARY KEY (id);

ALTER TABLE ONLY ledger.operation_keys
    ADD CONSTRAINT operation_keys_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY ledger.operations
    ADD CONSTRAINT operations_pkey PRIMARY KEY (wallet_id, seq, created_at);

ALTER TABLE ONLY ledger.operations_default
    ADD CONSTRAINT operations_default_pkey PRIMARY KEY (wallet_id, seq, created_at);

ALTER TABLE ONLY ledger.wallets
    ADD CONSTRAINT wallets_pkey PRIMARY KEY (id);

CREATE INDEX admin_tickets_by_expiry ON admin.tickets USING btree (expires_at);

CREATE INDEX admin_tickets_by_operator ON admin.tickets USING btree (operator_id);

CREATE INDEX audit_by_time ON admin.audit USING btree (at, id);

CREATE INDEX log_ins_by_expiry ON admin.log_ins USING btree (expires_at);

CREATE INDEX log_ins_by_operator ON admin.log_ins USING btree (operator_id);

CREATE UNIQUE INDEX operators_by_email ON admin.operators USING btree (lower(email));

CREATE INDEX client_apps_by_parent ON directory.client_apps USING gin (allowed_iframe_parents) WHERE is_active;

CREATE INDEX client_secrets_by_app ON directory.client_secrets USING btree (client_app_id);

CREATE INDEX link_codes_by_expiry ON directory.link_codes USING btree (expires_at);

CREATE INDEX links_by_app ON directory.links USING btree (client_app_id);

CREATE UNIQUE INDEX links_live ON directory.links USING btree (service_user_id, client_app_id) WHERE (ended_at IS NULL);

CREATE INDEX log_in_failures_by_time ON directory.log_in_failures USING btree (blocked_until);

CREATE INDEX log_ins_by_expiry ON directory.log_ins USING btree (expires_at);

CREATE INDEX log_ins_by_user ON directory.log_ins USING btree (service_user_id);

CREATE UNIQUE INDEX people_by_email ON directory.people USING btree (lower(email));

CREATE INDEX processor_events_by_time ON directory.processor_events USING btree (received_at);

CREATE INDEX refunds_by_topup ON directory.refunds USING btree (topup_id);

CREATE INDEX refunds_reserved ON directory.refunds USING btree (created_at) WHERE (status = 'reserved'::text);

CREATE INDEX tickets_by_expiry ON directory.tickets USING btree (expires_at);

CREATE INDEX tickets_by_user ON directory.tickets USING btree (service_user_id);

CREATE INDEX topups_by_time ON directory.topups USING btree (created_at);

CREATE INDEX topups_by_user ON directory.topups USING btree (service_user_id, created_at);

CREATE INDEX topups_due ON directory.topups USING btree (next_check_at) WHERE (status = 'open'::text);

CREATE INDEX widget_sessions_by_expiry ON directory.widget_sessions USING btree (expires_at);

CREATE INDEX mismatches_by_digest ON ledger.mismatches USING btree (digest);

ALTER INDEX ledger.operations_pkey ATTACH PARTITION ledger.operations_default_pkey;

CREATE TRIGGER count_change AFTER INSERT OR DELETE OR UPDATE ON directory.client_apps FOR EACH STATEMENT EXECUTE FUNCTION directory.count_client_app_change();

CREATE TRIGGER count_change AFTER INSERT OR DELETE OR UPDATE ON directory.client_secrets FOR EACH STATEMENT EXECUTE FUNCTION directory.count_client_app_change();

ALTER TABLE ONLY admin.log_ins
    ADD CONSTRAINT log_ins_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES admin.operators(id);

ALTER TABLE ONLY admin.operators
    ADD CONSTRAINT operators_created_by_fkey FOREIGN KEY (created_by) REFERENCES admin.operators(id);

ALTER TABLE ONLY admin.secret_uses
    ADD CONSTRAINT secret_uses_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES directory.client_secrets(id);

ALTER TABLE ONLY admin.seen
    ADD CONSTRAINT seen_client_app_id_fkey FOREIGN KEY (client_app_id) REFERENCES directory.client_apps(id);

ALTER TABLE ONLY admin.tickets
    ADD CONSTRAINT tickets_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES admin.operators(id);

ALTER TABLE ONLY directory.client_secrets
    ADD CONSTRAINT client_secrets_client_app_id_fkey FOREIGN KEY (client_app_id) REFERENCES directory.client_apps(id);

ALTER TABLE ONLY directory.link_codes
    ADD CONSTRAINT link_codes_link_public_id_fkey FOREIGN KEY (link_public_id) REFERENCES directory.links(public_id);

ALTER TABLE ONLY directory.links
    ADD CONSTRAINT links_client_app_id_fkey FOREIGN KEY (client_app_id) REFERENCES directory.client_apps(id);

ALTER TABLE ONLY directory.links
    ADD CONSTRAINT links_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES directory.service_users(id);

ALTER TABLE ONLY directory.log_ins
    ADD CONSTRAINT log_ins_service_user_id_fkey FOREIGN KEY (service_user_id) REFERENCES directory.service_users(id);

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

ALTER TABLE ONLY directory.widget_sessions
    ADD CONSTRAINT widget_sessions_link_public_id_fkey FOREIGN KEY (link_public_id) REFERENCES directory.links(public_id);

GRANT USAGE ON SCHEMA admin TO coffer_service;

GRANT USAGE ON SCHEMA directory TO coffer_service;

GRANT USAGE ON SCHEMA ledger TO coffer_service;

REVOKE ALL ON FUNCTION ledger.prepare_partitions() FROM PUBLIC;
GRANT ALL ON FUNCTION ledger.prepare_partitions() TO coffer_service;

GRANT SELECT,INSERT ON TABLE admin.audit TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin.log_ins TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE admin.operators TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE admin.secret_uses TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin.seen TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin.tickets TO coffer_service;

GRANT SELECT ON TABLE directory.client_app_version TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE directory.client_apps TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE directory.client_secrets TO coffer_service;

GRANT SELECT ON TABLE directory.deployment TO coffer_service;

GRANT SELECT,INSERT,DELETE ON TABLE directory.link_codes TO coffer_service;

GRANT SELECT,INSERT ON TABLE directory.links TO coffer_service;

GRANT UPDATE(ended_at) ON TABLE directory.links TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE directory.log_in_failures TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE directory.log_ins TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE directory.people TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE directory.processor_events TO coffer_service;

GRANT SELECT,INSERT ON TABLE directory.processor_fees TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE directory.refunds TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE directory.service_users TO coffer_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE directory.tickets TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE directory.topups TO coffer_service;

GRANT SELECT,INSERT,UPDATE ON TABLE directory.turns TO coffer_service;

GRANT SELECT,INSERT,DELETE ON TABLE directory.widget_sessions TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.accounts TO coffer_service;

GRANT UPDATE(credit_limit) ON TABLE ledger.accounts TO coffer_service;

GRANT UPDATE(balance) ON TABLE ledger.accounts TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.mismatches TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.operation_keys TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.operations TO coffer_service;

GRANT SELECT,INSERT ON TABLE ledger.wallets TO coffer_service;

GRANT UPDATE(balance) ON TABLE ledger.wallets TO coffer_service;

GRANT UPDATE(debt) ON TABLE ledger.wallets TO coffer_service;

GRANT UPDATE(seq) ON TABLE ledger.wallets TO coffer_service;

GRANT UPDATE(is_active) ON TABLE ledger.wallets TO coffer_service;

GRANT UPDATE(head_hash) ON TABLE ledger.wallets TO coffer_service;
