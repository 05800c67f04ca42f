set lock_timeout = '2s';
set statement_timeout = '10s';

-- The previous version neither reads nor writes it: until every process runs this version, one of them may capture.
alter table ledger.holds add column suspended_at timestamptz;
comment on column ledger.holds.suspended_at is 'Since when an operator must allow captures, because the person reported that somebody else used the account; null: captures need nobody.';
grant update (suspended_at) on ledger.holds to coffer_service;

comment on column admin.grants.used_at is 'Of an approved rotation or URL of a webhook: when its proposer rotated the secret, or created or changed the webhook.';
