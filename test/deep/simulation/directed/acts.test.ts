import { testActs } from '../../../simulation/directed/test-acts.ts';

testActs(1);
