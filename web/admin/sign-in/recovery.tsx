import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { SignInHead } from '../../ui/sign-in/head.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { CopyButton, DownloadLink } from '../kit/copy.tsx'
import { Choice } from '../kit/form-parts.tsx'
import { words } from '../messages.ts'
import * as base from '../../ui/base.module.css'
import * as signIn from '../../ui/sign-in/sign-in.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './sign-in.module.css'

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
      <SignInHead title={words.recovery.title} icon={null}>
        {words.recovery.lead}
      </SignInHead>
      <CodeList codes={codes} />
      <Choice
        type="checkbox"
        name="isStored"
        value="yes"
        label={words.recovery.stored}
        text={words.recovery.storedHint}
        isChecked={isStored}
        onChange={setIsStored}
      />
      <Button isDisabled={!isStored} isBusy={isBusy} onClick={proceed}>
        {words.recovery.submit}
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
        <CopyButton text={text} what={words.recovery.codes} />
        <DownloadLink
          text={`${words.recovery.fileHead(location.host)}\n\n${text}`}
          fileName={words.recovery.fileName}
          label={words.recovery.download}
        />
      </div>
    </>
  )
}
