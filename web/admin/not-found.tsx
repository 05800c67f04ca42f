import { AlertIcon } from '../ui/icons.tsx'
import { StatusScreen } from '../ui/status-screen.tsx'
import { words } from './messages.ts'
import { paths } from './paths.ts'
import { ButtonLink } from './kit/button-link.tsx'

export function NotFound() {
  return (
    <StatusScreen icon={<AlertIcon />} title={words.notFound.title} text={words.notFound.text}>
      <ButtonLink kind="secondary" to={paths.apps}>
        {words.notFound.back}
      </ButtonLink>
    </StatusScreen>
  )
}
