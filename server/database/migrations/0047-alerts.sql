set lock_timeout = '2s';
set statement_timeout = '60s';

-- Off for everybody. The previous version neither reads nor writes these tables; its deletion of a person deletes the rows.
create table directory.alerts (
  service_user_id bigint not null references directory.people (service_user_id) on delete cascade,
  kind text not null check (kind in ('payment', 'balance')),
  wallet_id bigint not null,
  threshold bigint not null check (threshold > 0),
  since timestamptz not null default clock_timestamp(),
  after_seq bigint not null,
  is_low boolean not null default false,
  next_email_at timestamptz not null default clock_timestamp(),
  primary key (service_user_id, kind)
);
comment on table directory.alerts is 'About what a person wants an email. payment: a payment of at least the threshold. balance: the balance falls below it.';
comment on column directory.alerts.since is 'When the threshold was set.';
comment on column directory.alerts.after_seq is 'The number of the last operation of the wallet when the threshold was set. Only later ones count.';
comment on column directory.alerts.is_low is 'Of kind balance: it was below the threshold after the last operation that was read.';
comment on column directory.alerts.next_email_at is 'No email of this kind is sent earlier. The process that sends one sets it first, so that no other process does.';
create index alerts_by_wallet on directory.alerts (wallet_id, kind);
create index alerts_by_start on directory.alerts (since);
grant select, insert, delete on directory.alerts to coffer_service;
grant update (threshold, since, after_seq, is_low, next_email_at) on directory.alerts to coffer_service;

create table directory.alert_emails (
  service_user_id bigint not null,
  kind text not null,
  seq bigint not null,
  operation_at timestamptz not null,
  primary key (service_user_id, kind, seq),
  foreign key (service_user_id, kind) references directory.alerts (service_user_id, kind) on delete cascade
);
comment on table directory.alert_emails is 'Operations about which an email is due. Their texts and amounts are read when it is sent.';
comment on column directory.alert_emails.seq is 'The number of the operation in the wallet.';
comment on column directory.alert_emails.operation_at is 'The time of the operation, which finds its partition.';
create unique index alert_emails_one_balance on directory.alert_emails (service_user_id) where kind = 'balance';
create index alert_emails_by_time on directory.alert_emails (operation_at);
grant select, insert, delete on directory.alert_emails to coffer_service;
