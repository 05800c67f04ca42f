import { it } from 'node:test'
import { assertAgrees, OPTIONS } from '../check-model.ts'
import { MODEL } from './links.ts'

it('the service agrees with the model of links', OPTIONS, () => assertAgrees(MODEL))
