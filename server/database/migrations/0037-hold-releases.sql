set lock_timeout = '2s';
set statement_timeout = '60s';

-- An operator ends a hold of a client app. The ledger posts it like a bonus: under the grant's id, once. The previous
-- version has no holds until the operator runs `coffer allow-holds`, so it never finds such a grant.
alter table admin.grants add column hold uuid;
comment on column admin.grants.hold is 'The digest of the hold that is released; null: not a release.';
alter table admin.grants drop constraint grants_kind_check;
alter table admin.grants add constraint grants_kind_check check (
  kind in ('bonus', 'correction_in', 'correction_out', 'credit_limit', 'app_change', 'hold_release')
) not valid;
alter table admin.grants add constraint grants_hold_check
  check ((kind = 'hold_release') = (hold is not null)) not valid;
