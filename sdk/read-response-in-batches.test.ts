import { useBatches } from './test/mode.ts'

useBatches({ hasNeighbour: true })
await import('./read-response.test.ts')
