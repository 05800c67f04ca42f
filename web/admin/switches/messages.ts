/** The part of messages.ts about switches: paused writes and keys. */

export const switchWords = {
  writes: {
    title: 'All writes',
    lead: 'For maintenance and emergencies. While writes are paused, no money moves, but everything can still be read.',
    on: 'Writes are on',
    onText: 'Debits, credits, top-ups, bonuses and refunds work as usual.',
    paused: 'All writes are paused',
    pausedText: 'Debits, credits and new top-ups of all client apps return 503.',
    ownersOnly: 'Only an owner can pause and resume all writes.',
    banner: 'All writes are paused.',
    bannerLink: 'See why',
    pause: 'Pause all writes',
    resume: 'Resume all writes',
    pauseTitle: 'Pause all writes?',
    resumeTitle: 'Resume all writes?',
    stops: 'Within a second, for every client app:',
    effects: [
      'debits, credits and new top-ups return 503 with Retry-After; apps retry them later with the same reference',
      'bonuses, corrections and refunds by operators are refused',
      'payments, refunds and disputes wait at the card processor and are recorded afterwards',
    ],
    stays:
      'Balances, histories, sessions and the widget keep working, and retries of earlier operations still get their response. Writes stay paused until an owner resumes them.',
    goesOn:
      'Debits, credits and top-ups work again within a second. Payments that waited at the card processor are recorded automatically.',
    pausedNow: 'All writes are paused.',
    resumedNow: 'Writes resumed.',
  },
  pausedApp: {
    badge: 'Writes paused',
    state: 'Writes paused',
    notice: 'Writes of this app are paused.',
    pause: 'Pause writes',
    resume: 'Resume writes',
    resumeNamed: (name: string) => `Resume writes: ${name}`,
    pauseTitle: (name: string) => `Pause writes of ${name}?`,
    resumeTitle: (name: string) => `Resume writes of ${name}?`,
    stops:
      'Within a second, its debits, credits and new top-ups return 503 with Retry-After. The app retries them later with the same reference, so nothing is lost.',
    stays:
      'The app can still read wallets, and its widget and sessions keep working. To block it completely, deactivate it instead.',
    goesOn: 'Its debits, credits and new top-ups work again within a second.',
    resumedNow: (name: string) => `Writes of ${name} resumed.`,
  },
  pausedApps: {
    title: 'Paused client apps',
    lead: 'Writes of these apps are paused. To pause an app, open its page.',
    columns: { app: 'Client app', since: 'Since', by: 'By', reason: 'Reason', actions: 'Actions' },
    emptyTitle: 'No client apps are paused',
    empty: 'Every app can write as its scopes allow.',
  },
  pause: {
    since: 'Since',
    by: 'By',
    reason: 'Reason',
    hint: 'Visible to all operators and recorded in the audit log.',
  },
  keys: {
    title: 'Keys',
    lead: 'The keys that protect client secrets and authenticators, by their IDs in the configuration of the service. The operations guide describes how to replace a key.',
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
    outdatedSecrets: 'Not using the newest pepper yet',
    outdatedLead:
      'Each secret switches to the newest pepper within a minute of its next use. Rotate or revoke secrets that are no longer used.',
    outdatedMost: 'Only 100 are shown: those that have not been used for the longest time.',
    outdatedColumns: { app: 'Client app', pepper: 'Pepper', lastUsed: 'Last used' },
  },
}
