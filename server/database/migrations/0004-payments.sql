-- squawk-ignore-file require-lock-timeout, require-statement-timeout
-- What the service and the card processor know about the same payments.

-- Written before the processor is asked; the id is the processor's idempotency key.
create table directory.topups (
  id uuid primary key default gen_random_uuid(),
  service_user_id bigint not null references directory.service_users (id),
  wallet_id bigint not null,
  -- The client app in whose widget the top-up was started; null: at /account.
  client_app_id bigint references directory.client_apps (id),
  amount bigint not null check (amount > 0),
  -- null until the processor has answered.
  intent_id text unique,
  -- ended: canceled at the processor, so it cannot be paid any more.
  status text not null default 'open' check (status in ('open', 'credited', 'ended')),
  checks bigint not null default 0,
  next_check_at timestamptz not null default now() + interval '10 seconds',
  created_at timestamptz not null default now(),
  -- When it was credited or ended; null: it is open.
  ended_at timestamptz,
  -- What reported first that it was paid: page, webhook, sweeper or command; null: not recorded.
  reported_by text,
  -- Set by triggers, and never reset.
  has_refund boolean not null default false,
  has_dispute boolean not null default false,
  -- Declined cards and failed 3-D Secure checks. Each event of the processor counts once.
  failures bigint not null default 0,
  -- When the service was notified of the last one.
  failed_at timestamptz,
  -- Whose saved cards are involved; null: no saved card.
  customer_id text,
  -- The saved card that pays; null: the person enters one, and it is saved if there is a customer.
  card_id text,
  -- The service charges the saved card without the person.
  is_automatic boolean not null default false,
  -- The terms of an automatic top-up. It is only charged while they are the current ones.
  terms_id uuid
);
create index topups_by_user on directory.topups (service_user_id, created_at);
create index topups_by_time on directory.topups (created_at);
create index topups_by_state on directory.topups (status, created_at);
create index topups_by_app on directory.topups (client_app_id, created_at);
create index topups_due on directory.topups (next_check_at) where status = 'open';
create index topups_refunded on directory.topups (created_at) where has_refund;
create index topups_disputed on directory.topups (created_at) where has_dispute;
create unique index topups_one_automatic on directory.topups (service_user_id) where is_automatic and status = 'open';
grant select, insert, update on directory.topups to coffer_service;

-- Refunds to the card, including those that somebody made at the processor. Only our own are ever reserved.
create table directory.refunds (
  id uuid primary key default gen_random_uuid(),
  topup_id uuid not null references directory.topups (id),
  amount bigint not null check (amount > 0),
  status text not null default 'reserved' check (status in ('reserved', 'refused', 'sent', 'released')),
  stripe_id text unique,
  created_at timestamptz not null default now(),
  made_at_processor boolean not null default false,
  -- In the words of the operator; null: it was not requested in the admin area.
  reason text,
  checks bigint not null default 0,
  next_check_at timestamptz not null default now() + interval '30 seconds'
);
create index refunds_by_topup on directory.refunds (topup_id);
create index refunds_due on directory.refunds (next_check_at) where status = 'reserved';
grant select, insert, update on directory.refunds to coffer_service;

-- Disputes as the processor last described them. The money that they moved is in the ledger, under the ids listed here.
create table directory.disputes (
  id text primary key,
  topup_id uuid not null references directory.topups (id),
  amount bigint not null,
  -- In the processor's words.
  status text not null,
  reason text not null,
  opened_at timestamptz not null,
  -- Until when evidence can be submitted; null: it cannot.
  respond_by timestamptz,
  withdrawals text[] not null,
  reinstatements text[] not null,
  -- When this state was requested from the processor. A response to an earlier request does not overwrite it.
  asked_at timestamptz not null
);
create index disputes_by_topup on directory.disputes (topup_id);
create index disputes_unanswered on directory.disputes (respond_by) where status like '%needs_response';
grant select, insert, update on directory.disputes to coffer_service;

create function directory.mark_topup() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tg_table_name = 'refunds' then
    update directory.topups set has_refund = true where id = new.topup_id and not has_refund;
  else
    update directory.topups set has_dispute = true where id = new.topup_id and not has_dispute;
  end if;
  return null;
end
$$;
create trigger mark_topup after insert on directory.refunds for each row execute function directory.mark_topup();
create trigger mark_topup after insert on directory.disputes for each row execute function directory.mark_topup();

-- Events of the processor that the service knows of, from a webhook or because it asked. Each is processed once.
create table directory.processor_events (
  id text primary key,
  type text not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  -- A failed payment is counted before its event is processed: what follows from the count may fail and is tried again
  -- with the event.
  counted_at timestamptz
);
create index processor_events_by_time on directory.processor_events (received_at);
grant select, insert, update, delete on directory.processor_events to coffer_service;

-- How far the service has asked the processor for events.
create table directory.polled_events (
  only_row boolean primary key default true check (only_row),
  -- Every event before it is processed; null: the service has never asked.
  polled_to timestamptz
);
insert into directory.polled_events default values;
grant select, update (polled_to) on directory.polled_events to coffer_service;

-- Fees that the processor kept, by the id of its balance transaction. The platform pays the fees; they touch no wallet.
create table directory.processor_fees (
  id text primary key,
  source text not null,
  amount bigint not null,
  -- The currency of the balance at the processor. The amount is in its minor units.
  currency text not null,
  booked_at timestamptz not null default now(),
  topup_id uuid
);
create index processor_fees_by_topup on directory.processor_fees (topup_id);
grant select, insert, update (topup_id) on directory.processor_fees to coffer_service;

-- The person at the card processor, who has the saved cards. Only the processor stores cards. The row outlives the
-- person, so that the service can delete the cards at the processor.
create table directory.customers (
  service_user_id bigint primary key references directory.service_users (id),
  -- The id of the customer at the processor.
  customer_id text not null unique,
  -- When the person was deleted. Then the customer is deleted at the processor, and after that the row.
  ended_at timestamptz
);
create index customers_ended on directory.customers (ended_at) where ended_at is not null;
grant select, insert, update, delete on directory.customers to coffer_service;

create function directory.end_customer() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  update directory.customers set ended_at = now() where service_user_id = old.service_user_id;
  return null;
end
$$;
create trigger end_customer after delete on directory.people for each row execute function directory.end_customer();

-- When and how money is added automatically, as the person agreed.
create table directory.automatic_topups (
  service_user_id bigint primary key references directory.people (service_user_id) on delete cascade,
  -- Money is added while the balance, with what is reserved, is below this.
  threshold bigint not null check (threshold > 0),
  amount bigint not null check (amount > 0),
  -- The most per calendar month in the time zone. Open payments count.
  month_max bigint not null check (month_max >= amount),
  time_zone text not null,
  card_id text not null,
  -- What the person sees of the card: brand and last digits.
  card_name text not null,
  -- The text that the person agreed to.
  consent text not null,
  consented_at timestamptz not null default now(),
  -- An hour after the last attempt.
  next_try_at timestamptz not null default now(),
  -- Since the last payment that succeeded.
  failures bigint not null default 0,
  -- authentication: the bank requires the cardholder to authenticate. failures: too many declines. card: it was
  -- removed. null: it is not suspended.
  suspended_for text check (suspended_for in ('authentication', 'failures', 'card')),
  -- A new one whenever the person saves the terms.
  terms_id uuid not null default gen_random_uuid()
);
create index automatic_topups_due on directory.automatic_topups (next_try_at) where suspended_for is null;
grant select, insert, update, delete on directory.automatic_topups to coffer_service;
