import { createHash } from 'node:crypto';

/** CPU seconds of {@link loop} on the machine for which the bounds of test files were chosen. */
const referenceSeconds = 0.12;

/** Does what tests do, in a fixed amount: parses, allocates, sorts and hashes more than the caches of a processor hold. */
function loop(): void {
  const text = JSON.stringify(
    Array.from({ length: 20_000 }, (_, index) => ({ id: `item-${index}`, values: [index, index / 3, null] })),
  );
  let digest = '';
  for (let round = 0; round < 8; round += 1) {
    const items = JSON.parse(text) as { id: string }[];
    const ids = items.map(({ id }) => `${id}${digest}`).sort();
    digest = createHash('sha256').update(ids.join()).digest('hex');
  }
}

/**
 * Returns the CPU seconds of this machine that do the work of one second on the reference machine. It takes the median of
 * several rounds: the work of a busy machine costs more CPU time too, because others use its caches.
 */
export function calibrate(): number {
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    loop();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000_000;
  }).toSorted((one, other) => one - other);
  return (rounds[2] ?? referenceSeconds) / referenceSeconds;
}
