import { it } from 'node:test'
import { assertAgrees, OPTIONS } from '../check-model.ts'
import { MODEL } from './topups.ts'

it('the service agrees with the model of topups', OPTIONS, () => assertAgrees(MODEL))
