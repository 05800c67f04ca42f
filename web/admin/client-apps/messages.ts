/** The part of messages.ts about client apps. */

export const appWords = {
  apps: {
    columns: {
      name: 'Name',
      state: 'State',
      scopes: 'Scopes',
      linkedUsers: 'Linked users',
      lastUsed: 'Last used',
      created: 'Created',
    },
    anyState: 'Any state',
    searchHint: 'Name or clientId',
    register: 'Register a client app',
    registerSubmit: 'Register',
    emptyTitle: 'No client app yet',
    empty: 'Register the first one to get its clientId and secret.',
    nameHint: 'People see it when they connect their wallet.',
  },
  scopes: {
    label: 'Scopes',
    short: { 'wallet:read': 'read', 'wallet:write': 'write' },
    'wallet:read': 'Read wallets, check balances and open the widget for linked users.',
    'wallet:write': 'Debit and credit the wallets of linked users.',
  },
  accent: {
    label: 'Accent colour',
    picker: 'Pick the accent colour',
    placeholder: 'Default',
    hint: 'Of buttons in the widget. It is darkened or lightened where text would be hard to read.',
    reset: 'Use the default',
    sample: 'Add money',
  },
  origins: {
    allowedOrigins: {
      title: 'Allowed origins',
      hint: 'Pages of the app that may open the top-up window.',
    },
    allowedIframeParents: {
      title: 'Allowed iframe parents',
      hint: 'Pages that may embed the widget and receive its messages.',
    },
    none: {
      allowedOrigins: 'None listed. Iframe parents may open the top-up window anyway.',
      allowedIframeParents: 'None listed, so no page can embed the widget.',
    },
    add: (title: string) => `Add to ${title.toLowerCase()}`,
    addShort: 'Add',
    addBetter: (origin: string) => `Add ${origin}`,
    remove: (origin: string) => `Remove ${origin}`,
    tooMany: (max: number) => `At most ${max} origins can be listed. Remove one first.`,
    wildcard: 'Wildcards are not allowed. List each origin.',
    notAUrl: 'This is not an origin yet. An origin looks like https://shop.example.',
    insecure: 'An origin must begin with https://. http:// is allowed for localhost only.',
    inexact: (origin: string) => `Write this origin exactly as ${origin}.`,
    badHost: 'This host name contains characters that are not allowed.',
    listed: 'This origin is already in the list.',
  },
  limit: {
    label: 'Credit limit',
    meaning: 'How far the app may credit more than it has debited. Credits beyond it are refused.',
    limited: 'Up to an amount',
    limitedHint: 'A leaked secret cannot create more money than this. Recommended.',
    unlimited: 'Unlimited',
    unlimitedHint:
      'Nothing bounds its credits. Only for apps that you run yourself. A second operator must always approve it.',
    forGood:
      'You can change the amount later, but you cannot switch between an amount and unlimited.',
    none: 'Unlimited',
    second:
      'The limit counts like a bonus. If it takes what you gave in the last 24 hours above the threshold, a second operator must approve it first. Until then the limit of the new app is 0.',
    secondRaise:
      'Raising it counts like a bonus: above the threshold of 24 hours a second operator must approve it first. Lowering it takes effect at once.',
    waitsNew:
      'The credit limit waits for a second operator. Until one approves it, the limit is 0 and the app cannot credit more than it has debited.',
    waitsRaise:
      'The new credit limit waits for a second operator. Until one approves it, the limit stays as it was. Your other changes are saved.',
    waiting: (limit: string, operator: string) =>
      `Waits for a second operator: ${limit}, requested by ${operator}.`,
  },
  taken: {
    text: 'Another active client app lists one of these iframe parents. Remove it there, or share it: frames must then carry the clientId in their address.',
    insist: 'Share it between the apps',
  },
  created: {
    title: 'The client app is registered',
    once: 'Store the secret now, in a place for secrets. It is not shown again.',
    env: 'Environment (.env)',
    goOn: 'I have stored it, go on',
  },
  detail: {
    tabsLabel: 'Parts of this client app',
    tabs: {
      settings: 'Settings',
      secrets: 'Secrets',
      integration: 'Integration',
      statement: 'Statement',
    },
    discard: 'Discard',
    dirty: 'Unsaved changes.',
  },
  activate: {
    activate: 'Activate',
    deactivate: 'Deactivate',
    offTitle: (name: string) => `Deactivate ${name}?`,
    off: 'Within a second this stops:',
    stops: [
      'its server calls: they answer 401 INVALID_CLIENT',
      'its widget sessions, the open ones too',
      'embedding the widget in its pages',
    ],
    stays: 'Links, wallets, secrets and settings stay. You can activate it again at any time.',
    onTitle: (name: string) => `Activate ${name}?`,
    on: 'Its server calls, sessions and embedding work again within a second.',
  },
  settlement: {
    label: 'Figures of this client app',
    amount: 'Settlement',
    weOwe: 'The platform owes it to the app: debits less credits.',
    theyOwe: 'The app owes it to the platform: it has credited more than debited.',
    even: 'Debits and credits are even.',
    noLimit: 'Its credits have no bound.',
    left: (amount: string) => `${amount} can still be credited.`,
  },
  secrets: {
    columns: {
      secret: 'Secret',
      created: 'Created',
      expires: 'Expires',
      lastUsed: 'Last used',
      actions: 'Actions',
    },
    lead: 'At most two work at the same time, so that one can replace the other without a pause.',
    rotate: 'Rotate secret',
    named: (id: string) => `Secret ${id}`,
    current: 'Current',
    leaving: 'Expiring',
    expired: 'Expired',
    revoke: 'Revoke now',
    revokeNamed: (id: string) => `Revoke now: secret ${id}`,
    revoked: 'The secret is revoked.',
    emptyTitle: 'No secret works',
    empty: 'Every call of this app is refused. Rotate to make a new secret.',
  },
  rotate: {
    title: 'Rotate the secret',
    text: 'A new secret is made. Choose how long the old one goes on working.',
    hasTwo: 'Two secrets work at the moment. The older of them ends now.',
    overlap: 'The old secret works for',
    overlaps: { none: 'Not at all', '1h': '1 hour', '24h': '24 hours', '7d': '7 days' },
    hints: {
      none: 'It has leaked. Calls with it fail at once, until the new one is in place.',
      '1h': 'You put the new one in place right away.',
      '24h': 'Enough for an ordinary release. Nothing fails meanwhile.',
      '7d': 'Another team or company has to put it in place.',
    },
    submit: 'Rotate',
    doneTitle: 'The new secret',
    stored: 'I have stored it',
  },
  revoke: {
    title: (id: string) => `Revoke secret ${id}?`,
    text: 'Within a second it is refused everywhere. This cannot be undone.',
    last: 'It is the only one that works: within a second every call of this app is refused, until you rotate and put the new secret in place. This cannot be undone.',
  },
  integration: {
    embedTitle: 'Embed the widget',
    embed:
      'Without a session it shows log-in and sign-up. Add &session= with a token from your backend to show the wallet.',
    html: 'HTML',
    backendTitle: 'Call from your backend',
    backend: 'The secret never belongs into a page: calls from a browser are refused.',
    session: 'Create a widget session',
    debit: 'Debit',
    credit: 'Credit',
  },
  check: {
    title: 'Is it wired right?',
    lead: 'What the service saw of this app lately, refreshed while you look.',
    states: { good: 'Good:', open: 'Look at it:', bad: 'Not working:' },
    active: 'The app is active.',
    inactive: 'The app is not active, so everything it sends is refused.',
    used: 'Credentials accepted, last',
    usedLongAgo: 'Credentials work, but were last used',
    neverUsed: 'Its credentials were never used. Run one of the calls below.',
    scopes: (count: number) =>
      count === 2
        ? 'It may read and write.'
        : count === 1
          ? 'It has one of two scopes. Calls that need the other are refused.'
          : 'It has no scope, so every call is refused.',
    parents: (count: number) =>
      count === 0
        ? 'No iframe parent is listed, so no page can embed the widget.'
        : `${count} ${count === 1 ? 'page' : 'pages'} may embed the widget.`,
    refused: (count: number) =>
      count === 0
        ? 'No page was refused.'
        : `${count} ${count === 1 ? 'page' : 'pages'} tried to embed the widget and may not.`,
    errors: (count: number) =>
      count === 0
        ? 'No call was refused.'
        : `Calls were refused, with ${count} ${count === 1 ? 'code' : 'different codes'}.`,
    refusedTitle: 'Refused pages',
    errorsTitle: 'Refused calls',
    columns: { origin: 'Page', count: 'Count', last: 'Last', code: 'Code', meaning: 'Meaning' },
    addParent: 'Add to iframe parents',
    isParent: 'Listed now',
    cannot: 'Cannot be listed',
    added: (origin: string) => `${origin} may embed the widget now.`,
    unknownCode: 'See the API reference at /docs.',
  },
  /** What a refused call means for those who build the integration. */
  meanings: {
    INVALID_CLIENT: 'A wrong or revoked secret, or the app is not active.',
    INSUFFICIENT_SCOPE: 'The call needs a scope that the app does not have.',
    BROWSER_NOT_ALLOWED: 'A page called the server API, so the secret has leaked. Rotate it.',
    INVALID_REQUEST: 'A field is missing or does not fit the contract.',
    INVALID_AMOUNT: 'The amount has too many decimals, an exponent, or is out of bounds.',
    USER_NOT_FOUND: 'The user is not linked to this app. Show the widget without a session.',
    INVALID_SESSION: 'No session token was passed, or something else in its place.',
    SESSION_EXPIRED: 'Sessions last 5 minutes. Create a new one and reload the widget.',
    ORIGIN_NOT_ALLOWED: 'parentOrigin is not among the allowed iframe parents.',
    LINK_CODE_INVALID: 'The link code is wrong or older than two minutes.',
    OPERATION_NOT_FOUND: 'Nothing was ever done with this reference.',
    INSUFFICIENT_BALANCE: 'The wallet holds too little. A new attempt needs a new referenceId.',
    WALLET_INACTIVE: 'The wallet is frozen and cannot be debited.',
    CREDIT_LIMIT_EXCEEDED: 'The credit would exceed the app’s credit limit.',
    BALANCE_LIMIT: 'The wallet would hold more than a wallet can.',
    NOT_FOUND: 'The address of the call is wrong.',
    PAYLOAD_TOO_LARGE: 'The body is larger than 16 KiB.',
    UNSUPPORTED_MEDIA_TYPE: 'The body is not sent as application/json.',
    RATE_LIMITED: 'Too many calls. Wait as Retry-After says and repeat with the same reference.',
    SERVICE_UNAVAILABLE:
      'The service was overloaded, or writes were paused. Repeat with the same reference.',
    OUTCOME_UNKNOWN: 'Repeat with the same reference: it is executed at most once.',
  },
}
