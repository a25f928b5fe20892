import { mapInBatches } from '../../kernel/batches.ts';
import { PlatformError } from '../contract/errors.ts';
import { type AskedPost, type NumbersOf, PostNumber, type PostReading } from '../contract/insights.ts';

/** The number of posts that are read at the same time on platforms that tell the numbers of one post per call. */
const concurrentReads = 5;

/**
 * Reads posts one by one. A post whose read fails is left out; all further ones too once the platform asks to wait or refuses the
 * account, so that a limit is not made worse.
 *
 * @throws the first error if no post was read
 */
export async function readEach(
  posts: readonly AskedPost[],
  read: (post: AskedPost) => Promise<PostReading>,
): Promise<ReadonlyMap<string, PostReading>> {
  const found = new Map<string, PostReading>();
  let first: PlatformError | undefined;
  let isStopped = false;
  await mapInBatches(posts, concurrentReads, async (post) => {
    if (isStopped) return;
    try {
      found.set(post.platformPostId, await read(post));
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      first ??= error;
      isStopped ||=
        error.remedy === 'retry' || error.remedy === 'reauthorise' || error.remedy === 'restricted';
    }
  });
  if (found.size === 0 && first) throw first;
  return found;
}

/** A number as a platform sends it; anything else is missing. */
export const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** Returns the sum of those numbers that are there; `undefined` without any. */
export function sumOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}

/** Returns numbers in which those that the platform did not tell are pending. */
export function orPending<Name extends string>(
  numbers: Readonly<Partial<Record<Name, number | undefined>>>,
): NumbersOf<Name> {
  const entries = Object.entries(numbers).map(([name, value]) => [name, value ?? 'pending']);
  return Object.fromEntries(entries) as NumbersOf<Name>;
}

/** Numbers of a post that the platform does not show. */
export const allWithheld: NumbersOf<PostNumber> = Object.fromEntries(
  PostNumber.options.map((name) => [name, 'withheld' as const]),
);
