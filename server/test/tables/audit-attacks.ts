/** What a superuser does to an audit log of at least 12 entries, with a checkpoint after 8, and what verify finds. */

/** The entry with this number, as a subquery. */
export const entryOf = (seq: number) =>
  `(select audit_id from admin.audit_chain where seq = ${seq})`
/** All hashes from this number on, computed again, as the trigger would have done. */
const RECHAIN = (from: number) => `do $$
  declare chained record; previous bytea;
  begin
    select hash into previous from admin.audit_chain where seq = ${from} - 1;
    previous := coalesce(previous, decode(repeat('00', 32), 'hex'));
    for chained in select c.seq, a as entry from admin.audit_chain c join admin.audit a on a.id = c.audit_id
      where c.seq >= ${from} order by c.seq
    loop
      previous := admin.hash_entry(previous, chained.seq, chained.entry);
      update admin.audit_chain set hash = previous where seq = chained.seq;
    end loop;
  end $$`

interface AuditAttack {
  name: string
  sql: string
  /** What verify finds without a checkpoint; null: nothing. */
  fault: RegExp | null
  /** With a checkpoint, if it is different. */
  checked?: RegExp
  /** Everything from after the checkpoint, if it is different from `checked`. */
  incremental?: null
}

const NEWEST = 'where seq > (select max(seq) - 6 from admin.audit_chain)'
const CHANGED =
  /^audit entry \d+ \(seq 5\): the entry, its hash or its position in the chain was changed$/
const MISSING = /^audit log, seq 5: it is missing$/
const OLD = { fault: CHANGED, incremental: null }

export const AUDIT_ATTACKS: readonly AuditAttack[] = [
  ...Object.entries({
    at: `at + interval '1 microsecond'`,
    actor: `actor || ' '`,
    actor_id: 'coalesce(actor_id, 0) + 1',
    address: 'null',
    action: `'test.read'`,
    subject: `coalesce(subject, '') || '-'`,
    before: `'{}'`,
    after: `after || '{"amount": "1.0"}'`,
  }).map(([column, value]) => ({
    name: `changes the column ${column}`,
    sql: `update admin.audit set ${column} = ${value} where id = ${entryOf(5)}`,
    ...OLD,
  })),
  {
    name: 'writes an empty text instead of null',
    sql: `update admin.audit set subject = '' where id = ${entryOf(6)} and subject is null`,
    fault: /seq 6\): the entry, its hash or its position in the chain was changed$/,
    incremental: null,
  },
  {
    name: 'changes a hash',
    sql: `update admin.audit_chain set hash = sha256('') where seq = 5`,
    ...OLD,
  },
  {
    name: 'deletes an entry',
    sql: `delete from admin.audit where id = ${entryOf(5)}`,
    fault: /^audit entry \d+ \(seq 5\): the entry is missing$/,
    incremental: null,
  },
  {
    name: 'deletes an entry and its hash',
    sql: `delete from admin.audit where id = ${entryOf(5)}; delete from admin.audit_chain where seq = 5`,
    fault: MISSING,
    incremental: null,
  },
  {
    name: 'deletes an entry and closes the gap with new hashes',
    sql: `delete from admin.audit where id = ${entryOf(5)};
      delete from admin.audit_chain where seq = 5;
      update admin.audit_chain set seq = seq + 1000 where seq > 5;
      update admin.audit_chain set seq = seq - 1001 where seq > 1000;
      ${RECHAIN(5)}`,
    fault: null,
    checked: /^audit log, seq 8: its hash is not the one in the checkpoint$/,
  },
  {
    name: 'swaps the contents of two entries',
    sql: `update admin.audit a set action = b.action, subject = b.subject, actor = b.actor
      from admin.audit b where a.id in (${entryOf(5)}, ${entryOf(7)})
        and b.id in (${entryOf(5)}, ${entryOf(7)}) and a.id <> b.id`,
    ...OLD,
  },
  {
    name: 'swaps the numbers of two entries',
    sql: `update admin.audit_chain set seq = 1005 where seq = 5;
      update admin.audit_chain set seq = 5 where seq = 6;
      update admin.audit_chain set seq = 6 where seq = 1005`,
    ...OLD,
  },
  {
    name: 'swaps the entries of two hashes',
    sql: `update admin.audit_chain set audit_id = -audit_id where seq in (5, 6);
      update admin.audit_chain c set audit_id = -d.audit_id from admin.audit_chain d
      where c.seq in (5, 6) and d.seq = 11 - c.seq`,
    ...OLD,
  },
  {
    name: 'removes the newest entries and their hashes',
    sql: `delete from admin.audit where id in (select audit_id from admin.audit_chain ${NEWEST});
      delete from admin.audit_chain ${NEWEST}`,
    fault: null,
    checked: /^audit log, seq 8: it is missing, but the checkpoint has it$/,
  },
  {
    name: 'removes everything',
    sql: 'truncate admin.audit, admin.audit_chain',
    fault: null,
    checked: /^audit log, seq 8: it is missing, but the checkpoint has it$/,
  },
  {
    name: 'adds an entry that is not in the chain',
    sql: `insert into admin.audit (actor, action) values ('x', 'y')`,
    fault: /^audit entry \d+: the entry is not in the hash chain$/,
  },
  {
    name: 'adds an entry with a negative id',
    sql: `insert into admin.audit (id, actor, action) overriding system value values (-5, 'x', 'y')`,
    fault: /^audit entry -5: the entry is not in the hash chain$/,
  },
  {
    name: 'adds a backdated entry to the end of the chain',
    sql: `set session_replication_role = origin;
      insert into admin.audit (at, actor, action) values (now() - interval '61 minutes', 'x', 'y')`,
    fault: /: its time is more than an hour before that of an earlier entry$/,
  },
  {
    name: 'rewrites an old entry and all hashes after it',
    sql: `update admin.audit set actor = 'somebody else' where id = ${entryOf(5)}; ${RECHAIN(5)}`,
    fault: null,
    checked: /^audit log, seq 8: its hash is not the one in the checkpoint$/,
  },
]
