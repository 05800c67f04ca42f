set lock_timeout = '2s';
set statement_timeout = '60s';

-- What client apps store with their operations. A table of its own: operations without metadata do not pay for it, the
-- hash does not cover it, and it can be erased.
create table ledger.metadata (
  digest uuid primary key,
  wallet_id bigint not null,
  data json not null
);
comment on table ledger.metadata is 'Keys and values that a client app stored with an operation, posted or refused. Only that app sees them.';
comment on column ledger.metadata.digest is 'The digest of the operation.';
create index metadata_by_wallet on ledger.metadata (wallet_id);
grant select, insert on ledger.metadata to coffer_service;

-- The service cannot change or delete operations. This function clears what people can read in them, and only in a
-- wallet whose owner was deleted. No hash covers these texts.
create function ledger.erase_texts(wallet bigint) returns void
language plpgsql security definer set search_path = pg_catalog as $$
begin
  if not exists (select from ledger.wallets where id = wallet and closed_at is not null) then
    raise exception 'Wallet % is not closed, so its texts are not erased.', wallet;
  end if;
  delete from ledger.metadata where wallet_id = wallet;
  update ledger.operations set description = null where wallet_id = wallet and description is not null;
end
$$;
comment on function ledger.erase_texts(bigint) is 'Clears the descriptions and the metadata of a closed wallet.';
revoke all on function ledger.erase_texts(bigint) from public;
grant execute on function ledger.erase_texts(bigint) to coffer_service;

-- Wallets that were closed by an earlier version. Nobody else writes to them.
set statement_timeout = '1h';
select ledger.erase_texts(id) from ledger.wallets where closed_at is not null;
