/** Gives a charge back where the operator has found it. What is left of it is read when it is needed. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Done } from '../../ui/done.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import type { FoundOperation, Person, PersonEntry } from '../calls.ts'
import { canGiveBack, GiveBackDialog } from '../kit/give-back.tsx'
import { ReadFailed } from '../kit/list-parts.tsx'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'

interface Charge {
  person: Person
  entry: PersonEntry
}

export function GiveOperationBack({ found: { clientApp, decision } }: { found: FoundOperation }) {
  const mayGrant = useMay('operator')
  const isCharge = decision?.kind === 'debit' || decision?.kind === 'capture'
  const { transactionId, person, amount = 0, refunded = 0 } = decision ?? {}
  if (!mayGrant || !isCharge || refunded >= amount) return null
  if (!clientApp || !transactionId || !person?.name) return null
  return <GiveBack personId={person.id} transactionId={transactionId} />
}

function GiveBack({ personId: id, transactionId }: { personId: string; transactionId: string }) {
  const { call } = usePage()
  const [charge, setCharge] = useState<Charge>()
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
    const isLeft = next !== undefined && canGiveBack(next)
    setProblem(isLeft ? undefined : 'nothingLeft')
    if (isLeft) setCharge(next)
  }
  const [isBusy, ask] = useBusy(read)
  if (done) return <Done text={done} takesFocus />
  if (problem === 'failed') return <ReadFailed retry={read} />
  if (problem === 'nothingLeft')
    return <p class={base.muted}>Nothing of this charge is left to give back.</p>
  return (
    <p>
      <Button kind="secondary" isBusy={isBusy} onClick={ask}>
        Give it back
      </Button>
      {charge && (
        <GiveBackDialog
          {...charge}
          reload={async () => undefined}
          onDone={setDone}
          onClose={() => setCharge(undefined)}
        />
      )}
    </p>
  )
}
