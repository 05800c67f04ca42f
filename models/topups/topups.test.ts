import { testModel } from '../check-model.ts'
import { MODEL } from './topups.ts'

testModel(MODEL)
