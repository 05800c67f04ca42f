import { Icon } from '../icons.tsx'

export const KeyIcon = () => (
  <Icon path="M4 15.500a4 4 0 1 0 8 0a4 4 0 1 0-8 0M11 12.500 19.500 4M16 7.500l2.500 2.500" />
)
