/** Refunds a debit where the operator has found it. What is left of it is read when it is needed. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Done } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import type { FoundOperation, Person, PersonEntry } from '../calls.ts'
import { canRefund, RefundDebitDialog } from '../kit/refund-debit.tsx'
import { ReadFailed } from '../kit/list-parts.tsx'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'

interface FoundDebit {
  person: Person
  entry: PersonEntry
}

export function RefundOperation({ found: { clientApp, decision } }: { found: FoundOperation }) {
  const mayGrant = useMay('operator')
  const isDebit = decision?.kind === 'debit' || decision?.kind === 'capture'
  const { transactionId, person, amount = 0, refunded = 0 } = decision ?? {}
  if (!mayGrant || !isDebit || refunded >= amount) return null
  if (!clientApp || !transactionId || !person?.name) return null
  return <RefundButton personId={person.id} transactionId={transactionId} />
}

interface RefundButtonProps {
  personId: string
  transactionId: string
}

function RefundButton({ personId: id, transactionId }: RefundButtonProps) {
  const { call } = usePage()
  const [debit, setDebit] = useState<FoundDebit>()
  const [problem, setProblem] = useState<'failed' | 'nothingLeft'>()
  const [done, setDone] = useState('')
  async function read() {
    const [person, history] = await Promise.all([
      call('GET /api/admin/people/one', { id }),
      call('GET /api/admin/people/history', { id, search: transactionId }),
    ])
    if (!person.ok || !history.ok) return setProblem('failed')
    const entry = history.data.transactions.find((each) => each.id === transactionId)
    const next = entry && { person: person.data, entry }
    const isLeft = next !== undefined && canRefund(next)
    setProblem(isLeft ? undefined : 'nothingLeft')
    if (isLeft) setDebit(next)
  }
  const [isBusy, ask] = useBusy(read)
  if (done) return <Done text={done} takesFocus />
  if (problem === 'failed') return <ReadFailed retry={read} />
  if (problem === 'nothingLeft')
    return <p class={base.muted}>This debit is already refunded in full.</p>
  return (
    <p>
      <Button kind="secondary" isBusy={isBusy} onClick={ask}>
        Refund
      </Button>
      {debit && (
        <RefundDebitDialog
          {...debit}
          reload={async () => undefined}
          onDone={setDone}
          onClose={() => setDebit(undefined)}
        />
      )}
    </p>
  )
}
