/**
 * Random plans. Commands name people, browsers and credentials by their position in the state in which they run, so a shorter
 * list of commands is still meaningful, and fast-check can shrink it.
 */
import fc from 'fast-check'

/** Where a ticket is entered: at the step that it was issued for, or at another one. */
export const STEPS = [
  'agree',
  'verifyEmail',
  'verifySignUp',
  'verifyNewEmail',
  'reset',
  'undo',
  'secure',
] as const
export type Step = (typeof STEPS)[number]

/** Of the address: as it is, or in capitals. */
export interface Address {
  email: number
  isUpperCase: boolean
}

/** A credential of all that were issued, counted from the newest. `prefers`: those that work, if there are any. */
export interface Pick {
  back: number
  prefers: 'live' | 'any'
}

/** `own`: the person's; `old`: another one of the plan; `wrong`: nobody's; `weak`: refused when it is new. */
export type PasswordChoice = 'own' | 'old' | 'wrong' | 'weak'

interface Form extends Address {
  browser: number
  app: number
  passwordChoice: PasswordChoice
  challenge: number
}

/** A browser at /account: any, or one that is logged in, if there is one. */
export interface Visitor {
  browser: number
  isAny: boolean
}

/** The ticket that it issues is used at once: where the person is logged in, or where somebody else is. */
interface Begun {
  isFollowed: boolean
  isStranger: boolean
}

/** Afterwards the person links this app again; null: does not. */
interface Returning {
  returnsTo: number | null
}

export type Command =
  | ({ do: 'signUp'; isAtAccount: boolean; isForeign: boolean } & Form & Begun)
  | ({ do: 'logIn'; isAtAccount: boolean; isForeign: boolean } & Form & Begun)
  | ({ do: 'guess'; isAtAccount: boolean; times: number } & Form)
  | ({ do: 'forgot'; app: number | null; browser: number; times: number } & Address & Begun)
  | {
      do: 'use'
      of: 'ticket' | 'undo' | 'warning'
      pick: Pick
      step: Step | null
      browser: number
      code: 'right' | 'wrong' | 'other'
      passwordChoice: PasswordChoice
      isForeign: boolean
      isStranger: boolean
    }
  | { do: 'exchange'; pick: Pick; isOwnApp: boolean; verifier: 'right' | 'none' | 'other' }
  | { do: 'open'; pick: Pick; isOwnApp: boolean; origin: 'none' | 'listed' | 'other' }
  | { do: 'show'; pick: Pick }
  | { do: 'creditAndDebit'; pick: Pick; isOwnApp: boolean }
  | ({ do: 'account' | 'logOut' | 'unlinkAll'; isForeign: boolean } & Visitor & Returning)
  | ({ do: 'unlink'; app: number } & Visitor & Returning)
  | ({ do: 'rename'; firstName: string } & Visitor)
  | ({ do: 'endLogIn'; pick: Pick } & Visitor)
  | ({
      do: 'changePassword'
      passwordChoice: PasswordChoice
      newPasswordChoice: PasswordChoice
    } & Visitor &
      Returning)
  | ({ do: 'changeEmail'; passwordChoice: PasswordChoice } & Address & Visitor & Begun)
  | ({ do: 'delete'; passwordChoice: PasswordChoice } & Visitor)
  | { do: 'erase'; person: number }
  | { do: 'pass'; seconds: number }
  /** To right before or right after something ends: the next one, the second one, and so on. */
  | { do: 'passTo'; boundary: number; isAfter: boolean }
  | { do: 'maintain' }
  | { do: 'malformed'; browser: number; which: number }

export interface Plan {
  isSecondVerified: boolean
  hasMoney: boolean
  /** Both people have linked both apps before. */
  isLinked: boolean
  /** Both people are logged in before, each in a browser. */
  isLoggedIn: boolean
  /** Which wrong step each ticket is tried at in the end. */
  eye: number
  /** Each plan leaves out some commands, so that the others come more often, and may be about one person or one app. */
  without: Command['do'][]
  isOnePerson: boolean
  isOneApp: boolean
  commands: Command[]
}

