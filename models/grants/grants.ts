/** The model of grants, approvals and the roles of operators. */
import type { Model, ModelSetup } from '../check-model.ts'
import { execute } from './act.ts'
import { plan, RARE, type Plan } from './commands.ts'
import { compareAudit, look } from './look.ts'
import { at, isLoggedIn } from './model.ts'
import { Run } from './run.ts'
import { openGrantsSetup } from './setup.ts'

async function open(hit: (name: string) => void): Promise<ModelSetup<Plan>> {
  const setup = await openGrantsSetup()
  return {
    async play(given, note) {
      const run = new Run(setup, given, { note, hit })
      await run.addShop()
      for (const command of given.commands) {
        if (run.isTooSlow) return
        await execute(run, command)
      }
      await lookAtTheEnd(run)
    },
    close: () => setup.service.close(),
  }
}

/** One operator looks at everything, and one at the audit log. */
async function lookAtTheEnd(run: Run) {
  const { operators } = run.state
  run.state.step++
  await look(run, run.state.step % operators.length)
  const reader = operators.findIndex(({ isActive }) => isActive)
  await run.makeReady(reader)
  if (!run.isTooSlow && isLoggedIn(run.state, at(operators, reader)))
    await compareAudit(run, reader)
}

/** Of one verb; the rest of each name is a refusal, or a kind of grant and the answer. */
function each(verb: string, ...answers: string[]): string[] {
  return answers.map((answer) => `${verb} ${answer}`)
}

const MUST_HIT = [
  ...each('proposeGrant', '200', 'INVALID_AMOUNT', 'INVALID_REQUEST', 'INSUFFICIENT_BALANCE'),
  ...each('proposeGrant', 'BALANCE_LIMIT', 'NOT_FOUND', 'OUTCOME_UNKNOWN', 'SERVICE_UNAVAILABLE'),
  ...each('proposeGrant', 'LOGIN_REQUIRED', 'OPERATOR_FORBIDDEN', 'CONFIRMATION_REQUIRED'),
  ...each('releaseHold', '200', 'NOT_FOUND', 'HOLD_CLOSED', 'HOLD_EXPIRED'),
  ...each('approveGrant', 'bonus 200', 'correction_in 200', 'correction_out 200'),
  ...each('approveGrant', 'credit_limit 200', 'app_change 200', 'INSUFFICIENT_BALANCE'),
  ...each('approveGrant', 'SECOND_OPERATOR_REQUIRED', 'GRANT_DECIDED', 'GRANT_LAPSED'),
  ...each('approveGrant', 'NOT_FOUND', 'OUTCOME_UNKNOWN', 'OPERATOR_FORBIDDEN'),
  ...each('declineGrant', '200', 'GRANT_DECIDED', 'NOT_FOUND', 'OPERATOR_FORBIDDEN'),
  ...each('changeClientApp', '200', 'INVALID_AMOUNT', 'ORIGIN_TAKEN', 'OPERATOR_FORBIDDEN'),
  ...each('createClientApp', '200', 'ORIGIN_TAKEN'),
  ...each('activateClientApp', '200'),
  ...each('rotateClientSecret', '200', 'posted 200'),
  ...each('revokeClientSecret', '200'),
  ...each('createWebhook', '200', 'posted 200'),
  ...each('createOperator', '200', 'EMAIL_TAKEN', 'OPERATOR_FORBIDDEN'),
  ...each('changeOperator', '200', 'OPERATOR_FORBIDDEN'),
  ...each('freezeWallet', '200'),
  ...each('pauseWrites', '200'),
  ...each('pauseClientApp', '200'),
  ...each('erasePerson', '200', 'ACCOUNT_NOT_EMPTY'),
  ...each('confirmOperator', '200'),
  ...each('logInToAdmin', 'code'),
  ...each('together', 'approveGrant approveGrant', 'proposeGrant proposeGrant'),
  'together one needs a second operator',
  'approveGrant contacts',
  'finish a grant',
]

export const MODEL: Model<Plan> = {
  name: 'grants',
  plan,
  open,
  mustHit: MUST_HIT,
  plans: 110,
  first: RARE,
}
