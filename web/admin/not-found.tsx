import { AlertIcon } from '../ui/icons.tsx'
import { StatusScreen } from '../ui/status-screen.tsx'
import { paths } from './paths.ts'
import { ButtonLink } from './kit/links.tsx'

export function NotFound() {
  return (
    <StatusScreen
      icon={<AlertIcon />}
      title="Page not found"
      text="The address may be wrong, or the page no longer exists."
    >
      <ButtonLink kind="secondary" to={paths.apps}>
        See all client apps
      </ButtonLink>
    </StatusScreen>
  )
}
