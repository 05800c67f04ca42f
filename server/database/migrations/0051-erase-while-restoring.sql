set lock_timeout = '2s';
set statement_timeout = '60s';

-- The same as before, except for the lock: a restore of an archived month takes it until the month is part of the
-- operations again, so that it misses no text of a wallet that is closed meanwhile.
create or replace function ledger.erase_texts(wallet bigint) returns void
language plpgsql security definer set search_path = pg_catalog as $$
begin
  if not exists (select from ledger.wallets where id = wallet and closed_at is not null) then
    raise exception 'Wallet % is not closed, so its texts are not erased.', wallet;
  end if;
  perform pg_advisory_xact_lock_shared(7241865325823970);
  delete from ledger.metadata where wallet_id = wallet;
  delete from ledger.spend_limits where wallet_id = wallet;
  update ledger.wallets set has_spend_limits = false where id = wallet and has_spend_limits;
  update ledger.operations set description = null where wallet_id = wallet and description is not null;
end
$$;
