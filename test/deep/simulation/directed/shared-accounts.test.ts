import { testSharedAccounts } from '../../../simulation/directed/shared-accounts.ts';

testSharedAccounts(100);
