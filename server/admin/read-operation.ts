import type { Context } from '../context.ts'
import type { Decision, Operation } from '../ledger/types.ts'

/** What was posted; undefined if nothing was. */
export async function readOperation(
  { ledger }: Pick<Context, 'ledger'>,
  { walletId, seq, refusal }: Decision,
): Promise<Operation | undefined> {
  if (refusal !== null) return undefined
  const [operation] = await ledger.readHistory(walletId, seq, 1)
  return operation?.seq === seq ? operation : undefined
}

/** Of the service's own flows; only what is durable. */
export async function findServiceOperation(
  tools: Pick<Context, 'ledger'>,
  referenceType: string,
  referenceId: string,
): Promise<Operation | undefined> {
  const decision = await tools.ledger.findServiceDecision(referenceType, referenceId)
  return decision && readOperation(tools, decision)
}
