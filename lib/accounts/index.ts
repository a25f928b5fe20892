export { disconnectAccount } from './disconnect.ts';
export { listAccounts, readAccount } from './read.ts';
export { isRenewable, renewalDueMs } from './renewal-time.ts';
export { Account, type AccountStatus, type AccountView, toAccountView } from './schemas.ts';
export { accountFromItem, accountItem, connectionWrites, findAccount, markAccount } from './store.ts';
export { sweepTokens } from './sweep-tokens.ts';
export { findTokens, openTokens, SealedTokens, sealTokens } from './token-store.ts';
export { AccountTokens, type TokenPorts } from './tokens.ts';
export { type DataKeys, Vault } from './vault.ts';
