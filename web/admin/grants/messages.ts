/** The part of messages.ts about bonuses, corrections and the second operator. */

export const moneyWords = {
  amountIn: (label: string, currency: string) => `${label} in ${currency}`,
  reason: {
    label: 'Reason',
    hint: 'Recorded in the audit log. The person does not see it.',
    missing: 'Enter a reason of at least 3 characters.',
  },
  grantKinds: {
    bonus: 'Bonus',
    correction_in: 'Correction',
    correction_out: 'Correction',
    credit_limit: 'Credit limit',
    app_change: 'Client app',
    hold_release: 'Release of a hold',
  },
  grant: {
    bonus: 'Give a bonus',
    correct: 'Correct the balance',
    bonusTitle: (name: string) => `Give ${name} a bonus`,
    correctTitle: (name: string) => `Correct the balance of ${name}`,
    direction: 'Direction',
    up: 'Add to the balance',
    upHint: 'The balance was too low.',
    down: 'Take from the balance',
    downHint:
      'The balance was too high. You can take at most the balance, also from a frozen wallet.',
    amount: 'Amount',
    preview: 'Balance',
    becomes: 'becomes',
    short: 'This is more than the balance.',
    second: 'Amounts above the 24-hour limit are not posted now. They wait for a second operator.',
    left: (amount: string) =>
      `You can post ${amount} more in these 24 hours without a second operator.`,
    aboveLeft: (amount: string) =>
      `This waits for a second operator: only ${amount} is left without one in these 24 hours.`,
    settlement: 'It is booked to the service. What client apps receive does not change.',
    giveBack: 'Give it back',
    giveBackTitle: (name: string) => `Give a charge back to ${name}`,
    giveBackHint: (app: string) =>
      `The service pays this. What ${app} receives for the charge does not change.`,
    nothingLeft: 'Nothing of this charge is left to give back.',
    givenBack:
      'This charge was given back before, with another amount or reason or by another operator. To give more, correct the balance.',
    giveBackReason: (app: string, reference: string) => `Gives back ${reference} of ${app}.`,
    submit: {
      bonus: (amount: string) => (amount ? `Give ${amount}` : 'Give bonus'),
      correction_in: (amount: string) => (amount ? `Add ${amount}` : 'Add'),
      correction_out: (amount: string) => (amount ? `Take ${amount}` : 'Take'),
    },
    changed: {
      bonus: (amount: string) => `Gave ${amount}.`,
      correction_in: (amount: string) => `Added ${amount}.`,
      correction_out: (amount: string) => `Took ${amount}.`,
    },
    again: 'Try again',
    done: 'Done',
    postedTitle: 'Posted',
    posted: (balance: string) => `The balance is now ${balance}.`,
    waitingTitle: 'Waiting for a second operator',
    waiting: 'Together with the last 24 hours, this exceeds the limit, so nothing is posted yet.',
    declinedTitle: 'Declined',
    declined: 'This request was declined in the meantime. Nothing was posted.',
    approvals: 'Go to approvals',
    refused: {
      INSUFFICIENT_BALANCE: 'The balance is lower than that, so nothing was taken.',
      BALANCE_LIMIT: 'The wallet cannot hold that much, so nothing was posted.',
      WALLET_CLOSED: 'The person has deleted the account, so nothing was posted.',
      NOT_FOUND: 'This person no longer exists, so nothing was posted.',
      HOLD_CLOSED: 'The hold has ended already, so nothing was released. Reload the page.',
      HOLD_EXPIRED: 'The time of the hold was over, so its money is back in the wallet.',
    },
    unknown:
      'It is not known yet whether this was posted. Try again: it cannot be posted twice. If you leave this page, it is completed automatically within an hour, so check the history before you repeat it.',
  },
  approvers: {
    some: (emails: readonly string[]) => `Can be approved by ${listOf(emails)}.`,
    none: 'Nobody can approve this at the moment. Every other operator was added by the same person, had their authenticator reset by that person, or is not allowed to move money. With access to the server, add an independent operator: coffer operator create.',
  },
  approvals: {
    lead: 'Bonuses, corrections and credit limits above the 24-hour threshold wait here for a second operator. Unlimited credit, and new origins, scopes, contacts and secrets of an app in use, always need approval.',
    state: 'State',
    states: { waiting: 'Waiting', decided: 'Decided' },
    searchHint: 'Person, app, operator or reason',
    waitingCount: (count: string) => `${count} waiting`,
    emptyTitle: 'No open requests',
    empty: 'Requests above the 24-hour limit will appear here until they are decided.',
    noneDecidedTitle: 'No decided requests',
    noneDecided:
      'Every bonus, correction and raised credit limit appears here, with operator and reason.',
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
      `It is posted immediately. The audit log names ${operator} and you.`,
    rejectTitle: (amount: string, person: string) => `Reject ${amount} for ${person}?`,
    rejectText: (operator: string) => `Nothing is posted. ${operator} can propose it again.`,
    withdrawTitle: (amount: string, person: string) => `Withdraw ${amount} for ${person}?`,
    withdrawText: 'Nothing is posted. You can propose it again.',
    posted: (amount: string, person: string) => `Posted: ${amount}, ${person}.`,
    rejected: (amount: string, person: string) => `Rejected: ${amount}, ${person}.`,
    withdrawn: (amount: string, person: string) => `Withdrawn: ${amount}, ${person}.`,
    /** For a credit limit. */
    limit: {
      amount: (limit: string) => `a credit limit of ${limit}`,
      unlimited: 'unlimited credit',
      raised: (amount: string) => `Raises the limit by ${amount}.`,
      removed: 'The app can then credit any amount. You cannot set a limit again later.',
      approveTitle: (limit: string, app: string) => `Set the credit limit of ${app} to ${limit}?`,
      approveUnlimitedTitle: (app: string) => `Let ${app} credit without a limit?`,
      approveText: (operator: string) =>
        `It takes effect immediately. The audit log names ${operator} and you.`,
      rejectText: (operator: string) =>
        `The limit stays as it is. ${operator} can request it again.`,
      withdrawText: 'The limit stays as it is. You can request it again.',
      approved: (amount: string, app: string) => `Approved: ${amount}, ${app}.`,
      granted: 'Granted',
    },
    /** For a change to a client app. */
    change: {
      name: 'Change of the app',
      amount: 'a change of the app',
      approveTitle: (app: string) => `Approve this change of ${app}?`,
      approveText: (operator: string) =>
        `New settings take effect immediately. A new secret is shown to ${operator} once. The audit log names ${operator} and you.`,
      rejectText: (operator: string) => `The app stays as it is. ${operator} can propose it again.`,
      withdrawText: 'The app stays as it is. You can propose it again.',
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
      INSUFFICIENT_BALANCE: 'The balance was too low.',
      BALANCE_LIMIT: 'The wallet cannot hold that much.',
      WALLET_CLOSED: 'The person had deleted the account.',
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
    blocks: {
      role: 'Your role does not allow you to approve requests.',
      own: 'You proposed this, so another operator must approve it.',
      proposer_inactive: (proposer: string) =>
        `This can no longer be approved: ${proposer} is inactive or is no longer allowed to move money. Reject it, and propose it yourself if it is correct.`,
      person_gone:
        'This can no longer be approved: the person has deleted the account. Reject it to close the request.',
      byThem: (proposer: string) =>
        `You cannot approve this: ${proposer} added you or reset your authenticator, directly or through others, and could therefore act as you.`,
      byYou: (proposer: string) =>
        `You cannot approve this: you added ${proposer} or reset their authenticator, directly or through others, and could therefore act as them.`,
      byBoth: (proposer: string, shared: string) =>
        `You cannot approve this: ${shared} added both you and ${proposer} or reset both authenticators, directly or through others, and could therefore act as both.`,
    },
  },
}

const NAMED_MAX = 3

/** "a, b, or c"; more than three are counted. */
function listOf(emails: readonly string[]): string {
  const more = emails.length - NAMED_MAX
  const named = emails.slice(0, NAMED_MAX)
  if (more > 0) named.push(more === 1 ? '1 other' : `${more} others`)
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(named)
}
