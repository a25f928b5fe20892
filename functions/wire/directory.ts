import { openUserDirectory } from '../../lib/aws/user-directory.ts';
import { type Directory, noDirectory } from '../../lib/people/directory.ts';
import type { Wire } from './start.ts';

/** The stage's user pool; absent if the team has its own identity provider. */
export const directory: Wire<Directory> = (environment) => {
  const userPoolId = environment('USER_POOL_ID');
  return userPoolId === '' ? noDirectory : openUserDirectory(userPoolId);
};
