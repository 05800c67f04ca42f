import { testModel } from '../check-model.ts'
import { MODEL } from './money.ts'

testModel(MODEL)
