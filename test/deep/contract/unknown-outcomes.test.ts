import { everyPair, testUnknownOutcomes } from '../../contract/unknown-outcomes.ts';

testUnknownOutcomes(everyPair);
