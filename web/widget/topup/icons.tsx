/** Separate from the other icons, so that no other page loads it. */
import { Icon } from '../../ui/icons.tsx'

export const LockIcon = () => (
  <Icon path="M6.500 11h11a1.500 1.500 0 0 1 1.500 1.500v6a1.500 1.500 0 0 1-1.500 1.500h-11a1.500 1.500 0 0 1-1.500-1.500v-6a1.500 1.500 0 0 1 1.500-1.500M8 11V8a4 4 0 0 1 8 0v3" />
)
