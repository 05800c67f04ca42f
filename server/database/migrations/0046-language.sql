set lock_timeout = '2s';
set statement_timeout = '60s';

-- The previous version neither reads nor writes it. No row is rewritten or read.
alter table directory.people add column language text;
alter table directory.people
  add constraint people_language_check check (language in ('en', 'de', 'es')) not valid;
comment on column directory.people.language is 'Of the pages at /account and of emails; null: that of the browser.';
