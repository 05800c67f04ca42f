/** The requests that the clients send. */
export const VERBS = ['debit', 'credit', 'balance', 'history', 'lookup'] as const
export type Verb = (typeof VERBS)[number]
