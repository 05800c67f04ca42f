/**
 * Looks up an operation by its reference, and lists the recent ones if none is given. The URL contains the reference or
 * the filters, so that a link shows the same.
 */
import { useRef, useState } from 'preact/hooks'
import type { OperationQuery } from '../calls.ts'
import { onlyGiven } from '../kit/filters.tsx'
import { OperationForm, SERVICE } from '../kit/operation-form.tsx'
import { RecentOperations } from './recent.tsx'
import { OperationResult } from './result.tsx'
import { paths } from '../paths.ts'
import { Link, navigate } from '../route.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as personLink from '../kit/links.module.css'

interface OperationsProps {
  parameters: Record<string, string>
}

/** undefined if the URL contains no valid reference. */
function readQuery(parameters: Record<string, string>): OperationQuery | undefined {
  const { app = '', type, id, transaction } = parameters
  const asked = app === SERVICE || app === '' ? {} : { clientId: app }
  if (!/^(|service|app_[0-9a-f]{24})$/.test(app)) return undefined
  if (/^txn_[0-9a-f]{32}$/.test(transaction ?? '')) return { ...asked, transactionId: transaction }
  if (app === '') return undefined
  return type && id ? { ...asked, referenceType: type, referenceId: id } : undefined
}

export function Operations({ parameters }: OperationsProps) {
  const query = readQuery(parameters)
  const { app, type, id, transaction } = parameters
  const now = JSON.stringify(onlyGiven({ app, type, id, transaction }))
  const written = useRef(now)
  const generation = useRef(0)
  const [times, setTimes] = useState(0)
  // The form keeps what is typed. It is recreated only if something else changes its part of the URL.
  if (written.current !== now) {
    written.current = now
    generation.current++
  }
  function lookUp(next: Record<string, string>) {
    written.current = JSON.stringify(next)
    setTimes(times + 1)
    if (written.current !== now) navigate(`${paths.operations}?${new URLSearchParams(next)}`)
  }
  return (
    <div class={parts.section}>
      <div class={parts.sectionHead}>
        <h1 class={parts.sectionTitle} tabIndex={-1}>
          Operations
        </h1>
        {query && (
          <Link class={personLink.personLink} to={paths.operations}>
            Show recent operations
          </Link>
        )}
      </div>
      <p class={`${base.muted} ${parts.partLead}`}>
        Find out whether an operation was executed. Enter the reference that the client app sent.
      </p>
      <OperationForm key={generation.current} parameters={parameters} lookUp={lookUp} />
      {query ? (
        <OperationResult key={`${now} ${times}`} query={query} />
      ) : (
        <RecentOperations parameters={parameters} />
      )}
    </div>
  )
}
