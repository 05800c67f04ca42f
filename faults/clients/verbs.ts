/** The requests that the clients of the audit make. */
export const VERBS = ['debit', 'credit', 'balance', 'history', 'lookup', 'refund'] as const
export type Verb = (typeof VERBS)[number]
/** Those that move money. */
export type MoveVerb = 'debit' | 'credit' | 'refund'

export function isMove(verb: Verb): verb is MoveVerb {
  return verb === 'debit' || verb === 'credit' || verb === 'refund'
}

/** The verb of a kind of operation that client apps make. */
export function verbOf(kind: string): MoveVerb | undefined {
  if (kind === 'debit_refund') return 'refund'
  return kind === 'debit' || kind === 'credit' ? kind : undefined
}
