/** The messages from the login to the link with the app. */
import type { ErrorCode } from '@coffer/contract/errors'
import { sharedErrorsEn } from '../../ui/error-messages-en.ts'

const errors: Partial<Record<ErrorCode, string>> = {
  ...sharedErrorsEn,
  LOGIN_REQUIRED: 'Your login has expired. Log in again to continue.',
  EMAIL_TAKEN: 'An account with this email already exists.',
  SERVICE_UNAVAILABLE: 'The wallet is busy. Nothing was changed. Try again in a moment.',
  UNSUPPORTED_MEDIA_TYPE: 'Your browser sent an invalid request. Reload the page and try again.',
}

export const signInEn = {
  logIn: {
    title: 'Log in to your wallet',
    lead: (app: string) => `Pay with it at ${app}.`,
    submit: 'Log in',
    forgot: 'Forgot password?',
    other: 'No wallet yet?',
    signUp: 'Create an account',
    switched: (app: string) =>
      `You are logged out of your wallet in ${app}. Log in with another account.`,
    declined: (app: string) =>
      `You are not connected. ${app} cannot see your wallet. Log in again if you change your mind.`,
  },
  signUp: {
    title: 'Create your wallet',
    lead: (app: string) => `It takes a minute. Then you can pay at ${app}.`,
    submit: 'Create account',
    consent: (app: string) => `By creating your account, you allow ${app} to:`,
    instead: 'Log in instead',
    other: 'Already have a wallet?',
    logIn: 'Log in',
  },
  consent: {
    title: (app: string) => `${app} would like to connect to your wallet`,
    lead: (firstName: string) => `Hello, ${firstName}. If you agree, it will be able to:`,
    leadNameless: 'If you agree, it will be able to:',
    canSee: 'See your balance',
    canCharge: 'Charge your wallet without asking each time',
    cannot: 'It cannot see what you do in other apps, only the amount and the time.',
    undo: 'You can disconnect it at any time in your account.',
    agree: 'Agree',
    notNow: 'Not now',
  },
  verify: {
    title: 'Check your email',
    lead: 'We sent a 6-digit code to',
    submit: 'Confirm',
  },
  linked: {
    title: 'You are connected',
    text: (app: string) => `${app} is loading your wallet …`,
    hint: (app: string) => `If nothing happens, reload the ${app} page. Your connection is saved.`,
  },
  errors,
}
