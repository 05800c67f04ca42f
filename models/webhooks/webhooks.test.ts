import { it } from 'node:test'
import { assertAgrees, OPTIONS } from '../check-model.ts'
import { MODEL } from './webhooks.ts'

it('the service agrees with the model of webhooks', OPTIONS, () => assertAgrees(MODEL))
