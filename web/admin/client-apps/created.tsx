import { useEffect, useRef } from 'preact/hooks'
import { Notice } from '../../ui/notice.tsx'
import { LimitWaits } from './limit-waits.tsx'
import { CopyRow, Snippet } from '../kit/copy.tsx'
import { words } from '../messages.ts'
import { paths } from '../paths.ts'
import { writeEnv } from './snippets.ts'
import { ButtonLink } from '../kit/button-link.tsx'
import * as forms from '../kit/forms.module.css'
import * as parts from '../kit/parts.module.css'

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
    <div class={`${forms.form} ${forms.formWide}`}>
      <h1 class={parts.sectionTitle} tabIndex={-1} ref={heading}>
        {words.created.title}
      </h1>
      <Notice kind="warning">{words.created.once}</Notice>
      <CopyRow label="clientId" text={clientId} />
      <CopyRow label="clientSecret" text={clientSecret} />
      <Snippet title={words.created.env} text={writeEnv(clientId, clientSecret)} />
      {creditLimitWaits && <LimitWaits text={words.limit.waitsNew} approvers={approvers} />}
      <div class={forms.formEnd}>
        <ButtonLink kind="primary" to={`${paths.app(clientId)}?tab=integration`}>
          {words.created.goOn}
        </ButtonLink>
      </div>
    </div>
  )
}
