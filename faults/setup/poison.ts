/** An operation that can never be written: a trigger that exists from the start and usually does nothing. */
export const PLANT_POISON = `
  create function ledger.faults_poison() returns trigger language plpgsql as
    $$ begin return new; end $$;
  create trigger faults_poison before insert on ledger.operations
    for each row when (new.reference_type = 'POISON') execute function ledger.faults_poison()`

/** Replacing the function needs no lock on the table, so nothing waits for it. */
export function setPoison(isDeadly: boolean): string {
  const body = isDeadly ? `raise 'poisoned'; return new;` : 'return new;'
  return `create or replace function ledger.faults_poison() returns trigger language plpgsql as
    $$ begin ${body} end $$`
}
