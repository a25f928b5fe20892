import { createHash } from 'node:crypto';

/** CPU seconds of {@link loop} on the machine for which the bounds of test files were chosen. */
const referenceSeconds = 0.09;

/** Does what tests do, in a fixed amount: hashing, parsing, allocating. */
function loop(): void {
  const text = JSON.stringify(
    Array.from({ length: 200 }, (_, index) => ({ id: `item-${index}`, values: [index, index / 3, null] })),
  );
  let digest = '';
  for (let round = 0; round < 1_200; round += 1) {
    const items = JSON.parse(text) as { id: string }[];
    digest = createHash('sha256')
      .update(items.map(({ id }) => id).join(digest))
      .digest('hex');
  }
}

/**
 * Returns the CPU seconds of this machine that do the work of one second on the reference machine. It takes the best of
 * several rounds, because what else the machine does can only make a round slower.
 */
export function calibrate(): number {
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    loop();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000_000;
  });
  return Math.min(...rounds) / referenceSeconds;
}
