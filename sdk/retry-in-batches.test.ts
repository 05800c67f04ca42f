import { useBatches } from './test/mode.ts'

useBatches({ hasNeighbour: false })
await import('./retry.test.ts')
