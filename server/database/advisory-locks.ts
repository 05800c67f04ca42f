/**
 * The numbers of all advisory locks, so that no two subjects use the same one. Functions of the schema take some of
 * them; a comment there has the name.
 */
export const ADVISORY_LOCKS = {
  /** Who creates a month of ledger.operations. */
  operationPartitions: 7241865325823965,
  /** Who gives a ledger account its first credit limit. */
  firstCreditLimit: 7241865325823966,
  /** Who adds an entry to the audit chain. Only in SQL. */
  auditChain: 7241865325823967,
  /** Who creates and drops weeks of events.events. Only in SQL. */
  eventPartitions: 7241865325823968,
  /** Who numbers events. */
  eventNumbers: 7241865325823969,
  /** Shared: who erases the texts of a closed wallet. Exclusive: who attaches a restored month. */
  erasedTexts: 7241865325823970,
  /** Who decides which app has which origin. */
  appOrigins: 5063746182950117,
  /** Who checks the limit of grants. */
  grants: 8120463775192604,
}
