set lock_timeout = '5s';
set statement_timeout = '60s';

-- A top-up that is given back to the card: like a debit, but the service's own, and allowed on a frozen wallet.
alter type ledger.kind add value if not exists 'refund' after 'reversal';

-- Written before the processor is asked; the id is the processor's idempotency key.
create table directory.topups (
  id uuid primary key default gen_random_uuid(),
  service_user_id bigint not null references directory.service_users (id),
  wallet_id bigint not null,
  client_app_id bigint not null references directory.client_apps (id),
  amount bigint not null check (amount > 0),
  intent_id text unique,
  status text not null default 'open' check (status in ('open', 'credited', 'ended')),
  checks bigint not null default 0,
  next_check_at timestamptz not null default now() + interval '10 seconds',
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
comment on column directory.topups.intent_id is 'null until the processor has answered.';
comment on column directory.topups.status is 'ended: cancelled at the processor, so it cannot be paid any more.';
create index topups_by_user on directory.topups (service_user_id, created_at);
create index topups_by_time on directory.topups (created_at);
create index topups_due on directory.topups (next_check_at) where status = 'open';
grant select, insert, update on directory.topups to coffer_service;

create table directory.refunds (
  id uuid primary key default gen_random_uuid(),
  topup_id uuid not null references directory.topups (id),
  amount bigint not null check (amount > 0),
  status text not null default 'reserved' check (status in ('reserved', 'refused', 'sent', 'released')),
  stripe_id text unique,
  created_at timestamptz not null default now()
);
create index refunds_by_topup on directory.refunds (topup_id);
create index refunds_reserved on directory.refunds (created_at) where status = 'reserved';
grant select, insert, update on directory.refunds to coffer_service;

-- Events of the processor that were heard of, by webhook or by asking; each is brought home once.
create table directory.processor_events (
  id text primary key,
  type text not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz
);
create index processor_events_by_time on directory.processor_events (received_at);
grant select, insert, update, delete on directory.processor_events to coffer_service;

-- What the processor kept, by its own entry. Fees are the platform's and touch no wallet.
create table directory.processor_fees (
  id text primary key,
  source text not null,
  amount bigint not null,
  currency text not null,
  booked_at timestamptz not null default now()
);
comment on column directory.processor_fees.currency is 'The one that the processor settles in; the amount is in its units.';
grant select, insert on directory.processor_fees to coffer_service;

-- Whose turn a chore is: one process at a time, not more often than told.
create table directory.turns (
  name text primary key,
  next_at timestamptz not null,
  done_at timestamptz
);
comment on column directory.turns.done_at is 'When it was last done to the end.';
grant select, insert, update on directory.turns to coffer_service;
