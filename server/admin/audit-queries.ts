export interface AuditEntry {
  actor: string
  actorId: bigint | null
  address: string | null
  action: string
  subject: string | null
  before: object | null
  after: object | null
}

export function insertAudit(entry: AuditEntry) {
  const { actor, actorId, address, action, subject, before, after } = entry
  return {
    text: `insert into admin.audit (actor, actor_id, address, action, subject, before, after)
      values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb)`,
    values: [
      actor,
      actorId,
      address,
      action,
      subject,
      before && JSON.stringify(before),
      after && JSON.stringify(after),
    ],
  }
}
