import { TextButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

interface OriginTakenProps {
  isBusy: boolean
  onShare: () => void
}

/** Two apps can share an iframe parent if the operator confirms it. */
export function OriginTaken({ isBusy, onShare }: OriginTakenProps) {
  return (
    <Notice kind="warning">
      <p>
        Another active client app already lists one of these iframe parents. Remove it there, or
        share it; frames must then pass the clientId in their URL.
      </p>
      <TextButton isBusy={isBusy} onClick={onShare}>
        Share it between both apps
      </TextButton>
    </Notice>
  )
}
