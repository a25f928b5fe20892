/**
 * Returns the first items whose sizes add up to at most `max`, but at least one, so that a page always advances. Pure.
 *
 * @param sizeOf the size of one item, in the unit of `max`
 */
export function takeWhileWithin<Item>(
  items: readonly Item[],
  max: number,
  sizeOf: (item: Item) => number,
): readonly Item[] {
  let total = 0;
  const end = items.findIndex((item, index) => {
    total += sizeOf(item);
    return index > 0 && total > max;
  });
  return end < 0 ? items : items.slice(0, end);
}

/** Returns the size of a value in a reply, in bytes: Lambda returns the body, which is JSON, as a JSON string. */
export const replyBytes = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
