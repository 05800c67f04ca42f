set lock_timeout = '5s';
set statement_timeout = '60s';

-- Whether the books stand still. Every batch reads this one row together with the clock, so that nothing at all is
-- decided while they do, whoever asks and from wherever.
create table ledger.pause (
  only_row boolean primary key default true check (only_row),
  paused_at timestamptz,
  paused_by text,
  reason text,
  check ((paused_at is null) = (paused_by is null) and (paused_at is null) = (reason is null))
);
comment on column ledger.pause.paused_at is 'null: writes go on.';
insert into ledger.pause default values;
grant select on ledger.pause to coffer_service;
grant update (paused_at, paused_by, reason) on ledger.pause to coffer_service;

-- A paused app reads and is framed as ever; only what would move money through it is refused.
alter table directory.client_apps add column paused_at timestamptz;
alter table directory.client_apps add column paused_by text;
alter table directory.client_apps add column pause_reason text;
alter table directory.client_apps add constraint pause_is_whole
  check ((paused_at is null) = (paused_by is null) and (paused_at is null) = (pause_reason is null)) not valid;
comment on column directory.client_apps.paused_at is 'null: its writes go on.';

alter table directory.client_secrets add column renewed_from text;
comment on column directory.client_secrets.renewed_from is 'The pepper that the hash was made with before. It is not returned to: while peppers rotate, processes disagree on which one is the newest.';
-- There are few secrets, so their table is locked for a moment only.
-- squawk-ignore require-concurrent-index-creation
create index client_secrets_live_by_pepper on directory.client_secrets (pepper_id, client_app_id) where revoked_at is null;

alter table admin.operators add column recovery_key_id text;
comment on column admin.operators.recovery_key_id is 'The key of recovery_hmacs, if it is not totp_key_id: a seed can be sealed anew, a hash cannot.';
