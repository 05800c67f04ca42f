/** What `coffer check` runs. */
export const CHECKS = ['doctor', 'reconcile', 'checkpoint', 'verify'] as const
export type CheckName = (typeof CHECKS)[number]
