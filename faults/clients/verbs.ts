/** The requests that the clients of the audit make. */
export const VERBS = [
  'debit',
  'credit',
  'balance',
  'history',
  'lookup',
  'refund',
  'hold',
  'capture',
  'release',
] as const
export type Verb = (typeof VERBS)[number]
/** Those that move money. */
export type MoveVerb = Exclude<Verb, 'balance' | 'history' | 'lookup'>

export function isMove(verb: Verb): verb is MoveVerb {
  return verb !== 'balance' && verb !== 'history' && verb !== 'lookup'
}

/** Whether it names an earlier operation, and no user. */
export function hasTarget(verb: Verb): boolean {
  return verb === 'refund' || verb === 'capture' || verb === 'release'
}

/** The verb of a kind of operation that client apps make. */
export function verbOf(kind: string): MoveVerb | undefined {
  return VERBS.filter(isMove).find((verb) => verb === kind)
}
