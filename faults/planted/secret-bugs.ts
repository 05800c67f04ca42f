import type { PlantedBug } from './planted-bug.ts'

const TEST = 'server/client-app/restriction.test.ts'

/** Restricted secrets. */
export const SECRET_BUGS: readonly PlantedBug[] = [
  {
    name: 'a restricted secret can call everything',
    file: 'server/client-app/restriction.ts',
    find: `throw new ServiceError('SECRET_RESTRICTED')`,
    replace: 'return',
    test: TEST,
    title: 'allows exactly its calls',
  },
  {
    name: 'an operation of a batch ignores the restriction of the secret',
    file: 'server/wallet/execute-batch.ts',
    find: '  requireScope(clientApp, { debit, credit, refund, hold, capture, release }[type])\n',
    replace: '',
    test: TEST,
    title: 'allows in a batch what it allows alone',
  },
  {
    name: 'a restriction can be lifted in the database',
    file: 'server/client-app/secret.ts',
    find: '  if (restriction) hmac.update(',
    replace: '  if (false) hmac.update(',
    test: TEST,
    title: 'is refused if its restriction is changed or removed in the database',
  },
  {
    name: 'a new pepper ends restricted secrets',
    file: 'server/client-app/authenticate-client.ts',
    find: 'const hmac = hashSecret(pepper, text, restriction)',
    replace: 'const hmac = hashSecret(pepper, text)',
    test: TEST,
    title: 'keeps its restriction when its hash is renewed with a new pepper',
  },
  {
    name: 'the rotation of one secret ends those with other names',
    file: 'server/client-app/secret-queries.ts',
    find: `          and restriction ->> 'name' is not distinct from $3\n`,
    replace: `          and ($3::text is null or true)\n`,
    test: 'server/client-app/restricted-rotation.test.ts',
    title: 'keeps the other secrets, and at most two with its name',
  },
  {
    name: 'an approval of a restricted secret is enough for one without a restriction',
    file: 'server/admin/app-change-queries.ts',
    find: `change -> 'restriction' is not distinct from $3::jsonb`,
    replace: '($3::jsonb is null or true)',
    test: 'server/admin/client-apps/app-authority.test.ts',
    title: 'is approved for exactly one restriction',
  },
]
