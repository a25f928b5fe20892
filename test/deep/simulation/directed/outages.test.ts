import { allOutages, shortOutages, testOutages } from '../../../simulation/directed/test-outages.ts';

testOutages([...shortOutages, [1, 'scheduler'], ...allOutages]);
