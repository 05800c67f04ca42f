set lock_timeout = '5s';
set statement_timeout = '60s';

-- Operators look people up: by the beginning of the e-mail, by beginnings of the words of the name, by a link. An
-- index of hundreds of thousands of rows takes about a second; sign-ups, links and unlinking wait that long.
-- squawk-ignore require-concurrent-index-creation
create index people_by_email_start on directory.people (lower(email) text_pattern_ops);
-- squawk-ignore require-concurrent-index-creation
create index people_by_name on directory.people
  using gin (to_tsvector('simple', first_name || ' ' || last_name)) with (fastupdate = off);
-- The ended ones too.
-- squawk-ignore require-concurrent-index-creation
create index links_by_user on directory.links (service_user_id);
