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
export const CopyIcon = () => (
  <Icon path="M9 9h9.500A1.500 1.500 0 0 1 20 10.500V19a1.500 1.500 0 0 1-1.500 1.500H10A1.500 1.500 0 0 1 8.500 19V9.500M5 15.500A1.500 1.500 0 0 1 3.500 14V5A1.500 1.500 0 0 1 5 3.500h9A1.500 1.500 0 0 1 15.500 5" />
)
