import { useBatches } from './test/mode.ts'

useBatches({ hasNeighbour: true })
await import('./send.test.ts')
