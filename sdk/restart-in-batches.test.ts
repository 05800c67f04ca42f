import { useBatches } from './test/mode.ts'

useBatches({ hasNeighbour: false })
await import('./restart.test.ts')
