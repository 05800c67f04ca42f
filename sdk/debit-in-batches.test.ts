import { useBatches } from './test/mode.ts'

useBatches({ hasNeighbour: true })
await import('./debit.test.ts')
