/**
 * Drawn on a 24-unit grid, in the color and size of the text next to them. They are decoration: a text always says the
 * same.
 */
import * as base from './base.module.css'

export function Icon({ path }: { path: string }) {
  return (
    <svg
      class={base.icon}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}

const RECTANGLE =
  'M4.5 5.500h15A1.5 1.5 0 0 1 21 7v10a1.5 1.5 0 0 1-1.5 1.500h-15A1.5 1.5 0 0 1 3 17V7a1.5 1.5 0 0 1 1.5-1.500'
const CIRCLE = 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0'

export const PlusIcon = () => <Icon path="M12 5v14M5 12h14" />
export const CheckIcon = () => <Icon path="m5 12.5 4.5 4.5L19 7.5" />
export const IncomingIcon = () => <Icon path="M17 7 7 17M7 9v8h8" />
export const OutgoingIcon = () => <Icon path="M7 17 17 7M9 7h8v8" />
export const NewWindowIcon = () => (
  <Icon path="M13.5 4.5h6v6m0-6-8 8M18 14v4a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18V7.500A1.5 1.5 0 0 1 6 6h4" />
)
export const AlertIcon = () => <Icon path={`${CIRCLE}M12 7.500v5.500M12 16.400v.1`} />
export const InfoIcon = () => <Icon path={`${CIRCLE}M12 11v5.500M12 7.600v.1`} />
export const ClockIcon = () => <Icon path={`${CIRCLE}M12 7v5l3.5 2`} />
export const OfflineIcon = () => (
  <Icon path="M4 4l16 16M8.5 15.500a5 5 0 0 1 7 0M5 12a10 10 0 0 1 4.5-2.600M19 12a10 10 0 0 0-5.5-2.800M2 8.500a15 15 0 0 1 4-2.600M22 8.500A15 15 0 0 0 10.5 4.900M12 19v.1" />
)
export const CardIcon = () => <Icon path={`${RECTANGLE}M3 10h18M7 14.500h3`} />
export const GiftIcon = () => (
  <Icon path="M4 11h16v8a1.5 1.5 0 0 1-1.5 1.500h-13A1.5 1.5 0 0 1 4 19zM3 7.500h18V11H3zM12 7.500v13M12 7.500C10 7.5 7.5 6.8 7.5 5A1.9 1.9 0 0 1 9.4 3.200C11.2 3.2 12 5.5 12 7.500C12 5.5 12.8 3.2 14.6 3.200A1.9 1.9 0 0 1 16.5 5C16.5 6.8 14 7.5 12 7.5" />
)
export const WalletIcon = () => (
  <Icon path="M17.5 8V5.500A1.5 1.5 0 0 0 16 4H5.500a2 2 0 0 0 0 4h13A1.5 1.5 0 0 1 20 9.500v9a1.5 1.5 0 0 1-1.5 1.500h-13a2 2 0 0 1-2-2V6M16 14v.1" />
)

const EYE =
  'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0'

export const EyeIcon = () => <Icon path={EYE} />
export const EyeOffIcon = () => <Icon path={`${EYE}M4 4l16 16`} />
export const MailIcon = () => <Icon path={`${RECTANGLE}M3.5 7l8.5 6 8.5-6`} />

export const AppsIcon = () => (
  <Icon path="M4.500 4.500h6v6h-6zM13.500 4.500h6v6h-6zM4.500 13.500h6v6h-6zM13.500 13.500h6v6h-6z" />
)
export const ListIcon = () => (
  <Icon path="M9 6.500h11M9 12h11M9 17.500h11M4.500 6.500v.1M4.500 12v.1M4.500 17.500v.1" />
)
export const SearchIcon = () => (
  <Icon path="M4 10.500a6.500 6.500 0 1 0 13 0a6.500 6.500 0 1 0-13 0M15.300 15.300 20 20" />
)
export const DownloadIcon = () => (
  <Icon path="M12 4v11m-4.500-4.500L12 15l4.500-4.500M5 19.500h14" />
)
export const CopyIcon = () => (
  <Icon path="M9 9h9.500A1.500 1.500 0 0 1 20 10.500V19a1.500 1.500 0 0 1-1.500 1.500H10A1.500 1.500 0 0 1 8.500 19V9.500M5 15.500A1.500 1.500 0 0 1 3.500 14V5A1.500 1.500 0 0 1 5 3.500h9A1.500 1.500 0 0 1 15.500 5" />
)

export const KeyIcon = () => (
  <Icon path="M4 15.500a4 4 0 1 0 8 0a4 4 0 1 0-8 0M11 12.500 19.500 4M16 7.500l2.500 2.500" />
)

export const LockIcon = () => (
  <Icon path="M6.500 11h11a1.500 1.500 0 0 1 1.500 1.500v6a1.500 1.500 0 0 1-1.500 1.500h-11a1.500 1.500 0 0 1-1.500-1.500v-6a1.500 1.500 0 0 1 1.500-1.500M8 11V8a4 4 0 0 1 8 0v3" />
)
