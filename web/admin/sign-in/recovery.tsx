import { useMemo, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { CopyButton } from '../kit/copy.tsx'
import { DoorHead } from './parts.tsx'
import { Choice } from '../kit/form-parts.tsx'
import { DownloadIcon } from '../kit/icons.tsx'
import { words } from '../messages.ts'

interface RecoveryCodesProps {
  codes: string[]
  onDone: () => Promise<void>
}

/** Shown once: whoever loses the authenticator gets in with one of them. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const [isStored, setIsStored] = useState(false)
  const [isBusy, goOn] = useBusy(onDone)
  return (
    <div class="form appear">
      <DoorHead title={words.recovery.title} text={words.recovery.lead} />
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
      <Button isDisabled={!isStored} isBusy={isBusy} onClick={goOn}>
        {words.recovery.submit}
      </Button>
    </div>
  )
}

/** To be copied or kept as a file. */
export function CodeList({ codes }: { codes: string[] }) {
  const text = `${codes.join('\n')}\n`
  const file = useMemo(() => {
    const content = `${words.recovery.fileHead(location.host)}\n\n${text}`
    return URL.createObjectURL(new Blob([content], { type: 'text/plain' }))
  }, [text])
  return (
    <>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="row">
        <CopyButton text={text} what={words.recovery.codes} />
        <a class="copy" href={file} download={words.recovery.fileName}>
          <DownloadIcon />
          {words.recovery.download}
        </a>
      </div>
    </>
  )
}
