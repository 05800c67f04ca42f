/** The part of messages.ts about looking up operations. */

function countAttempts(count: number, hasMore: boolean): string {
  if (hasMore) return `More than ${count} later attempts`
  return count === 1 ? '1 later attempt' : `${count} later attempts`
}

export const operationWords = {
  operations: {
    lead: 'Find out whether an operation was executed. Enter the reference that the client app sent.',
    formLabel: 'Look up an operation',
    app: 'Client app',
    appHint: 'Type a name and choose an app, or choose “The service itself”.',
    service: 'The service itself',
    type: 'Reference type',
    id: 'Reference ID or transaction ID',
    idHint: 'A transaction ID (txn_…) needs no client app and no reference type.',
    submit: 'Look up',
    faults: {
      app: 'Choose one of the client apps, or “The service itself”.',
      type: 'Enter the reference type, such as ORDER_PAYMENT.',
      id: 'Enter the reference ID, or a transaction ID that begins with txn_.',
    },
    recent: 'Show recent operations',
    searching: 'Searching …',
    astrayTitle: 'Transaction or client app not found',
    astray:
      'No operation has this ID. Check that it is complete. If you chose a client app, clear it: another app or a person may have received the ID.',
    facts: 'Recorded operation',
    names: {
      app: 'Client app',
      person: 'Person',
      referenceType: 'Reference type',
      referenceId: 'Reference ID',
      kind: 'Type',
      amount: 'Requested amount',
      balance: 'Balance afterwards',
      refunded: 'Refunded',
      debtMade: 'Added to the debt',
      debtPaid: 'Paid off the debt',
      description: 'Description',
      personId: 'ID the person sees',
      appId: 'ID the app sees',
      decidedAt: 'Decided (UTC)',
    },
    attemptsTitle: 'Later attempts with different values',
    attemptsLead: 'Each one got the same response as the first attempt. None of them moved money.',
    attemptsCut: 'Only the 100 most recent are shown.',
    attemptColumns: {
      time: 'Time (UTC)',
      asked: 'Requested',
      differs: 'Difference',
      person: 'Person',
    },
    differs: {
      amount: 'Amount',
      serviceUserId: 'User',
      direction: 'Direction',
      debit: 'Debit',
      hold: 'Hold',
      expiresInSeconds: 'Time',
      isFinal: 'Final',
    },
    nobody: 'Unknown user',
    responsesTitle: 'Responses to the client app',
    responses: (call: string, status: number) => `${call} → ${status}`,
  },
  recent: {
    title: 'Recent operations',
    filters: 'Filter recent operations',
    lead: 'Every movement of money in all wallets, newest first. Refused requests are not included.',
    columns: {
      what: 'Operation',
      person: 'Person',
      app: 'Client app',
      reference: 'Reference',
      amount: 'Amount',
    },
    reference: 'Exact reference',
    min: 'Minimum',
    minFault: 'Enter an amount like 1000 or 1000.50.',
    emptyTitle: 'No operations yet',
    empty: 'Every top-up, debit and credit will appear here.',
    at: (time: string) => `${time} UTC`,
    debtMade: (amount: string) => `${amount} became a debt`,
    debtPaid: (amount: string) => `${amount} paid off a debt`,
    noneYet: (from: string, to: string | undefined) =>
      to === undefined
        ? `Nothing matches since ${from} UTC.`
        : `Nothing matches between ${from} and ${to} UTC.`,
    older: 'Search older operations',
    searched: (from: string) => `Searched back to ${from} UTC.`,
    archived: (day: string) =>
      `Operations before ${day} are archived in files. To list them here, restore the month with coffer archive restore.`,
  },
  verdict: {
    posted: {
      debit: (amount: string) => `Charged once: ${amount}`,
      credit: (amount: string) => `Credited once: ${amount}`,
      topup: (amount: string) => `Topped up once: ${amount}`,
      bonus: (amount: string) => `Bonus given once: ${amount}`,
      seizure: (amount: string) => `Withdrawn once by the card processor: ${amount}`,
      reversal: (amount: string) => `Returned once: ${amount}`,
      refund: (amount: string) => `Refunded once to the card: ${amount}`,
      correction_in: (amount: string) => `Corrected upwards once: ${amount}`,
      correction_out: (amount: string) => `Corrected downwards once: ${amount}`,
      debit_refund: (amount: string) => `Refunded once to the wallet: ${amount}`,
      hold: (amount: string) => `Held once: ${amount}`,
      capture: (amount: string) => `Captured once: ${amount}`,
      release: (amount: string) => `Released once: ${amount}`,
      expiry: (amount: string) => `Expired once: ${amount}`,
    },
    when: (reference: string, time: string, person: string) =>
      `Reference ${reference}. ${time}, wallet of ${person}.`,
    several(charges: number, amount: string, returned: number) {
      const isAll = returned === charges
      const which = isAll ? (charges === 2 ? 'both' : 'all') : `${returned}`
      return `${charges} charges of ${amount}${returned > 0 ? `, ${which} refunded in full` : ''}`
    },
    severalHint:
      'Each has a reference of its own. Check whether they are for the same order before you give one back.',
    chargedAnd: (amount: string, how: string) => `Charged ${amount}, ${how}`,
    refundedAll: 'refunded in full',
    refundedPart: (amount: string) => `refunded ${amount}`,
    thisCharge: (how: string) => `This charge: ${how}.`,
    similar: (count: number, app: string, amount: string) =>
      `${app} made ${count === 1 ? 'another charge' : `${count} other charges`} of ${amount} within ten minutes:`,
    noSimilar: (app: string, amount: string) =>
      `${app} made no other charge of ${amount} within ten minutes.`,
    reference: (id: string) => `Reference ${id}:`,
    debt: (amount: string) => `${amount} exceeded the balance and became a debt.`,
    refused: (code: string) => `Refused: ${code}`,
    reasons: {
      INSUFFICIENT_BALANCE: 'The balance was too low.',
      WALLET_INACTIVE: 'The wallet was frozen.',
      SPEND_LIMIT_EXCEEDED: 'It would have exceeded what the person lets the client app take.',
      CREDIT_LIMIT_EXCEEDED: 'It would have exceeded the credit limit of the client app.',
      BALANCE_LIMIT: 'The balance would have exceeded the maximum of a wallet.',
      REFUND_EXCEEDS_DEBIT: 'The refund would have exceeded what was left of the debit.',
      CAPTURE_EXCEEDS_HOLD: 'The capture would have exceeded what was left of the hold.',
      HOLD_EXPIRED: 'The hold had expired.',
      HOLD_CLOSED: 'The hold had no money left.',
      WALLET_CLOSED: 'The person had deleted the account.',
    },
    refusedHint:
      'No money moved. The same reference is always refused; a new attempt needs a new reference ID.',
    never: 'Never received',
    neverApp:
      'No request with this reference was executed or refused. It is safe to retry with the same reference. Check that type and ID are spelled exactly as they were sent.',
    neverService: 'The service has no operation with this reference.',
    attempts(count: number, hasMore: boolean, isAboutAmount: boolean) {
      const one = count === 1 && !hasMore
      const how = isAboutAmount
        ? one
          ? ' with a different amount'
          : ' with different amounts'
        : ' with different values'
      return `${countAttempts(count, hasMore)}${how} ${one ? 'was' : 'were'} not executed.`
    },
  },
}
