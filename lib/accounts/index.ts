export { listAccounts, readAccount } from './read.ts';
export { Account, type AccountStatus, type AccountView, toAccountView } from './schemas.ts';
export { accountFromItem, accountItem, findAccount } from './store.ts';
