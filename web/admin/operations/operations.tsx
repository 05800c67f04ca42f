/** Looks up an operation by its reference. The URL contains the reference, so that a link shows the result. */
import { useRef, useState } from 'preact/hooks'
import type { OperationQuestion } from '../calls.ts'
import { Empty } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { OperationForm, SERVICE } from '../kit/operation-form.tsx'
import { OperationResult } from './result.tsx'
import { navigate, paths } from '../route.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'

interface OperationsProps {
  parameters: Record<string, string>
}

/** undefined if the URL contains no valid reference. */
function readQuestion(parameters: Record<string, string>): OperationQuestion | undefined {
  const { app = '', type, id, transaction } = parameters
  const asked = app === SERVICE ? {} : { clientId: app }
  if (!/^(service|app_[0-9a-f]{24})$/.test(app)) return undefined
  if (/^txn_[0-9a-f]{32}$/.test(transaction ?? '')) return { ...asked, transactionId: transaction }
  return type && id ? { ...asked, referenceType: type, referenceId: id } : undefined
}

export function Operations({ parameters }: OperationsProps) {
  const question = readQuestion(parameters)
  const now = JSON.stringify(parameters)
  const own = useRef(now)
  const generation = useRef(0)
  const [times, setTimes] = useState(0)
  // The form keeps what is typed. It is recreated only if something else changes the URL.
  if (own.current !== now) {
    own.current = now
    generation.current++
  }
  function ask(next: Record<string, string>) {
    own.current = JSON.stringify(next)
    setTimes(times + 1)
    if (own.current !== now) navigate(`${paths.operations}?${new URLSearchParams(next)}`)
  }
  const { lead, emptyTitle, empty } = words.operations
  return (
    <div class={parts.section}>
      <div class={parts.sectionHead}>
        <h1 class={parts.sectionTitle} tabIndex={-1}>
          {words.nav.operations}
        </h1>
      </div>
      <p class={`${base.muted} ${parts.partLead}`}>{lead}</p>
      <OperationForm key={generation.current} parameters={parameters} ask={ask} />
      {question ? (
        <OperationResult key={`${now} ${times}`} question={question} />
      ) : (
        <Empty title={emptyTitle} text={empty} />
      )}
    </div>
  )
}
