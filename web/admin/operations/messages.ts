/** The part of messages.ts about looking operations up. */

function countAttempts(count: number, hasMore: boolean): string {
  if (hasMore) return `More than ${count} later attempts`
  return count === 1 ? '1 later attempt' : `${count} later attempts`
}

export const operationWords = {
  operations: {
    lead: 'Was it charged? Enter what the client app sent, and read what became of it.',
    app: 'Client app',
    appHint: 'Type a name and choose, or “The service itself”.',
    service: 'The service itself',
    type: 'Reference type',
    id: 'Reference id or transaction id',
    idHint: 'A transaction id (txn_…) needs no type.',
    submit: 'Look up',
    faults: {
      app: 'Choose one of the client apps, or “The service itself”.',
      type: 'Enter the reference type, such as ORDER_PAYMENT.',
      id: 'Enter the reference id, or a transaction id that begins with txn_.',
    },
    emptyTitle: 'Nothing is looked up yet',
    empty:
      'The answer says first whether money moved; then when, on whose wallet, and what the client app was told.',
    searching: 'Looking it up …',
    astrayTitle: 'There is no such transaction or client app',
    astray:
      'A transaction id works only with the client app that saw it. For an id from a person’s own account page choose “The service itself”.',
    facts: 'What is in the books',
    names: {
      app: 'Client app',
      person: 'Person',
      referenceType: 'Reference type',
      referenceId: 'Reference id',
      kind: 'What',
      amount: 'Amount asked for',
      balance: 'Balance right after',
      debtMade: 'Became a debt',
      debtPaid: 'Paid off a debt',
      description: 'Description',
      decidedAt: 'Decided (UTC)',
    },
    attemptsTitle: 'Later attempts that differed',
    attemptsLead: 'Each was answered as the first one was. None of them moved money.',
    attemptsCut: 'The newest 100 are shown.',
    attemptColumns: {
      time: 'Time (UTC)',
      asked: 'Asked for',
      differs: 'Other than before',
      person: 'Person',
    },
    differs: { amount: 'Amount', serviceUserId: 'User', direction: 'Direction' },
    nobody: 'Unknown user',
    answersTitle: 'What the client app is told',
    answers: (call: string, status: number) => `${call} → ${status}`,
  },
  verdict: {
    posted: {
      debit: (amount: string) => `Charged once: ${amount}`,
      credit: (amount: string) => `Credited once: ${amount}`,
      topup: (amount: string) => `Topped up once: ${amount}`,
      bonus: (amount: string) => `Given once as a bonus: ${amount}`,
      seizure: (amount: string) => `Withdrawn once by the card processor: ${amount}`,
      reversal: (amount: string) => `Given back once: ${amount}`,
      refund: (amount: string) => `Taken once, to go back to the card: ${amount}`,
      correction_in: (amount: string) => `Corrected upwards once: ${amount}`,
      correction_out: (amount: string) => `Corrected downwards once: ${amount}`,
    },
    when: (time: string, person: string) => `${time}, wallet of ${person}.`,
    debt: (amount: string) => `${amount} was not there and became a debt.`,
    refused: (code: string) => `Refused: ${code}`,
    reasons: {
      INSUFFICIENT_BALANCE: 'The wallet held too little.',
      WALLET_INACTIVE: 'The wallet was frozen.',
      CREDIT_LIMIT_EXCEEDED: 'It would have exceeded the credit limit of the client app.',
      BALANCE_LIMIT: 'The wallet would have held more than a wallet can.',
    },
    refusedHint:
      'No money moved. The same pair is always refused; a new attempt needs a new reference id.',
    never: 'Never received',
    neverApp:
      'No request with this pair was decided. It is safe to retry with the same pair. Check that type and id are written exactly as they were sent.',
    neverService: 'The service has decided nothing under this pair.',
    attempts(count: number, hasMore: boolean, isAboutAmount: boolean) {
      const one = count === 1 && !hasMore
      const how = isAboutAmount
        ? one
          ? ' with another amount'
          : ' with other amounts'
        : ' that differed'
      return `${countAttempts(count, hasMore)}${how} ${one ? 'was' : 'were'} not executed.`
    },
  },
}
