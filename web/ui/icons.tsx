/** Drawn on a 24-unit grid, in the color and size of the text next to them. They are decoration: a text always says the same. */
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

export const RECTANGLE =
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
