import { it } from 'node:test'
import { assertAgrees, OPTIONS } from '../check-model.ts'
import { MODEL } from './grants.ts'

it('the service agrees with the model of grants', OPTIONS, () => assertAgrees(MODEL))
