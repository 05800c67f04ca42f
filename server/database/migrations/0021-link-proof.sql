set lock_timeout = '5s';
set statement_timeout = '60s';

-- The proof that a link code reaches the browser and the app user that asked for it. The client app's backend keeps a
-- random verifier; the widget gets only its SHA-256, which travels from the login to the link code. Apps that exist
-- already, and apps that the previous version registers, do not have to send it.
alter table directory.client_apps add column requires_link_proof boolean not null default false;
comment on column directory.client_apps.requires_link_proof is 'Whether the exchange of a link code requires the verifier.';
alter table directory.tickets add column link_challenge bytea;
alter table directory.tickets add constraint tickets_link_challenge_check
  check (octet_length(link_challenge) = 32) not valid;
alter table directory.link_codes add column challenge bytea;
alter table directory.link_codes add constraint link_codes_challenge_check
  check (octet_length(challenge) = 32) not valid;
comment on column directory.link_codes.challenge is 'SHA-256 of the verifier that the exchange must send; null: none was given at the login.';
