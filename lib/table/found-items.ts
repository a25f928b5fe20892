import type { Key } from './keys.ts';

/** Items found by key. */
export interface FoundItems {
  get(key: Key): Record<string, unknown> | undefined;
}
