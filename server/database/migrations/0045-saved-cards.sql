set lock_timeout = '2s';
set statement_timeout = '60s';

-- The person at the card processor, who has the saved cards. Only the processor stores cards. The row outlives the
-- person, so that the service can delete the cards at the processor.
create table directory.customers (
  service_user_id bigint primary key references directory.service_users (id),
  customer_id text not null unique,
  ended_at timestamptz
);
comment on column directory.customers.customer_id is 'The id of the customer at the processor.';
comment on column directory.customers.ended_at is 'When the person was deleted. Then the customer is deleted at the processor, and after that the row.';
create index customers_ended on directory.customers (ended_at) where ended_at is not null;
grant select, insert, update, delete on directory.customers to coffer_service;

-- A trigger, because a process of the previous version deletes people, too.
create function directory.end_customer() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  update directory.customers set ended_at = now() where service_user_id = old.service_user_id;
  return null;
end
$$;
create trigger end_customer after delete on directory.people for each row execute function directory.end_customer();

-- When and how money is added by itself, as the person agreed.
create table directory.automatic_topups (
  service_user_id bigint primary key references directory.people (service_user_id) on delete cascade,
  threshold bigint not null check (threshold > 0),
  amount bigint not null check (amount > 0),
  month_max bigint not null check (month_max >= amount),
  time_zone text not null,
  card_id text not null,
  card_name text not null,
  consent text not null,
  consented_at timestamptz not null default now(),
  next_try_at timestamptz not null default now(),
  failures bigint not null default 0,
  paused_for text check (paused_for in ('authentication', 'failures', 'card'))
);
comment on column directory.automatic_topups.threshold is 'Money is added while the balance, with what is reserved, is below this.';
comment on column directory.automatic_topups.month_max is 'The most per calendar month in the time zone. Open payments count.';
comment on column directory.automatic_topups.card_name is 'What the person sees of the card: brand and last digits.';
comment on column directory.automatic_topups.consent is 'The text that the person agreed to.';
comment on column directory.automatic_topups.next_try_at is 'An hour after the last attempt.';
comment on column directory.automatic_topups.failures is 'Since the last payment that succeeded.';
comment on column directory.automatic_topups.paused_for is 'authentication: the bank asks for the card holder. failures: too many declines. card: it was removed. null: active.';
create index automatic_topups_due on directory.automatic_topups (next_try_at) where paused_for is null;
grant select, insert, update, delete on directory.automatic_topups to coffer_service;

-- Constant defaults, so no row is rewritten.
alter table directory.topups add column customer_id text;
alter table directory.topups add column card_id text;
alter table directory.topups add column is_automatic boolean not null default false;
comment on column directory.topups.customer_id is 'Whose saved cards are involved; null: no saved card.';
comment on column directory.topups.card_id is 'The saved card that pays; null: the person enters one, and it is saved if there is a customer.';
comment on column directory.topups.is_automatic is 'The service charges the saved card by itself.';
-- Whoever starts a top-up meanwhile waits; debits and credits do not use this table.
-- squawk-ignore require-concurrent-index-creation
create unique index topups_one_automatic on directory.topups (service_user_id) where is_automatic and status = 'open';
