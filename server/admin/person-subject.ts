/** The name of a person in the audit log. It contains nothing personal, so it can stay after the person is erased. */
export function personSubject(id: bigint): string {
  return `person/${id}`
}
