/** The part of messages.ts about people and their wallets. */

export const peopleWords = {
  people: {
    columns: { name: 'Name', wallet: 'Wallet', balance: 'Balance', created: 'Created' },
    searchHint: 'Name, e-mail or serviceUserId',
    emptyTitle: 'Nobody yet',
    empty: 'Whoever signs up in the widget of a client app will stand here.',
    erased: 'Erased',
    erasedName: (id: string) => `Erased person ${id}`,
    walletStates: { active: 'Active', frozen: 'Frozen' },
  },
  person: {
    tabsLabel: 'Parts of this person',
    tabs: { history: 'History', apps: 'Client apps', topups: 'Top-ups' },
    actions: 'Actions',
    figures: 'Figures of this person',
    verified: 'Verified',
    unverified: 'Not verified',
    balance: 'Balance',
    debt: 'Debt',
    debtHint: 'Collected from the next top-up.',
    logIns: 'Log-ins',
    seen: 'Last seen',
    notSeen: 'Not seen lately',
    created: 'Created',
    entries: (count: number) =>
      count === 1
        ? '1 entry in the history'
        : `${count.toLocaleString('en')} entries in the history`,
    frozenNotice:
      'This wallet is frozen: debits and new top-ups are refused. Money that comes in is taken.',
    erasedNotice:
      'This person was erased. Name, e-mail and log-ins are gone; the wallet and its books stay.',
    log: 'What operators did',
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
    },
    app: 'Client app',
    anyApp: 'Any client app',
    emptyTitle: 'Nothing has moved yet',
    empty: 'Every top-up, debit and credit will stand here.',
    lead: (count: number) =>
      count === 1 ? '1 entry.' : `${count.toLocaleString('en')} entries, newest first.`,
    leadFiltered: 'What fits, newest first.',
    details: {
      description: 'Description',
      referenceType: 'Reference type',
      referenceId: 'Reference',
      app: 'Client app',
      debtUp: 'Added to the debt',
      debtDown: 'Paid off the debt',
      id: 'Id, as the person sees it',
    },
    idName: 'the id of the entry',
  },
  links: {
    columns: { app: 'Client app', id: 'serviceUserId', since: 'Linked', ended: 'Ended' },
    linked: 'Linked now',
    emptyTitle: 'No client app',
    empty: 'This person has never linked a client app.',
  },
  personTopups: {
    columns: { time: 'Begun', state: 'State', amount: 'Amount' },
    states: { open: 'Not paid yet', credited: 'Credited', ended: 'Ended unpaid' },
    lead: 'The ten newest.',
    all: 'All top-ups of this person',
    emptyTitle: 'No top-up',
    empty: 'This person has never begun one.',
  },
  freeze: {
    freeze: 'Freeze wallet',
    unfreeze: 'Unfreeze wallet',
    title: (name: string) => `Freeze the wallet of ${name}?`,
    text: 'At once, and until somebody unfreezes it:',
    effects: [
      'debits by every client app are refused with WALLET_INACTIVE',
      'no new top-up can be begun',
      'money that comes in is taken: paid top-ups, credits, bonuses',
    ],
    offTitle: (name: string) => `Unfreeze the wallet of ${name}?`,
    off: 'Debits and new top-ups work again at once. What was refused meanwhile stays refused.',
    submit: 'Freeze',
    offSubmit: 'Unfreeze',
    done: 'The wallet is frozen.',
    offDone: 'The wallet is active again.',
  },
  erase: {
    open: 'Erase person',
    title: (name: string) => `Erase ${name}?`,
    notEmpty: (amount: string) =>
      `This cannot be done yet: the balance is ${amount}. Bring it to zero first, by a refund or a correction.`,
    inDebt: (amount: string) =>
      `This cannot be done yet: there is a debt of ${amount}. The next top-up settles it, or a dispute that is won.`,
    text: 'This cannot be undone:',
    effects: [
      'name, e-mail, password and log-ins are deleted',
      'every client app is unlinked, and open card payments are cancelled',
      'the wallet and its books stay, without a name',
    ],
    reasonHint: 'Write no name or e-mail into the reason: the audit log keeps it for ever.',
    submit: 'Erase for good',
    wait: 'This takes about ten seconds, so that no money is left on its way.',
    close: 'Close',
    done: 'The person is erased.',
    refused: {
      ACCOUNT_NOT_EMPTY:
        'The person was not erased: money came in, or a payment is under way. Bring the balance to zero and try again. Client apps may be unlinked already.',
      SERVICE_UNAVAILABLE:
        'It is not done yet. Something happened on the account meanwhile, or the service is busy. Wait a moment and try again; that is safe.',
      PAYMENT_PROVIDER_ERROR:
        'The person was not erased: the card processor did not answer, so an open payment could not be cancelled. Try again in a moment.',
    } as Record<string, string>,
  },
  download: {
    start: 'Download CSV',
    cancel: 'Cancel',
    label: 'Download',
    running: 'Downloading …',
    progress: (rows: number, size: string) => `${rows.toLocaleString('en')} rows, ${size}`,
    done: (name: string, rows: number) =>
      `${name} is saved: ${rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`}.`,
    cancelled: 'Cancelled. Nothing was saved.',
    broken: (rows: number) =>
      `The download broke off after ${rows.toLocaleString('en')} rows, and nothing was saved. Check your connection and try again.`,
  },
}
