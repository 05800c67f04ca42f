import type { Context } from '../context.ts'
import type { Decision, Operation } from '../ledger/types.ts'

/** Returns the posted operation; undefined if the decision was a refusal. */
export async function readOperation(
  { ledger }: Pick<Context, 'ledger'>,
  decision: Decision,
): Promise<Operation | undefined> {
  return decision.refusal === null ? ledger.readOperation(decision) : undefined
}

/** Finds an operation of the service itself, such as a top-up. Only returns durable ones. */
export async function findServiceOperation(
  tools: Pick<Context, 'ledger'>,
  referenceType: string,
  referenceId: string,
): Promise<Operation | undefined> {
  const decision = await tools.ledger.findServiceDecision(referenceType, referenceId)
  return decision && readOperation(tools, decision)
}
