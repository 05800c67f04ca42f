/** The part of messages.ts about bonuses, corrections and the second operator. */

export const moneyWords = {
  amountIn: (label: string, currency: string) => `${label} in ${currency}`,
  reason: {
    label: 'Reason',
    hint: 'It stands in the audit log. The person does not see it.',
    missing: 'Say why, in at least 3 characters.',
  },
  grantKinds: {
    bonus: 'Bonus',
    correction_in: 'Correction',
    correction_out: 'Correction',
    credit_limit: 'Credit limit',
  },
  grant: {
    bonus: 'Give a bonus',
    correct: 'Correct the balance',
    bonusTitle: (name: string) => `Give ${name} a bonus`,
    correctTitle: (name: string) => `Correct the balance of ${name}`,
    direction: 'Direction',
    up: 'Add to the balance',
    upHint: 'It was too low.',
    down: 'Take from the balance',
    downHint: 'It was too high. At most what is there, even from a frozen wallet.',
    amount: 'Amount',
    preview: 'Balance',
    becomes: 'becomes',
    short: 'That is more than the wallet holds.',
    second:
      'What goes beyond the limit of 24 hours is not posted now: it waits for a second operator.',
    submitBonus: 'Give bonus',
    submitCorrection: 'Correct',
    again: 'Try again',
    done: 'Done',
    postedTitle: 'Posted',
    posted: (balance: string) => `The balance is now ${balance}.`,
    waitingTitle: 'Waiting for a second operator',
    waiting:
      'With what was given in the last 24 hours this is above the limit, so nothing is posted yet.',
    declinedTitle: 'Declined',
    declined: 'It was declined in the meantime, and nothing was posted.',
    approvals: 'See the approvals',
    refused: {
      INSUFFICIENT_BALANCE: 'The wallet holds less than that, so nothing was taken.',
      BALANCE_LIMIT: 'The wallet cannot hold that much, so nothing was posted.',
      NOT_FOUND: 'The person is not there any more, so nothing was posted.',
    },
    unknown:
      'It is not known yet whether this was posted. Try again: it cannot be posted twice. If you leave instead, it is finished by itself within the hour, so look at the history before you give it again.',
  },
  approvers: {
    some: (emails: readonly string[]) => `It can be approved by ${listOf(emails)}.`,
    none: 'Nobody can approve it at the moment. Every other operator was added by the same person, or got a new authenticator from them, or may not move money. Somebody with access to the server can add an independent one: coffer operator create.',
  },
  approvals: {
    lead: 'Bonuses, corrections and credit limits above the threshold of 24 hours wait here for a second operator. Unlimited credit always does.',
    state: 'State',
    states: { waiting: 'Waiting', decided: 'Decided' },
    searchHint: 'Person, app, operator or reason',
    waitingCount: (count: string) => `${count} waiting`,
    emptyTitle: 'Nothing waits',
    empty: 'What goes beyond the limit of 24 hours will stand here until it is decided.',
    noneDecidedTitle: 'Nothing is decided yet',
    noneDecided:
      'Every bonus, correction and raised credit limit appears here, with who gave it and why.',
    proposed: (operator: string) => `Proposed by ${operator}`,
    age: (age: string) => `${age} ago`,
    deletedPerson: 'Deleted account',
    beingPosted: 'Being posted',
    approve: 'Approve',
    reject: 'Reject',
    withdraw: 'Withdraw',
    named: (action: string, amount: string, person: string) => `${action}: ${amount}, ${person}`,
    approveTitle: (amount: string, person: string) => `Approve ${amount} for ${person}?`,
    approveOutTitle: (amount: string, person: string) => `Take ${amount} from ${person}?`,
    approveText: (operator: string) =>
      `It is posted at once. The audit log names ${operator} and you.`,
    rejectTitle: (amount: string, person: string) => `Reject ${amount} for ${person}?`,
    rejectText: (operator: string) => `Nothing is posted. ${operator} can propose it anew.`,
    withdrawTitle: (amount: string, person: string) => `Withdraw ${amount} for ${person}?`,
    withdrawText: 'Nothing is posted. You can propose it anew.',
    posted: (amount: string, person: string) => `Posted: ${amount}, ${person}.`,
    rejected: (amount: string, person: string) => `Rejected: ${amount}, ${person}.`,
    withdrawn: (amount: string, person: string) => `Withdrawn: ${amount}, ${person}.`,
    /** Of a credit limit. */
    limit: {
      amount: (limit: string) => `a credit limit of ${limit}`,
      unlimited: 'unlimited credit',
      raised: (amount: string) => `Raises the limit by ${amount}.`,
      removed: 'The app could then credit any amount. It cannot get a limit again later.',
      approveTitle: (limit: string, app: string) => `Set the credit limit of ${app} to ${limit}?`,
      approveUnlimitedTitle: (app: string) => `Let ${app} credit without a limit?`,
      approveText: (operator: string) =>
        `It takes effect at once. The audit log names ${operator} and you.`,
      rejectText: (operator: string) =>
        `The limit stays as it is. ${operator} can request it again.`,
      withdrawText: 'The limit stays as it is. You can request it again.',
      approved: (amount: string, app: string) => `Approved: ${amount}, ${app}.`,
      granted: 'Granted',
    },
    statuses: {
      open: 'Waiting',
      approved: 'Being posted',
      posted: 'Posted',
      refused: 'Refused',
      rejected: 'Rejected',
      withdrawn: 'Withdrawn',
    },
    refusals: {
      INSUFFICIENT_BALANCE: 'The wallet held less than that.',
      BALANCE_LIMIT: 'The wallet cannot hold that much.',
    } as Record<string, string>,
    columns: {
      amount: 'Amount',
      person: 'Person or app',
      result: 'Result',
      operators: 'Operators',
      reason: 'Reason',
    },
    approvedBy: (operator: string) => `approved by ${operator}`,
    rejectedBy: (operator: string) => `rejected by ${operator}`,
    because: (because: string) => `Not posted: ${because}`,
    /** Why this operator cannot approve it. */
    hindrances: {
      role: 'Your role only lets you look.',
      own: 'You proposed it, so somebody else has to approve it.',
      proposer_inactive: (proposer: string) =>
        `It cannot be approved any more: ${proposer} is not active or may not move money now. Reject it, and propose it yourself if it is right.`,
      person_gone:
        'It cannot be approved any more: the person has deleted the account. Reject it to tidy up.',
      byThem: (proposer: string) =>
        `You cannot approve it: ${proposer} added you or reset your authenticator, directly or through others, and so could act as you.`,
      byYou: (proposer: string) =>
        `You cannot approve it: you added ${proposer} or reset their authenticator, directly or through others, and so could act as them.`,
      byBoth: (proposer: string, shared: string) =>
        `You cannot approve it: ${shared} stands behind both you and ${proposer}, by adding operators or resetting authenticators, and so could act as both.`,
    },
  },
}

const NAMED_MAX = 3

/** "a, b, or c"; more than that are counted. */
function listOf(emails: readonly string[]): string {
  const more = emails.length - NAMED_MAX
  const named = emails.slice(0, NAMED_MAX)
  if (more > 0) named.push(more === 1 ? '1 other' : `${more} others`)
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(named)
}
