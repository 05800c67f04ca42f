/** Icons of the admin area only, in the style of ui/icons.tsx. */
import { Icon } from '../../ui/icons.tsx'

export const ChartIcon = () => <Icon path="M4 4v16h16M8 15.500v-4M12.500 15.500v-8M17 15.500v-6" />
export const PeopleIcon = () => (
  <Icon path="M6 8a3.500 3.500 0 1 0 7 0a3.500 3.500 0 1 0-7 0M3 19.500a6.500 6.500 0 0 1 13 0M15.500 4.800a3.500 3.500 0 0 1 0 6.400M18 14.200a6.500 6.500 0 0 1 3 5.300" />
)
export const ApprovalsIcon = () => (
  <Icon path="m3.500 12.500 3.500 3.500 7-8M11.500 15.500 12 16l7.500-8.500" />
)
export const ShieldIcon = () => (
  <Icon path="M12 3.500 5 6v5.500c0 4.300 2.800 7.400 7 9 4.200-1.600 7-4.700 7-9V6z" />
)
export const SwitchIcon = () => (
  <Icon path="M8 7h8a5 5 0 0 1 0 10H8A5 5 0 0 1 8 7M13.500 12a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0" />
)
export const ReceiptIcon = () => (
  <Icon path="M6 3.500h12v17l-3-2-3 2-3-2-3 2zM9.500 8.500h5M9.500 12.500h5" />
)
export const ChevronIcon = () => <Icon path="m9 6 6 6-6 6" />
export const BackIcon = () => <Icon path="m14.500 6-6 6 6 6" />
export const CrossIcon = () => <Icon path="M6 6l12 12M18 6 6 18" />
