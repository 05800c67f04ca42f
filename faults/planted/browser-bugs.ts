import type { PlantedBug } from './planted-bug.ts'

export const BROWSER_BUGS: readonly PlantedBug[] = [
  {
    name: 'a wrong password in the profile ends the login',
    file: 'web/account/calls.ts',
    find: `result.code === 'LOGIN_REQUIRED') hooks`,
    replace: 'result.status === 401) hooks',
    test: 'web/account/calls.test.ts',
    title: 'does not end the login after a wrong password',
  },
  {
    name: 'a late response to an outdated filter replaces the list',
    file: 'web/admin/kit/use-read.ts',
    find: '    if (number !== asked.current) return undefined\n',
    replace: '',
    test: 'web/admin/kit/use-read.test.ts',
    title: 'drops the response to an outdated filter that arrives late',
  },
  {
    name: 'a credit limit of 0 is shown as no limit',
    file: 'web/admin/client-apps/draft.ts',
    find: 'isUnlimited: app.creditLimit === null',
    replace: 'isUnlimited: !app.creditLimit',
    test: 'web/admin/client-apps/draft.test.ts',
    title: 'shows the credit limit 0 as it is',
  },
  {
    name: 'an attribute that is set to the same value reloads the wallet',
    file: 'embed/define-coffer-wallet.ts',
    find: '    if (before === after) return\n',
    replace: '    void [before, after]\n',
    test: 'embed/define-coffer-wallet.test.ts',
    title: 'keeps its wallet if an attribute is set to the same value again',
  },
]
