import { it } from 'node:test'
import { assertAgrees, OPTIONS } from '../check-model.ts'
import { MODEL } from './money.ts'

it('the service agrees with the model of money', OPTIONS, () => assertAgrees(MODEL))
