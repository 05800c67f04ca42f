set lock_timeout = '5s';
set statement_timeout = '60s';

-- Months whose operations are in files and no longer in ledger.operations.

create table ledger.archived_months (
  month date primary key check (month = date_trunc('month', month::timestamp)),
  operations bigint not null check (operations >= 0),
  manifest_hash bytea not null check (octet_length(manifest_hash) = 32),
  archived_at timestamptz not null default now()
);
comment on column ledger.archived_months.month is 'The first day of the month, in UTC.';
comment on column ledger.archived_months.manifest_hash is 'SHA-256 of the signed lines of the manifest.';

create table ledger.archived_sums (
  month date not null references ledger.archived_months,
  account bigint not null,
  kind ledger.kind not null,
  count bigint not null,
  amount bigint not null,
  debt_change bigint not null,
  primary key (month, account, kind)
);
comment on table ledger.archived_sums is 'The sums of the archived operations, as in books.totals.';

create table ledger.archived_heads (
  wallet_id bigint not null,
  month date not null,
  seq bigint not null check (seq > 0),
  balance bigint not null check (balance >= 0),
  debt bigint not null check (debt >= 0),
  head_hash bytea not null check (octet_length(head_hash) = 32),
  primary key (wallet_id, month)
);
comment on table ledger.archived_heads is
  'Where the chain of a wallet continues. Only rows of months in archived_months count: the others are of an archive that is being written or was restored.';

grant select on ledger.archived_months, ledger.archived_sums, ledger.archived_heads to coffer_service;
