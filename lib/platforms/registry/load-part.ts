import { HeraldError } from '../../kernel/errors.ts';
import type { Platform } from '../contract/names.ts';

/**
 * The loaders of one part of each platform, such as its rules. They use `import()`, so that bundles keep each part in a
 * file of its own.
 */
export type Loaders<Part> = Readonly<Partial<Record<Platform, () => Promise<Part>>>>;

/**
 * Loads a part of a platform; undefined for a platform without it.
 *
 * @returns a promise that rejects with HeraldError `unavailable`, which is retried, if the file cannot be loaded
 */
export function loadPart<Part>(loaders: Loaders<Part>, platform: Platform): Promise<Part> | undefined {
  return loaders[platform]?.().catch((cause: unknown) => {
    throw new HeraldError('unavailable', `${platform}: an error on our side: a part of it cannot be loaded`, {
      cause,
    });
  });
}
