import { useBatches } from './test/mode.ts'

useBatches({ hasNeighbour: false })
await import('./lost-response.test.ts')
