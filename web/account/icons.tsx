/** Icons of this page only, in the style of ui/icons.tsx. */
import { Icon } from '../ui/icons.tsx'

export const HomeIcon = () => (
  <Icon path="m4 11 8-6.500 8 6.500v7.500a1.500 1.500 0 0 1-1.500 1.500h-13A1.500 1.500 0 0 1 4 18.500zM9.500 20v-6h5v6" />
)
export const PersonIcon = () => (
  <Icon path="M8 8a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4.500 20a7.500 7.500 0 0 1 15 0" />
)
export const FilterIcon = () => <Icon path="M4 7h16M7 12h10M10 17h4" />
export const ChevronIcon = () => <Icon path="m7 10 5 5 5-5" />
export const DeviceIcon = () => (
  <Icon path="M5 5.500h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1M9 20h6M12 16.500V20" />
)
