/** The part of messages.ts about the overview and statements. */

const number = new Intl.NumberFormat('en')

export const overviewWords = {
  overview: {
    title: 'Overview',
    periods: { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days' },
    periodLabel: 'Period',
    lead: {
      hour: 'By hour (UTC). The current hour is not complete.',
      day: 'By day (UTC). Today is not complete.',
    },
    debits: 'Debits',
    credits: 'Credits',
    topups: 'Top-ups',
    walletsTotal: 'Total in wallets',
    requests: 'Requests',
    operations: (count: number) =>
      `${number.format(count)} ${count === 1 ? 'operation' : 'operations'}`,
    owed: (amount: string) => `now; people owe ${amount}`,
    now: 'now, in all wallets together',
    noRequests: 'by client apps and people',
    refused: 'Refused',
    ofRequests: (share: string) => `${share} of requests`,
    failed: (share: string) => `${share} failed on our side`,
    compared: (period: string) => ` compared with the previous ${period}`,
    comparedLead: (period: string) =>
      `Percentages compare the complete hours with those of the previous ${period}.`,
    others: 'Also moved',
    kinds: {
      bonus: 'bonuses',
      card_refund: 'refunds to cards',
      refund: 'refunds of debits',
      hold: 'held by apps',
      capture: 'captured from holds',
      release: 'released from holds',
      expiry: 'returned by expired holds',
      seizure: 'taken by disputes',
      reversal: 'returned by disputes',
      correction_in: 'corrections up',
      correction_out: 'corrections down',
    } as Record<string, string>,
    other: (amount: string, kind: string, count: number) =>
      `${amount} ${kind} (${number.format(count)})`,
    unclaimed: (amount: string) =>
      `Unclaimed: ${amount} arrived after accounts were deleted. Coffer cannot pay it out: follow the rules for unclaimed money in your country.`,
    volume: 'Volume',
    volumeLead: 'Amounts debited, credited and topped up.',
    topupTitle: 'Top-ups',
    topupLead: 'Started vs. paid. The success rate excludes top-ups that are still open.',
    begun: 'Started',
    paid: 'Paid',
    success: 'Success rate',
    latency: 'Latency and errors',
    latencyLead: 'Response time, and responses with a server error (5xx).',
    p50: 'Median (p50)',
    p99: 'p99',
    errors: 'Failed',
    ms: (value: number) => `${number.format(value)} ms`,
    refusals: 'Refusals',
    refusalsLead: 'Calls that returned an error code in this period.',
    noRefusals: 'Nothing was refused in this period.',
    refusalColumns: { code: 'Code', count: 'Count', share: 'Share', meaning: 'Meaning' },
    settlements: 'Settlement by client app',
    settlementsLead: 'Current amounts, largest first; debits and credits of this period.',
    settlementColumns: {
      app: 'Client app',
      debits: 'Debits',
      credits: 'Credits',
      settlement: 'Settlement',
      actions: 'Statement',
    },
    noSettlements: 'No client app has debited or credited anything yet.',
    moreApps: (count: number) =>
      `${number.format(count)} more ${count === 1 ? 'app has' : 'apps have'} operations.`,
    allApps: 'All client apps',
    view: 'View',
    csv: 'CSV',
    statementOf: (name: string) => `the statement of ${name}`,
    owedBy: { platform: 'owed to the app', app: 'owed by the app', even: 'even' },
    emptyTitle: 'No operations yet',
    empty: 'Figures appear after the first operation. Register a client app to start.',
  },
  todo: {
    title: 'To do',
    approvals: (count: number) =>
      count === 1 ? '1 approval is waiting' : `${number.format(count)} approvals are waiting`,
    disputes: (count: number) =>
      count === 1
        ? '1 dispute needs a response'
        : `${number.format(count)} disputes need a response`,
    frozen: (count: number) =>
      count === 1 ? '1 wallet is frozen' : `${number.format(count)} wallets are frozen`,
    webhooks: (name: string) => `Webhooks of ${name} need attention`,
    moreWebhooks: (count: number) =>
      `So do webhooks of ${number.format(count)} more ${count === 1 ? 'app' : 'apps'}.`,
  },
  books: {
    label: 'The books',
    balanced: 'Books balanced as of',
    operations: (count: number) => `${number.format(count)} operations`,
    verified: (count: number) => `${number.format(count)} entries were verified in the run started`,
    verifying: (count: number) => `The current run has verified ${number.format(count)}.`,
    notVerified: 'The first run through all entries is not complete yet.',
    waiting: 'Not verified yet',
    waitingText: 'The background verifier starts a few seconds after the service.',
    off: 'The background verifier is off',
    offText: 'Set VERIFY_PERCENT above 0, or run coffer verify regularly.',
    faulty: 'The books are not balanced',
    found: 'Found',
    pause: 'Pause writes',
    todo: 'Then run coffer verify and keep a copy of the database in its current state as evidence. See “Verify and checkpoint” in docs/operations.md. This notice stays until a complete run finds no errors.',
  },
  chart: {
    asTable: 'Show as table',
    asChart: 'Show as chart',
    time: 'Time (UTC)',
  },
  appStatement: {
    lead: 'All debits and credits of a period, with the balance before and after.',
    opening: 'Opening balance',
    closing: 'Closing balance',
    until: 'As of',
    laterText: 'The last day is not over yet. Later operations belong to a later statement.',
    invalid: 'The last day must not be before the first day, and at most one year later.',
  },
}
