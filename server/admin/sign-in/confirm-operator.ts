import { inTransaction } from '../../database/in-transaction.ts'
import { run } from '../../database/statement.ts'
import { asKnown } from '../../identity/recognize-device.ts'
import { scopeOf } from '../../identity/throttle-attempts.ts'
import type { AdminCall } from '../access.ts'
import { checkPassword, type LogInTools } from './log-in.ts'
import { confirmLogIn } from './queries.ts'
import { recordingWrongCode } from './record-failed-log-in.ts'
import { forgiveTries, throttleCode, useCode } from './use-code.ts'

/** Requires the password and a code again, which protects a browser that was left open. */
export async function confirmOperator(
  tools: LogInTools,
  {
    operator,
    record,
    network,
    address,
  }: Pick<AdminCall, 'operator' | 'record' | 'network' | 'address'>,
  { password, code }: { password: string; code: string },
): Promise<void> {
  const { db, keys, config } = tools
  const { email, logInId } = operator
  // Nobody else can use up the attempts of a login.
  const caller = asKnown(network, logInId, email)
  const checked = await checkPassword(tools, { email, password }, { ...caller, address })
  await throttleCode(tools, checked)
  await recordingWrongCode(db, checked, address, () =>
    inTransaction(db, async (tx) => {
      const means = await useCode(tx, keys, checked, code)
      await run(tx, confirmLogIn(operator.logInId))
      await record(tx, { action: 'operator.confirm', subject: checked.email, after: { means } })
    }),
  )
  await forgiveTries(tools, checked, scopeOf(config.peppers, caller))
}
