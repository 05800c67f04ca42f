import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LimitWaits } from '../kit/money-result.tsx'
import { CopyRow, DownloadLink, Snippet } from '../kit/copy.tsx'
import { Choice } from '../kit/form-parts.tsx'
import { words } from '../messages.ts'
import { paths } from '../paths.ts'
import { writeEnv } from './snippets.ts'
import { navigate } from '../route.tsx'
import * as forms from '../kit/forms.module.css'
import * as parts from '../kit/parts.module.css'

export interface Credentials {
  name: string
  clientId: string
  clientSecret: string
  creditLimitWaits: boolean
  approvers: readonly string[]
}

/** The secret is shown only here. */
export function AppCreated(created: Credentials) {
  const { name, clientId, clientSecret, creditLimitWaits, approvers } = created
  const [isStored, setIsStored] = useState(false)
  const env = writeEnv(clientId, clientSecret)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div class={`${forms.form} ${forms.formWide}`}>
      <h1 class={parts.sectionTitle} tabIndex={-1} ref={heading} dir="auto">
        {words.created.title(name)}
      </h1>
      <Notice kind="warning">{words.created.once}</Notice>
      <CopyRow label="clientId" text={clientId} />
      <CopyRow label="clientSecret" text={clientSecret} />
      <Snippet title={words.created.env} text={env} isWrapped />
      <div class={parts.row}>
        <DownloadLink text={env} fileName={words.created.fileName} label={words.created.download} />
      </div>
      {creditLimitWaits && <LimitWaits text={words.limit.waitsNew} approvers={approvers} />}
      <Choice
        type="checkbox"
        name="isStored"
        value="yes"
        label={words.created.stored}
        text={words.created.storedHint}
        isChecked={isStored}
        onChange={setIsStored}
      />
      <div class={forms.formEnd}>
        <Button
          isDisabled={!isStored}
          onClick={() => navigate(`${paths.app(clientId)}?tab=integration`)}
        >
          {words.created.goOn}
        </Button>
      </div>
    </div>
  )
}
