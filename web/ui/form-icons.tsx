/** Icons of the forms, apart from icons.tsx so that a page without forms does not load them. */
import { Icon, RECTANGLE } from './icons.tsx'

const EYE =
  'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0'

export const EyeIcon = () => <Icon path={EYE} />
export const EyeOffIcon = () => <Icon path={`${EYE}M4 4l16 16`} />
export const MailIcon = () => <Icon path={`${RECTANGLE}M3.5 7l8.5 6 8.5-6`} />
