import type { Workbench } from '../types.ts';

/**
 * The setting of platforms that refuse a whole login if it requests a scope that the app does not have: the scopes, by name,
 * that this app was not approved for.
 */
export const appScopeSettings = { unapprovedScopes: [] };

/** Returns the first of these scopes that does not exist or that the app was not approved for. */
export function refusedScope(
  { setting }: Pick<Workbench, 'setting'>,
  known: readonly string[],
  wanted: readonly string[],
): string | undefined {
  const unapproved = setting('unapprovedScopes');
  const isMissing = (scope: string) => Array.isArray(unapproved) && unapproved.includes(scope);
  return wanted.find((scope) => !known.includes(scope) || isMissing(scope));
}
