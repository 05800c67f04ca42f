/** The part of messages.ts about switches: paused writes and keys. */

export const switchWords = {
  writes: {
    title: 'All writes',
    lead: 'For maintenance and emergencies. While writes are paused no money moves, and everything can still be read.',
    on: 'Writes are on',
    onText: 'Debits, credits, top-ups, bonuses and refunds work as usual.',
    paused: 'All writes are paused',
    pausedText: 'Debits, credits and new top-ups are answered with 503, for every client app.',
    ownersOnly: 'Only an owner can pause and resume all writes.',
    banner: 'All writes are paused.',
    bannerLink: 'See why',
    pause: 'Pause all writes',
    resume: 'Resume all writes',
    pauseTitle: 'Pause all writes?',
    resumeTitle: 'Resume all writes?',
    stops: 'Within a second, for every client app:',
    effects: [
      'debits, credits and new top-ups answer 503 with Retry-After; apps repeat them later with the same reference',
      'bonuses, corrections and refunds by operators are refused',
      'payments, refunds and disputes wait at the card processor and are booked afterwards',
    ],
    stays:
      'Balances, histories, sessions and the widget go on, and what was decided before is still answered. It lasts until an owner resumes.',
    goesOn:
      'Debits, credits and top-ups work again within a second. What waited at the card processor is booked by itself.',
    pausedNow: 'All writes are paused.',
    resumedNow: 'Writes are on again.',
  },
  pausedApp: {
    badge: 'Writes paused',
    state: 'Writes paused',
    notice: 'The writes of this app are paused.',
    pause: 'Pause writes',
    resume: 'Resume writes',
    resumeNamed: (name: string) => `Resume writes: ${name}`,
    pauseTitle: (name: string) => `Pause the writes of ${name}?`,
    resumeTitle: (name: string) => `Resume the writes of ${name}?`,
    stops:
      'Within a second its debits, credits and new top-ups answer 503 with Retry-After. The app repeats them later with the same reference, so nothing is lost.',
    stays:
      'It still reads wallets, its widget stays embedded and its sessions work. To shut it out altogether, deactivate it instead.',
    goesOn: 'Its debits, credits and new top-ups work again within a second.',
    resumedNow: (name: string) => `The writes of ${name} are on again.`,
  },
  pausedApps: {
    title: 'Paused client apps',
    lead: 'Only the writes of these apps are paused. Pause one on its own page.',
    columns: { app: 'Client app', since: 'Since', by: 'By', reason: 'Reason', actions: 'Actions' },
    emptyTitle: 'No client app is paused',
    empty: 'Every app writes as its scopes allow.',
  },
  pause: {
    since: 'Since',
    by: 'By',
    reason: 'Reason',
    hint: 'Every operator sees it, and it stands in the audit log.',
  },
  keys: {
    title: 'Keys',
    lead: 'What client secrets and authenticators hang on, by the ids in the configuration of the service. Keys are replaced there, step by step, as the operations guide describes.',
    peppers: 'Peppers of client secrets',
    adminKeys: 'Keys of authenticators',
    columns: {
      key: 'Key',
      state: 'State',
      secrets: 'Live secrets',
      apps: 'Client apps',
      authenticators: 'Authenticators',
      recoveryCodes: 'Recovery codes of operators',
    },
    newest: 'Newest',
    needed: 'Still needed',
    unneeded: 'Can be removed',
    missing: 'Missing',
    behind: 'Not on the newest pepper yet',
    behindLead:
      'Each secret moves within a minute of its next use. Rotate or revoke what is not used any more.',
    behindMost: 'Only the first 100 are shown: those not used for longest.',
    behindColumns: { app: 'Client app', pepper: 'Pepper', lastUsed: 'Last used' },
  },
}
