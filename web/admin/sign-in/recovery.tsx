import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { SignInHead } from '../../ui/sign-in/sign-in-form.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { CopyButton, DownloadLink } from '../kit/copy.tsx'
import { Choice } from '../kit/form-parts.tsx'
import * as base from '../../ui/base.module.css'
import * as signIn from '../../ui/sign-in/sign-in.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './sign-in.module.css'

export const RECOVERY_LEAD =
  'If you lose your authenticator, you can log in with each of these codes once. They are not shown again.'

interface RecoveryCodesProps {
  codes: string[]
  onDone: () => Promise<void>
}

/** Shown once. Each code replaces a code of a lost authenticator. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const [isStored, setIsStored] = useState(false)
  const [isBusy, proceed] = useBusy(onDone)
  return (
    <div class={`${signIn.signIn} ${base.appear}`}>
      <SignInHead title="Save your recovery codes" icon={null}>
        {RECOVERY_LEAD}
      </SignInHead>
      <CodeList codes={codes} />
      <Choice
        type="checkbox"
        name="isStored"
        value="yes"
        label="I have saved the codes"
        text="Keep them in a safe place, not on the device with the authenticator."
        isChecked={isStored}
        onChange={setIsStored}
      />
      <Button isDisabled={!isStored} isBusy={isBusy} onClick={proceed}>
        Continue
      </Button>
    </div>
  )
}

/** The codes, to copy or to download. */
export function CodeList({ codes }: { codes: string[] }) {
  const text = `${codes.join('\n')}\n`
  return (
    <>
      <ul class={styles.recoveryCodes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class={parts.row}>
        <CopyButton text={text} what="the recovery codes" />
        <DownloadLink
          text={`Recovery codes for ${location.host}. Each works once.\n\n${text}`}
          fileName="recovery-codes.txt"
          label="Download"
        />
      </div>
    </>
  )
}
