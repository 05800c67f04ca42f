/** Every endpoint of the admin area, for tests, documentation and checks. */
import * as audit from './audit.ts'
import * as clientAppAlerts from './client-app-alerts.ts'
import * as clientAppEvents from './client-app-events.ts'
import * as clientApps from './client-apps.ts'
import * as clientAppStatements from './client-app-statements.ts'
import * as grants from './grants.ts'
import * as operations from './operations.ts'
import * as operators from './operators.ts'
import * as overview from './overview.ts'
import * as ownSignIn from './own-sign-in.ts'
import * as people from './people.ts'
import * as signIn from './sign-in.ts'
import * as switches from './switches.ts'
import * as topups from './topups.ts'
import * as webhooks from './webhooks.ts'

const { logInToAdmin, finishAdminLogIn, beginPasskeyLogIn, logInByPasskey, ...signedIn } = signIn

/** Public: they start a login. */
export const ADMIN_SIGN_IN_ENDPOINTS = {
  logInToAdmin,
  finishAdminLogIn,
  beginPasskeyLogIn,
  logInByPasskey,
}

/** Open to operators who are signed in and have the endpoint's role. */
export const ADMIN_ENDPOINTS = {
  ...signedIn,
  ...ownSignIn,
  ...overview,
  ...operators,
  ...clientApps,
  ...clientAppAlerts,
  ...clientAppEvents,
  ...clientAppStatements,
  ...webhooks,
  ...people,
  ...grants,
  ...operations,
  ...topups,
  ...switches,
  ...audit,
}
