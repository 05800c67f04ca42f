/** The part of messages.ts about the sections of a client app, who has power over it, and about its abuse. */

export const authorityWords = {
  detail: {
    tabsLabel: 'Sections of this client app',
    tabs: {
      settings: 'Settings',
      secrets: 'Secrets',
      webhooks: 'Webhooks',
      events: 'Events',
      integration: 'Integration',
      statement: 'Statement',
    },
    discard: 'Discard',
    dirty: 'Unsaved changes.',
  },
  contacts: {
    label: 'Contacts',
    hint: 'Email addresses of the app’s developers, separated by commas. They are notified of changes, and they receive the new secret if you replace a leaked one.',
    invalid: 'Enter valid email addresses, separated by commas. At most 10.',
  },
  changes: {
    wait: 'Part of your changes is waiting for a second operator: new origins and scopes, and other contacts. Until it is approved, the old settings apply. Your other changes are saved.',
    inUse:
      'This app is in use. New origins and scopes, and other contacts, wait for a second operator.',
  },
  onMismatch: {
    label: 'Repeated requests',
    refuse: 'Refuse a repeat that differs from the first request',
    hint: 'Recommended for new apps. A reference that is used again with other values gets 409 REFERENCE_MISMATCH. Otherwise it gets the result of the first request, which an app that ignores the header Idempotency-Mismatch takes for success.',
  },
  balanceEvents: {
    label: 'Balances',
    send: 'Send the event balance.changed',
    hint: 'The app learns the new balance of a linked wallet a few seconds after something else changed it: a top-up, another app or an operator. The event does not say what it was. The app needs the scope wallet:read.',
  },
  events: {
    lead: 'What happened that the app did not do itself. It reads the events from its feed and gets them by webhooks. They are kept for at least 30 days.',
    type: 'Type',
    anyType: 'Any',
    columns: { at: 'Event', type: 'Type', number: 'Number', user: 'User' },
    body: 'Event',
    emptyTitle: 'No events yet',
    empty: 'The next event of the app appears here, for example when a person links it.',
  },
  rotation: {
    second:
      'This app is in use, so a second operator must approve the rotation before you can see a new secret.',
    waitsTitle: 'Waiting for a second operator',
    waits:
      'Nothing has changed yet. When the rotation is approved, rotate the secret here again within 24 hours to see it.',
    close: 'Close',
  },
  restrict: {
    open: 'New restricted secret',
    title: 'New restricted secret',
    text: 'It can do a part of what the app can do. A leak of it does less harm than a leak of the secret without restrictions.',
    name: 'Name',
    nameHint: 'What it is for, such as refunds. Lowercase letters, digits and hyphens.',
    nameFault: 'Use 1 to 30 lowercase letters, digits and hyphens, and start with a letter.',
    taken: 'A secret with this name exists. Rotate it in the list, or choose another name.',
    scopes: {
      'wallet:read': 'Read wallets, balances and operations.',
      'wallet:debit': 'Debit wallets.',
      'wallet:credit': 'Credit wallets.',
      'wallet:refund': 'Refund debits of this app, never more than was debited.',
      'wallet:hold': 'Hold money of wallets, and capture or release it.',
      'webhooks:manage':
        'Create, change and delete webhooks. A secret without a restriction cannot.',
    },
    scopesFault: 'Choose at least one scope.',
    networks: 'Networks (optional)',
    networksHint:
      'Where it works from, such as 203.0.113.0/24 or 2001:db8::/48, separated by commas. Leave it empty for everywhere.',
    networksFault:
      'Enter networks such as 203.0.113.0/24 or 2001:db8::/48. One address is 203.0.113.9/32.',
    submit: 'Create',
    waits:
      'Nothing has changed yet. When it is approved, enter the same values here again within 24 hours to see the secret.',
    anywhere: 'from anywhere',
    from: (networks: readonly string[]) => `from ${networks.join(', ')}`,
  },
  replace: {
    open: 'Replace now',
    title: 'Replace a leaked secret now?',
    text: 'All secrets of this app end within a second, so its calls are refused. The contacts get a link that shows the new secret once. You do not see it, so no second operator is needed.',
    contacts: (emails: readonly string[]) => `The link goes to ${emails.join(', ')}.`,
    none: 'This app has no contacts, so nobody can receive the new secret. Revoke the secret instead.',
    done: (emails: readonly string[]) =>
      `The old secrets have ended. The link to the new one was sent to ${emails.join(', ')}.`,
  },
  debitAlert: {
    title: 'Alert about debits',
    label: 'Debits in one hour',
    hint: 'Operators and the contacts of the app are notified when its debits in one hour exceed this amount. Leave it empty for no alert.',
    actions: 'When that happens',
    submit: 'Set alert',
    done: 'The alert is set.',
    none: 'There is no alert now.',
    pauses: 'Also pause the app',
    pausesHint:
      'Its debits and credits stop until an operator resumes them. Otherwise the app continues.',
  },
}
