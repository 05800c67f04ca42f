set lock_timeout = '2s';
set statement_timeout = '60s';

-- The ticket that a person gets for the password, to pay once with a saved card in the widget. No row is checked.
alter table directory.tickets drop constraint tickets_purpose_check;
alter table directory.tickets add constraint tickets_purpose_check
  check (purpose in (
    'sign_up', 'verify_email', 'consent', 'reset', 'reset_link', 'change_email', 'client_secret', 'saved_card'
  )) not valid;
