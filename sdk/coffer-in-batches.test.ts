import { useBatches } from './test/mode.ts'

useBatches({ hasNeighbour: false })
await import('./coffer.test.ts')
