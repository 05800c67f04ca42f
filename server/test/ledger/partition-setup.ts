/** Changes the partitions of the ledger. */
import type pg from 'pg'

/** Detaches every monthly partition, as archiving does. Returns a function that attaches them again. */
export async function detachMonths(admin: pg.ClientBase): Promise<() => Promise<void>> {
  const { rows } = await admin.query<{ name: string; bound: string }>(
    `select c.oid::regclass::text as name, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = 'ledger.operations'::regclass and c.relname <> 'operations_default'`,
  )
  for (const { name } of rows) {
    await admin.query(`alter table ledger.operations detach partition ${name}`)
  }
  return async () => {
    await admin.query('create table moved as select * from ledger.operations_default')
    await admin.query('delete from ledger.operations_default')
    for (const { name, bound } of rows) {
      await admin.query(`alter table ledger.operations attach partition ${name} ${bound}`)
    }
    await admin.query('insert into ledger.operations select * from moved; drop table moved')
  }
}

/** SQL that creates partitions for past months; otherwise only those of this month and later ones exist. */
export function createPastMonths(months: number): string {
  return `do $$
    declare first_day date;
    begin
      for back in 1..${months} loop
        first_day := date_trunc('month', now() at time zone 'UTC')::date - make_interval(months => back);
        execute format('create table if not exists ledger.operations_%s partition of ledger.operations for values from (%L) to (%L)',
          to_char(first_day, 'YYYY_MM'), first_day || ' 00:00+00',
          (first_day + interval '1 month')::date || ' 00:00+00');
      end loop;
    end $$;`
}
