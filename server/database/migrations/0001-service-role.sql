set lock_timeout = '5s';
set statement_timeout = '60s';

-- The role that the service runs as (every connection sets it). It owns nothing: what it may do is granted table by
-- table. Roles belong to the whole cluster, so another database may have created it already.
do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'coffer_service') then
    create role coffer_service nologin;
  end if;
exception when duplicate_object or unique_violation then
  null;
end
$$;
