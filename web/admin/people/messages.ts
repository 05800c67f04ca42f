/** The part of messages.ts about people and their wallets. */

export const peopleWords = {
  people: {
    columns: { name: 'Name', wallet: 'Wallet', balance: 'Balance', created: 'Created' },
    searchHint: 'Name, email or serviceUserId',
    emptyTitle: 'No people yet',
    empty: 'People who sign up in the widget of a client app will appear here.',
    erased: 'Erased',
    erasedName: (id: string) => `Erased person ${id}`,
    walletStates: { active: 'Active', frozen: 'Frozen' },
  },
  person: {
    tabsLabel: 'Sections of this person',
    tabs: { history: 'History', apps: 'Client apps', topups: 'Top-ups' },
    actions: 'Actions',
    figures: 'Figures of this person',
    verified: 'Verified',
    unverified: 'Not verified',
    balance: 'Balance',
    held: (amount: string) => `${amount} more is held by client apps.`,
    debt: 'Debt',
    debtHint: 'Collected from the next top-up.',
    logIns: 'Logins',
    seen: 'Last seen',
    notSeen: 'Not seen recently',
    created: 'Created',
    entries: (count: number) =>
      count === 1
        ? '1 entry in the history'
        : `${count.toLocaleString('en')} entries in the history`,
    frozenNotice:
      'This wallet is frozen. Debits and new top-ups are refused; incoming money is accepted.',
    erasedNotice:
      'This person was erased. Name, email and logins are deleted; the wallet and its records are kept.',
    log: 'Audit log of this person',
  },
  history: {
    columns: {
      time: 'Time (UTC)',
      what: 'What',
      reference: 'Reference',
      amount: 'Amount',
      balanceAfter: 'Balance after',
    },
    searchHint: 'Reference, description or app',
    type: 'Direction',
    anyType: 'Any direction',
    types: { debit: 'Out', credit: 'In' },
    kind: 'Kind',
    anyKind: 'Any kind',
    kinds: {
      debit: 'Debit',
      credit: 'Credit',
      topup: 'Top-up',
      refund: 'Refund of a top-up',
      bonus: 'Bonus',
      seizure: 'Dispute',
      reversal: 'Dispute reversed',
      correction_in: 'Correction, in',
      correction_out: 'Correction, out',
      debit_refund: 'Refund of a debit',
      hold: 'Hold',
      capture: 'Capture of a hold',
      release: 'Release of a hold',
      expiry: 'Expiry of a hold',
    },
    app: 'Client app',
    anyApp: 'Any client app',
    emptyTitle: 'No transactions yet',
    empty: 'Every top-up, debit and credit will appear here.',
    lead: (count: number) =>
      count === 1 ? '1 entry.' : `${count.toLocaleString('en')} entries, newest first.`,
    leadFiltered: 'Matching entries, newest first.',
    details: {
      description: 'Description',
      referenceType: 'Reference type',
      referenceId: 'Reference',
      app: 'Client app',
      refundOf: 'Refund of',
      refunded: 'Refunded',
      debtUp: 'Added to the debt',
      debtDown: 'Paid off the debt',
      id: 'ID, as the person sees it',
    },
    idName: 'the ID of the entry',
  },
  links: {
    columns: { app: 'Client app', id: 'serviceUserId', since: 'Linked', ended: 'Ended' },
    linked: 'Linked now',
    emptyTitle: 'No client apps',
    empty: 'This person has never linked a client app.',
  },
  personTopups: {
    columns: { time: 'Started', state: 'State', amount: 'Amount' },
    states: { open: 'Not paid yet', credited: 'Credited', ended: 'Canceled, not paid' },
    lead: 'The ten most recent top-ups.',
    all: 'All top-ups of this person',
    emptyTitle: 'No top-ups',
    empty: 'This person has never started a top-up.',
  },
  freeze: {
    freeze: 'Freeze wallet',
    unfreeze: 'Unfreeze wallet',
    title: (name: string) => `Freeze the wallet of ${name}?`,
    text: 'Immediately, and until an operator unfreezes it:',
    effects: [
      'debits by every client app are refused with WALLET_INACTIVE',
      'no new top-up can be started',
      'incoming money is accepted: paid top-ups, credits, bonuses',
    ],
    offTitle: (name: string) => `Unfreeze the wallet of ${name}?`,
    off: 'Debits and new top-ups work again immediately. Operations that were refused stay refused.',
    submit: 'Freeze',
    offSubmit: 'Unfreeze',
    done: 'The wallet is frozen.',
    offDone: 'The wallet is active again.',
  },
  erase: {
    open: 'Erase person',
    title: (name: string) => `Erase ${name}?`,
    notEmpty: (amount: string) =>
      `The balance is ${amount}. Reduce it to zero first, with a refund or a correction.`,
    inDebt: (amount: string) =>
      `There is a debt of ${amount}. It must be paid off first, by a top-up or by winning a dispute.`,
    text: 'This cannot be undone:',
    effects: [
      'name, email, password and logins are deleted',
      'every client app is unlinked, and open card payments are canceled',
      'the wallet and its records are kept without a name',
    ],
    reasonHint: 'Do not enter a name or an email. The audit log keeps the reason forever.',
    submit: 'Erase permanently',
    wait: 'This takes about ten seconds while pending payments finish.',
    close: 'Close',
    done: 'The person was erased.',
    refused: {
      ACCOUNT_NOT_EMPTY:
        'The person was not erased: money was received, or a payment is in progress. Reduce the balance to zero and try again. Client apps may already be unlinked.',
      SERVICE_UNAVAILABLE:
        'The person was not erased yet. The account changed in the meantime, or the service is busy. Wait a moment and try again; this is safe.',
      PAYMENT_PROVIDER_ERROR:
        'The person was not erased: the card processor did not respond, so an open payment could not be canceled. Try again in a moment.',
    } as Record<string, string>,
  },
  download: {
    start: 'Download CSV',
    cancel: 'Cancel',
    label: 'Download',
    running: 'Downloading …',
    progress: (rows: number, size: string) => `${rows.toLocaleString('en')} rows, ${size}`,
    done: (name: string, rows: number) =>
      `${name} was saved: ${rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`}.`,
    cancelled: 'Canceled. Nothing was saved.',
    broken: (rows: number) =>
      `The download was interrupted after ${rows.toLocaleString('en')} rows. Nothing was saved. Check your connection and try again.`,
  },
}
