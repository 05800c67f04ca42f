/** The operator's own sign-in settings: password, passkeys, recovery codes and active logins. */
import { useContext } from 'preact/hooks'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { ReadFailed } from '../kit/list-parts.tsx'
import { OperatorContext, ROLE_NAMES } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { OwnLogIns } from './log-ins.tsx'
import { OwnPassword } from './password.tsx'
import { Passkeys } from './passkeys.tsx'
import { RenewCodes } from './renew-recovery.tsx'
import { useRead } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './own-sign-in.module.css'

/** `reloadMe` updates the frame too, because it shows data of the operator. */
export function OwnSignIn({ reloadMe }: { reloadMe: () => Promise<void> }) {
  const { call } = usePage()
  const me = useContext(OperatorContext)
  const { response, refusal, reload } = useRead('sign-in', () =>
    call('GET /api/admin/sign-in/settings'),
  )
  const reloadAll = async () => void (await Promise.all([reload(), reloadMe()]))
  return (
    <div class={parts.section}>
      <div class={parts.appTitle}>
        <h1 class={parts.sectionTitle} tabIndex={-1}>
          Your sign-in
        </h1>
        <p class={styles.about}>
          <span class={table.rowName} dir="auto">
            {me.name}
          </span>
          <span class={base.muted}>
            {me.email} · {ROLE_NAMES[me.role]}
          </span>
        </p>
      </div>
      {refusal && <ReadFailed retry={reload} />}
      {!response && !refusal && <OwnSignInPlaceholder />}
      {response && (
        <div class={parts.partStack}>
          <OwnPassword reload={reloadAll} />
          <Passkeys passkeys={response.passkeys} reload={reloadAll} />
          <RenewCodes left={response.recoveryCodesLeft} reload={reload} />
          <OwnLogIns logIns={response.logIns} reload={reload} />
        </div>
      )}
    </div>
  )
}

function OwnSignInPlaceholder() {
  return (
    <div class={forms.form} aria-busy="true">
      <span class={base.visuallyHidden}>Loading …</span>
      {[12, 40, 18, 40, 16, 40].map((length, at) => (
        <p key={at} aria-hidden="true">
          <TextPlaceholder length={length} />
        </p>
      ))}
    </div>
  )
}
