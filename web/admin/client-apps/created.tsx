import { useEffect, useRef } from 'preact/hooks'
import { Notice } from '../../ui/notice.tsx'
import { LimitWaits } from './limit-waits.tsx'
import { CopyRow, Snippet } from '../kit/copy.tsx'
import { words } from '../messages.ts'
import { Link, paths } from '../route.tsx'
import { writeEnv } from './snippets.ts'

export interface Credentials {
  clientId: string
  clientSecret: string
  creditLimitWaits: boolean
  approvers: readonly string[]
}

/** The secret is shown only here. */
export function AppCreated(created: Credentials) {
  const { clientId, clientSecret, creditLimitWaits, approvers } = created
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div class="form form-wide">
      <h1 class="section-title" tabIndex={-1} ref={heading}>
        {words.created.title}
      </h1>
      <Notice kind="warning">{words.created.once}</Notice>
      <CopyRow label="clientId" text={clientId} />
      <CopyRow label="clientSecret" text={clientSecret} />
      <Snippet title={words.created.env} text={writeEnv(clientId, clientSecret)} />
      {creditLimitWaits && <LimitWaits text={words.limit.waitsNew} approvers={approvers} />}
      <div class="form-end">
        <Link class="button button-primary" to={`${paths.app(clientId)}?tab=integration`}>
          {words.created.goOn}
        </Link>
      </div>
    </div>
  )
}
