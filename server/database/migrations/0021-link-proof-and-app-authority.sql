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

-- Who is notified of changes to a client app, and receives the secret after an emergency rotation.
alter table directory.client_apps add column contact_emails text[] not null default '{}';
alter table directory.client_apps add constraint client_apps_contact_emails_check
  check (cardinality(contact_emails) <= 10) not valid;
-- The link to a secret, for the contacts.
alter table directory.tickets drop constraint tickets_purpose_check;
alter table directory.tickets add constraint tickets_purpose_check
  check (purpose in (
    'sign_up', 'verify_email', 'consent', 'reset', 'reset_link', 'change_email', 'client_secret'
  )) not valid;

-- A change that gives a client app in use more power waits for a second operator, like a credit limit. It takes effect
-- in the transaction that decides it, so it is never 'approved' or 'refused': the previous version leaves it alone. An
-- approved rotation is used once, by its proposer.
alter table admin.grants add column change jsonb;
alter table admin.grants add column used_at timestamptz;
comment on column admin.grants.change is 'What changes in the client app; null: not a change of a client app.';
comment on column admin.grants.used_at is 'Of an approved rotation: when its proposer rotated the secret.';
grant update (used_at) on admin.grants to coffer_service;
alter table admin.grants drop constraint grants_kind_check;
alter table admin.grants add constraint grants_kind_check
  check (kind in ('bonus', 'correction_in', 'correction_out', 'credit_limit', 'app_change')) not valid;
alter table admin.grants drop constraint grants_subject_check;
alter table admin.grants add constraint grants_subject_check check (
  case
    when kind = 'app_change'
      then client_app_id is not null and service_user_id is null and wallet_id is null and amount is null
        and credit_limit is null and change is not null and needs_second and status not in ('approved', 'refused')
    when kind = 'credit_limit'
      then client_app_id is not null and service_user_id is null and wallet_id is null and change is null
        and status not in ('approved', 'refused') and (amount is null) = (credit_limit is null)
    else client_app_id is null and service_user_id is not null and wallet_id is not null
      and credit_limit is null and amount is not null and change is null
  end) not valid;
alter table admin.grants add constraint grants_used_check
  check (used_at is null or (kind = 'app_change' and status = 'posted')) not valid;