const BROWSERS = 3
export const EMAILS = 4
export const VERIFIERS = 2

const browser = fc.nat(BROWSERS - 1)
const visitor = { browser, isAny: fc.constantFrom(false, false, false, false, false, true) }
const app = fc.nat(1)
const email = fc.constantFrom(0, 0, 0, 1, 1, 2, 3)
const isUpperCase = fc.constantFrom(false, false, true)
const passwordChoice = fc.constantFrom<PasswordChoice>(
  'own',
  'own',
  'own',
  'own',
  'own',
  'own',
  'old',
  'wrong',
)
const newPasswordChoice = fc.constantFrom<PasswordChoice>('old', 'old', 'old', 'old', 'own', 'weak')
/** 0: none. */
const challenge = fc.nat(VERIFIERS)
const isForeign = fc.constantFrom(...Array<boolean>(19).fill(false), true)
const isAtAccount = fc.boolean()
const isFollowed = fc.boolean()
const isStranger = fc.constantFrom(false, false, true)
const returnsTo = fc.constantFrom(null, 0, 1)
const pick = fc.record<Pick>({
  back: fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3, 5),
  prefers: fc.constantFrom('live', 'live', 'live', 'any'),
})
const form = { browser, app, email, isUpperCase, challenge }

const kind = <Do extends Command['do']>(name: Do) => fc.constant(name)

const signIns: fc.WeightedArbitrary<Command>[] = [
  {
    weight: 10,
    arbitrary: fc.record({
      do: kind('logIn'),
      ...form,
      passwordChoice,
      isAtAccount,
      isForeign,
      isFollowed,
      isStranger,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: kind('signUp'),
      ...form,
      email: fc.constantFrom(0, 1, 2, 2, 3, 3),
      passwordChoice: newPasswordChoice,
      isAtAccount,
      isForeign,
      isFollowed,
      isStranger,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: kind('guess'),
      ...form,
      passwordChoice: fc.constant<PasswordChoice>('wrong'),
      isAtAccount,
      times: fc.constantFrom(1, 2, 4, 7, 11, 14),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: kind('forgot'),
      app: fc.constantFrom(null, 0, 1),
      browser,
      email,
      isUpperCase,
      times: fc.constantFrom(1, 1, 1, 1, 2, 8, 12),
      isFollowed,
      isStranger,
    }),
  },
  {
    weight: 16,
    arbitrary: fc.record({
      do: kind('use'),
      of: fc.constantFrom('ticket', 'ticket', 'ticket', 'ticket', 'undo', 'warning'),
      pick,
      step: fc.constantFrom(...Array<null>(21).fill(null), ...STEPS),
      browser,
      code: fc.constantFrom('right', 'right', 'right', 'right', 'wrong', 'other'),
      passwordChoice: newPasswordChoice,
      isForeign,
      isStranger,
    }),
  },
]

const appsAndSessions: fc.WeightedArbitrary<Command>[] = [
  {
    weight: 4,
    arbitrary: fc.record({
      do: kind('exchange'),
      pick,
      isOwnApp: fc.constantFrom(true, true, true, true, false),
      verifier: fc.constantFrom('right', 'right', 'right', 'none', 'other'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: kind('open'),
      pick,
      isOwnApp: fc.constantFrom(true, true, true, true, true, false),
      origin: fc.constantFrom('none', 'none', 'listed', 'listed', 'other'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: kind('show'), pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: kind('creditAndDebit'),
      pick,
      isOwnApp: fc.constantFrom(true, true, true, true, true, false),
    }),
  },
]

const atAccount: fc.WeightedArbitrary<Command>[] = [
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('account', 'account', 'account', 'logOut', 'unlinkAll'),
      ...visitor,
      isForeign,
      returnsTo,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: kind('unlink'), ...visitor, app, returnsTo }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: kind('rename'),
      ...visitor,
      firstName: fc.constantFrom('Ada', 'Żółć', '<b>'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: kind('endLogIn'), ...visitor, pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: kind('changePassword'),
      ...visitor,
      passwordChoice,
      newPasswordChoice,
      returnsTo,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: kind('changeEmail'),
      isFollowed,
      isStranger,
      ...visitor,
      passwordChoice,
      email: fc.nat(EMAILS - 1),
      isUpperCase,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: kind('delete'), ...visitor, passwordChoice }) },
  { weight: 1, arbitrary: fc.record({ do: kind('erase'), person: fc.nat(2) }) },
]

