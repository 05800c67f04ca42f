set lock_timeout = '5s';
set statement_timeout = '60s';

-- An operator puts a balance right. Two kinds, because the kind tells the direction and a row's sign only repeats it.
alter type ledger.kind add value if not exists 'correction_in' after 'refund';
alter type ledger.kind add value if not exists 'correction_out' after 'correction_in';
insert into ledger.accounts (id, name) values (3, 'correction');

-- Who gave whom new means to log in, and so could have used them. Nothing is ever removed: what one person could
-- do then, that person could have done. Creation stands in operators.created_by.
create table admin.operator_resets (
  operator_id bigint not null references admin.operators (id),
  reset_by bigint not null references admin.operators (id),
  first_at timestamptz not null default now(),
  primary key (operator_id, reset_by),
  check (operator_id <> reset_by)
);
grant select, insert on admin.operator_resets to coffer_service;
insert into admin.operator_resets (operator_id, reset_by, first_at)
  select o.id, a.actor_id, min(a.at) from admin.audit a join admin.operators o on o.email = a.subject
  where a.action = 'operator.change' and a.actor_id <> o.id
    and a.before ->> 'hasAuthenticator' = 'true' and a.after ->> 'hasAuthenticator' = 'false'
  group by 1, 2;

-- Money that an operator gives or puts right. The id comes from the page and names the operation in the ledger, so
-- that whatever is sent or done twice happens once. What was proposed cannot be changed any more.
create table admin.grants (
  id uuid primary key,
  service_user_id bigint not null references directory.service_users (id),
  wallet_id bigint not null,
  kind text not null check (kind in ('bonus', 'correction_in', 'correction_out')),
  amount bigint not null check (amount > 0),
  reason text not null check (char_length(reason) between 3 and 500),
  needs_second boolean not null,
  status text not null check (status in ('open', 'approved', 'posted', 'refused', 'rejected', 'withdrawn')),
  proposed_by bigint not null references admin.operators (id),
  proposed_at timestamptz not null default now(),
  second_operator bigint references admin.operators (id),
  decided_at timestamptz,
  declined_because text check (char_length(declined_because) between 3 and 500),
  refusal text,
  -- The rule itself, once more: a second operator is another one, and where one is needed nothing moves without.
  check (second_operator <> proposed_by),
  check (not needs_second or second_operator is not null or status in ('open', 'withdrawn')),
  check (needs_second or (second_operator is null and status in ('approved', 'posted', 'refused'))),
  check (second_operator is null or status not in ('open', 'withdrawn')),
  check ((status = 'open') = (decided_at is null)),
  check ((status in ('rejected', 'withdrawn')) = (declined_because is not null)),
  check ((status = 'refused') = (refusal is not null))
);
comment on column admin.grants.needs_second is 'Whether it was above what the operator and those related may give in 24 hours without a second one.';
comment on column admin.grants.status is 'approved: decided, and the ledger has not answered yet; refused: by the ledger.';
comment on column admin.grants.second_operator is 'Who approved or rejected it.';
create index grants_by_time on admin.grants (proposed_at, id);
create index grants_by_person on admin.grants (service_user_id, proposed_at, id);
create index grants_waiting on admin.grants (proposed_at, id) where status in ('open', 'approved');
create index grants_without_second on admin.grants (proposed_by, decided_at) where not needs_second;
grant select, insert on admin.grants to coffer_service;
grant update (status, second_operator, decided_at, declined_because, refusal) on admin.grants to coffer_service;
