set lock_timeout = '2s';
set statement_timeout = '60s';

-- Operators are notified when the debits of a client app in one hour exceed an amount. Apps that exist already have
-- none. Both columns have a constant default or none, so no row is rewritten.
alter table directory.client_apps add column debit_alert_above bigint;
alter table directory.client_apps add constraint client_apps_debit_alert_above_check
  check (debit_alert_above > 0) not valid;
alter table directory.client_apps add column pauses_on_debit_alert boolean not null default false;
comment on column directory.client_apps.debit_alert_above is 'Debits in one hour, in minor units, above which there is an alert; null: never.';
comment on column directory.client_apps.pauses_on_debit_alert is 'Whether an alert also pauses the writes of the app.';

-- At most one alert per app and hour, in all processes together.
create table admin.debit_alerts (
  client_app_id bigint not null references directory.client_apps (id),
  hour timestamptz not null,
  amount bigint not null,
  created_at timestamptz not null default now(),
  primary key (client_app_id, hour)
);
comment on column admin.debit_alerts.amount is 'The debits of that hour when the alert was recorded, in minor units.';
grant select, insert on admin.debit_alerts to coffer_service;
