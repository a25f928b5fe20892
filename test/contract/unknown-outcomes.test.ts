import { onePairOfEach, testUnknownOutcomes } from './unknown-outcomes.ts';

testUnknownOutcomes(onePairOfEach);
