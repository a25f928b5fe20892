export { apiKeyDigest, isApiKey } from './api-key.ts';
export {
  createKey,
  createWorkspace,
  type Operator,
  revokeKeyById,
  rotateKey,
  setStorageQuota,
} from './manage.ts';
export type { Caller, ListedKey, Workspace } from './schemas.ts';
export { findCaller, getWorkspace, listKeys, listWorkspaces } from './store.ts';
