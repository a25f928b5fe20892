import { HeraldError } from '../../kernel/errors.ts';
import type { Platform } from '../contract/names.ts';

/** Loads a part of each platform that has it, by `import()`: the bundles keep it in a file of its own. */
export type Loaders<Part> = Readonly<Partial<Record<Platform, () => Promise<Part>>>>;

/**
 * A part of a platform, loaded when it is first asked for; undefined for a platform without it.
 *
 * @returns rejects with HeraldError `unavailable`, which is tried again, if the file cannot be loaded
 */
export function loadPart<Part>(loaders: Loaders<Part>, platform: Platform): Promise<Part> | undefined {
  return loaders[platform]?.().catch((cause: unknown) => {
    throw new HeraldError('unavailable', `${platform}: an error on our side: a part of it cannot be loaded`, {
      cause,
    });
  });
}
