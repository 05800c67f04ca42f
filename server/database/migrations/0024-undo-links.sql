set lock_timeout = '2s';
set statement_timeout = '60s';

-- The link that the previous address gets after a change of the email address. A reset of the password and another
-- change must not end it, so it is not a ticket.
create table directory.undo_links (
  ticket_hash bytea primary key check (octet_length(ticket_hash) = 32),
  service_user_id bigint not null references directory.service_users (id),
  email text not null,
  expires_at timestamptz not null
);
comment on column directory.undo_links.email is 'The address that the link restores.';
create index undo_links_by_user on directory.undo_links (service_user_id);
create index undo_links_by_expiry on directory.undo_links (expires_at);
grant select, insert, delete on directory.undo_links to coffer_service;
