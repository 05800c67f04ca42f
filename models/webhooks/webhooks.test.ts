import { testModel } from '../check-model.ts'
import { MODEL } from './webhooks.ts'

testModel(MODEL)
