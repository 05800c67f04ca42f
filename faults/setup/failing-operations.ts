/** An operation that can never be written: a trigger that exists from the start and usually does nothing. */
export const CREATE_FAILING_TRIGGER = `
  create function ledger.faults_failing() returns trigger language plpgsql as
    $$ begin return new; end $$;
  create trigger faults_failing before insert on ledger.operations
    for each row when (new.reference_type = 'FAILING') execute function ledger.faults_failing()`

/** Replacing the function needs no lock on the table, so nothing waits for it. */
export function setFailing(fails: boolean): string {
  const body = fails ? `raise 'it fails on purpose'; return new;` : 'return new;'
  return `create or replace function ledger.faults_failing() returns trigger language plpgsql as
    $$ begin ${body} end $$`
}
