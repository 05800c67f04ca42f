/** Icons that the account page and the admin area share; the widget does not need them. */
import { Icon } from './icons.tsx'

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
