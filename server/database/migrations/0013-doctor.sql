-- coffer doctor tells, as the service's own role, which migrations are missing and whether an operation has found no
-- partition of its month.
grant select on public.migrations to coffer_service;
grant select on ledger.operations_default to coffer_service;
