set lock_timeout = '5s';
set statement_timeout = '60s';

-- What operators look for among top-ups. The two marks are set for good by triggers, whoever writes the row.
alter table directory.topups add column settled_by text;
comment on column directory.topups.settled_by is 'Who brought the news that it was paid: page, webhook, sweeper or command; null: nobody noted it.';
alter table directory.topups add column has_refund boolean not null default false;
alter table directory.topups add column has_dispute boolean not null default false;
update directory.topups set has_refund = true where id in (select topup_id from directory.refunds);

-- Whoever begins a top-up meanwhile waits for a few seconds at most; debits and credits do not come here.
-- squawk-ignore require-concurrent-index-creation
create index topups_by_state on directory.topups (status, created_at);
-- squawk-ignore require-concurrent-index-creation
create index topups_by_app on directory.topups (client_app_id, created_at);
-- squawk-ignore require-concurrent-index-creation
create index topups_refunded on directory.topups (created_at) where has_refund;
-- squawk-ignore require-concurrent-index-creation
create index topups_disputed on directory.topups (created_at) where has_dispute;

-- Refunds that somebody made at the processor stand here as well; only ours are ever reserved.
alter table directory.refunds add column is_foreign boolean not null default false;
alter table directory.refunds add column reason text;
comment on column directory.refunds.reason is 'In the words of the operator; null: it was not asked for in the operators'' area.';
alter table directory.refunds add column checks bigint not null default 0;
alter table directory.refunds add column next_check_at timestamptz not null default now() + interval '30 seconds';
-- Few refunds are reserved at any time.
-- squawk-ignore require-concurrent-index-creation
create index refunds_due on directory.refunds (next_check_at) where status = 'reserved';
-- squawk-ignore require-concurrent-index-deletion
drop index directory.refunds_reserved;

-- Disputes as the processor last told of them. The money that they moved is in the ledger, under the ids listed here.
create table directory.disputes (
  id text primary key,
  topup_id uuid not null references directory.topups (id),
  amount bigint not null,
  status text not null,
  reason text not null,
  opened_at timestamptz not null,
  respond_by timestamptz,
  withdrawals text[] not null,
  reinstatements text[] not null,
  asked_at timestamptz not null
);
comment on column directory.disputes.status is 'In the processor''s words.';
comment on column directory.disputes.respond_by is 'Until when evidence can be given; null: not at all.';
comment on column directory.disputes.asked_at is 'When the processor was asked for all this; an answer to an earlier question changes nothing.';
create index disputes_by_topup on directory.disputes (topup_id);
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

-- Of which top-up the processor kept it.
alter table directory.processor_fees add column topup_id uuid;
-- As above: a few seconds at most.
-- squawk-ignore require-concurrent-index-creation
create index processor_fees_by_topup on directory.processor_fees (topup_id);
grant update (topup_id) on directory.processor_fees to coffer_service;