/** Shorter and longer than what expires, in seconds. */
const PASSES = [10, 70, 130, 290, 310, 500, 1_500, 1_700, 1_900, 3_700, 40_000, 90_000, 500_000]

const others: fc.WeightedArbitrary<Command>[] = [
  {
    weight: 2,
    arbitrary: fc.record({
      do: kind('pass'),
      seconds: fc.constantFrom(...PASSES),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: kind('passTo'),
      boundary: fc.constantFrom(0, 0, 0, 1, 2, 3, 5, 8, 13),
      isAfter: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: kind('maintain') }) },
  { weight: 1, arbitrary: fc.record({ do: kind('malformed'), browser, which: fc.nat(4) }) },
]

const command: fc.Arbitrary<Command> = fc.oneof(
  ...signIns,
  ...appsAndSessions,
  ...atAccount,
  ...others,
)

const LEFT_OUT: Command['do'][] = [
  'signUp',
  'guess',
  'forgot',
  'exchange',
  'open',
  'creditAndDebit',
  'account',
  'unlink',
  'endLogIn',
  'changePassword',
  'changeEmail',
  'delete',
  'erase',
  'pass',
  'passTo',
  'maintain',
]

export const plan: fc.Arbitrary<Plan> = fc.noBias(
  fc.record({
    isSecondVerified: fc.boolean(),
    hasMoney: fc.boolean(),
    isLinked: fc.boolean(),
    isLoggedIn: fc.constantFrom(true, true, false),
    eye: fc.nat(1_000),
    without: fc.subarray(LEFT_OUT),
    isOnePerson: fc.constantFrom(true, false, false),
    isOneApp: fc.constantFrom(true, false, false),
    commands: fc.array(command, { minLength: 1, maxLength: 40, size: 'max' }),
  }),
)

/** Of the first person in the first app. */
const OLDEST: Pick = { back: 3, prefers: 'live' }
const OPEN = { do: 'open', pick: OLDEST, isOwnApp: true, origin: 'none' } as const
/** Whoever is logged in: the first person. */
const FIRST = { browser: 0, isAny: false } as const
const CHANGED = {
  do: 'changePassword',
  ...FIRST,
  passwordChoice: 'own',
  newPasswordChoice: 'old',
} as const
const UNLINKED = { do: 'unlinkAll', ...FIRST, isForeign: false } as const

/** What rarely happens by chance. */
export const RARE: Plan[] = (
  [
    // The session would work for some minutes.
    [
      OPEN,
      { do: 'creditAndDebit', pick: OLDEST, isOwnApp: true },
      { ...UNLINKED, returnsTo: null },
    ],
    [OPEN, { ...CHANGED, returnsTo: 0 }],
    // Right before the end of a link of some age.
    [
      { do: 'pass', seconds: 310 },
      { do: 'creditAndDebit', pick: OLDEST, isOwnApp: true },
      { ...UNLINKED, returnsTo: 0 },
    ],
  ] satisfies Command[][]
).map((commands) => ({
  isSecondVerified: true,
  hasMoney: false,
  isLinked: true,
  isLoggedIn: true,
  eye: 0,
  without: [],
  isOnePerson: false,
  isOneApp: false,
  commands,
}))
