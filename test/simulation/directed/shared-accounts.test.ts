import { testSharedAccounts } from './shared-accounts.ts';

testSharedAccounts(2);
