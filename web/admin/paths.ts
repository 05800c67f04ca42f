/** The addresses of the pages of the admin area. */
export const paths = {
  home: '/admin',
  search: '/admin/search',
  apps: '/admin/client-apps',
  newApp: '/admin/client-apps/new',
  app: (clientId: string) => `/admin/client-apps/${encodeURIComponent(clientId)}`,
  webhooks: (clientId: string) => `/admin/webhooks/${encodeURIComponent(clientId)}`,
  webhook: (clientId: string, id: string) => `${paths.webhooks(clientId)}?webhook=${id}`,
  people: '/admin/people',
  frozen: '/admin/people?state=frozen',
  person: (id: string) => `/admin/people/${encodeURIComponent(id)}`,
  topupsOf: (personId: string) => `/admin/topups?person=${encodeURIComponent(personId)}`,
  operations: '/admin/operations',
  /** `app` is a clientId, or "service". */
  operation: (app: string, type: string, id: string) =>
    `/admin/operations?${new URLSearchParams({ app, type, id })}`,
  transaction: (id: string) => `/admin/operations?${new URLSearchParams({ transaction: id })}`,
  reference: (id: string) => `/admin/operations?${new URLSearchParams({ reference: id })}`,
  topups: '/admin/topups',
  disputes: '/admin/topups?having=dispute',
  topup: (id: string) => `/admin/topups/${encodeURIComponent(id)}`,
  approvals: '/admin/grants',
  operators: '/admin/operators',
  audit: '/admin/audit',
  switches: '/admin/switches',
  me: '/admin/sign-in',
}
