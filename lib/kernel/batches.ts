/** Divides things into batches of at most `size`, in order. */
export function batchesOf<Thing>(things: readonly Thing[], size: number): Thing[][] {
  return Array.from({ length: Math.ceil(things.length / size) }, (_, index) =>
    things.slice(index * size, (index + 1) * size),
  );
}

/** Runs `work` on things concurrently, in batches of at most `size`, and returns the results in order. */
export async function mapInBatches<Thing, Result>(
  things: readonly Thing[],
  size: number,
  work: (thing: Thing) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const batch of batchesOf(things, size)) results.push(...(await Promise.all(batch.map(work))));
  return results;
}
