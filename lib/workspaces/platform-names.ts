import { skeletonOf } from '../kernel/readable-names.ts';
import { platformTitles } from '../platforms/contract/names.ts';

/** The companies behind the platforms, and former or short names. */
const related = ['Meta', 'Google', 'ByteDance', 'Insta', 'FB'];

const skeletons = new Set([...Object.values(platformTitles), ...related].map(skeletonOf));

/**
 * True if a workspace with this name could pass for a platform: on the pages of a login, *Instagram asks to publish as you on
 * Instagram* would look like the platform's own.
 */
export const isNameOfPlatform = (name: string): boolean => skeletons.has(skeletonOf(name));

export const platformNameProblem = 'must not be the name of a platform';
