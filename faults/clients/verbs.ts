/** The requests that the clients of the audit make. */
export const VERBS = ['debit', 'credit', 'balance', 'history', 'lookup'] as const
export type Verb = (typeof VERBS)[number]
