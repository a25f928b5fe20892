import { HeraldError } from '../../kernel/errors.ts';
import type { Platform } from '../contract/names.ts';

/** How to load a part of each platform, such as its rules. By `import()`, so that bundles keep it in a file of its own. */
export type Loaders<Part> = Readonly<Partial<Record<Platform, () => Promise<Part>>>>;

/**
 * Loads a part of a platform; undefined for a platform without it.
 *
 * @returns rejects with HeraldError `unavailable`, which is retried, if the file cannot be loaded
 */
export function loadPart<Part>(loaders: Loaders<Part>, platform: Platform): Promise<Part> | undefined {
  return loaders[platform]?.().catch((cause: unknown) => {
    throw new HeraldError('unavailable', `${platform}: an error on our side: a part of it cannot be loaded`, {
      cause,
    });
  });
}
