import type { Endpoint } from '@coffer/contract/endpoint'
import { credit, debit, findOperation, readWallet } from '@coffer/contract/server-api'
import type { Context } from '../../context.ts'
import { showRefusal } from '../../http/render-error.ts'
import type { Decision, Operation } from '../../ledger/types.ts'
import { ServiceError } from '../../service-error.ts'
import { answerDecision } from '../../wallet/debit-or-credit.ts'
import { showDecision } from '../../wallet/find-operation.ts'
import { showTransaction } from '../../wallet/show-transaction.ts'
import type { OwnedPair } from './look-up-operation.ts'

interface Answer {
  call: string
  status: number
  body: string
}

/** What a client app was told of its pair, made by the functions that told it. */
export function tellAnswers(
  context: Context,
  { owner, ...pair }: OwnedPair,
  decision: Decision | undefined,
  operation: Operation | undefined,
): Answer[] {
  if (owner === undefined) return []
  const account = Number(owner.account_id)
  const { config, transactionIds } = context
  if (decision === undefined) {
    const unknown = new ServiceError('OPERATION_NOT_FOUND')
    return [write(findOperation, showRefusal(unknown, findOperation))]
  }
  const asked = decision.kind === 'debit' ? debit : credit
  const found = showDecision(context, account, pair, decision)
  const answers = [
    write(
      asked,
      answerOrRefuse(asked, () => answerDecision(decision, config.currency)),
    ),
    write(findOperation, { status: 200, body: found }),
  ]
  if (operation === undefined) return answers
  const shown = showTransaction(operation, account, config.currency, transactionIds)
  return [...answers, write(readWallet, { status: 200, body: { transactions: [shown] } })]
}

function answerOrRefuse(endpoint: Endpoint, answer: () => object) {
  try {
    return { status: 200, body: answer() }
  } catch (error) {
    if (error instanceof ServiceError) return showRefusal(error, endpoint)
    throw error
  }
}

function write({ method, path }: Endpoint, { status, body }: { status: number; body: object }) {
  return { call: `${method} ${path}`, status, body: JSON.stringify(body, null, 2) }
}
