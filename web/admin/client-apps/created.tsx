import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { WaitsForApproval } from '../kit/grant-result.tsx'
import { CopyRow, DownloadLink, Snippet } from '../kit/copy.tsx'
import { Choice } from '../kit/form-parts.tsx'
import { paths } from '../paths.ts'
import { readServiceUrl } from './read-service-url.ts'
import { writeEnv } from './snippets.ts'
import { navigate } from '../route.tsx'
import * as forms from '../kit/forms.module.css'
import * as parts from '../kit/parts.module.css'

export const SAVE_SECRET = 'Save the secret now in a secret store. It is not shown again.'

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
  const env = writeEnv(readServiceUrl(), clientId, clientSecret)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div class={`${forms.form} ${forms.formWide}`}>
      <h1 class={parts.sectionTitle} tabIndex={-1} ref={heading} dir="auto">
        Credentials of {name}
      </h1>
      <Notice kind="warning">{SAVE_SECRET}</Notice>
      <CopyRow label="clientId" text={clientId} />
      <CopyRow label="clientSecret" text={clientSecret} />
      <Snippet title="Environment (.env)" text={env} isWrapped />
      <div class={parts.row}>
        <DownloadLink text={env} fileName="coffer.env" label="Download .env" />
      </div>
      {creditLimitWaits && (
        <WaitsForApproval
          text="The credit limit is waiting for a second operator. Until it is approved, the limit is 0 and the app cannot credit more than it has debited."
          approvers={approvers}
        />
      )}
      <Choice
        type="checkbox"
        name="isStored"
        value="yes"
        label="I have saved the secret"
        text="If it is lost, you have to rotate it."
        isChecked={isStored}
        onChange={setIsStored}
      />
      <div class={forms.formEnd}>
        <Button
          isDisabled={!isStored}
          onClick={() => navigate(`${paths.app(clientId)}?tab=integration`)}
        >
          Continue to the integration
        </Button>
      </div>
    </div>
  )
}
