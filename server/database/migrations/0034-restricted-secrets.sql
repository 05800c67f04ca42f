set lock_timeout = '2s';
set statement_timeout = '60s';

-- No default, so no row is rewritten. The hash of a restricted secret covers this column: a process of the previous
-- version, which does not read it, refuses the secret instead of accepting it for everything.
alter table directory.client_secrets add column restriction jsonb;
comment on column directory.client_secrets.restriction is 'What the secret is limited to: { name, scopes, networks }. null: it can do everything that the client app can do.';
