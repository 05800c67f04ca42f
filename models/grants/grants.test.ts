import { testModel } from '../check-model.ts'
import { MODEL } from './grants.ts'

testModel(MODEL)
