set lock_timeout = '5s';
set statement_timeout = '60s';

-- A credit limit that an operator gives a client app, or asks a second operator to give. It is about an app instead of
-- a person. It takes effect in the transaction that decides it, so it is never 'approved' or 'refused': the previous
-- version of the service, which posts what is approved, leaves it alone.
alter table admin.grants add column client_app_id bigint;
alter table admin.grants add column credit_limit bigint;
-- The previous version lists such a row without a name and an amount, and does not approve it.
-- squawk-ignore ban-drop-not-null
alter table admin.grants alter column service_user_id drop not null;
-- squawk-ignore ban-drop-not-null
alter table admin.grants alter column wallet_id drop not null;
-- squawk-ignore ban-drop-not-null
alter table admin.grants alter column amount drop not null;
comment on column admin.grants.amount is 'Of a credit limit: by how much it is raised; null: it becomes unlimited.';
comment on column admin.grants.credit_limit is 'What the limit of the client app becomes, in minor units; null: unlimited, or not a credit limit.';

alter table admin.grants add constraint grants_client_app_id_fkey
  foreign key (client_app_id) references directory.client_apps (id) not valid;
alter table admin.grants drop constraint grants_kind_check;
alter table admin.grants add constraint grants_kind_check
  check (kind in ('bonus', 'correction_in', 'correction_out', 'credit_limit')) not valid;
alter table admin.grants add constraint grants_subject_check check (
  case when kind = 'credit_limit'
    then client_app_id is not null and service_user_id is null and wallet_id is null
      and status not in ('approved', 'refused') and (amount is null) = (credit_limit is null)
    else client_app_id is null and service_user_id is not null and wallet_id is not null
      and credit_limit is null and amount is not null
  end) not valid;
-- The rule itself, once more: nobody alone makes an app unlimited, and a raise ends at the new limit.
alter table admin.grants add constraint grants_unlimited_check check (amount is not null or needs_second) not valid;
alter table admin.grants add constraint grants_credit_limit_check check (credit_limit >= amount) not valid;
