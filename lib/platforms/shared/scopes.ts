import { PlatformError } from '../contract/errors.ts';

/** @throws PlatformError `rejected` naming every scope that the user left out */
export function requireScopes(
  platform: string,
  required: readonly string[],
  granted: readonly string[],
): void {
  const missing = required.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return;
  throw new PlatformError(
    'rejected',
    `${platform} was not allowed everything that is needed: connect again and leave every permission ticked. Missing: ${missing.join(', ')}`,
  );
}
