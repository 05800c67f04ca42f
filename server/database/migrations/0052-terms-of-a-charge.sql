set lock_timeout = '2s';
set statement_timeout = '60s';

-- Which terms a charge was started with, so that it is not made after the person has replaced them. Every row gets its
-- own value, so the table is rewritten: it has one row per person with automatic top-up, and debits do not use it.
-- squawk-ignore adding-field-with-default
alter table directory.automatic_topups add column terms_id uuid not null default gen_random_uuid();
comment on column directory.automatic_topups.terms_id is 'A new one whenever the person saves the terms.';
alter table directory.topups add column terms_id uuid;
comment on column directory.topups.terms_id is 'The terms of an automatic top-up. It is only charged while they are the current ones.';
