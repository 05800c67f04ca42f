import { TextButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { words } from '../messages.ts'

interface OriginTakenProps {
  isBusy: boolean
  onInsist: () => void
}

/** Two apps can share an iframe parent if the operator confirms it. */
export function OriginTaken({ isBusy, onInsist }: OriginTakenProps) {
  return (
    <Notice kind="warning">
      <p>{words.taken.text}</p>
      <TextButton isBusy={isBusy} onClick={onInsist}>
        {words.taken.insist}
      </TextButton>
    </Notice>
  )
}
