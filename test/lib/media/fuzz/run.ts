/** The command `npm run fuzz:media`. */
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

const help = `Inspects damaged and hostile media files, and reports what that takes.

  npm run fuzz:media -- --count 20000      how many files; default 20000
  npm run fuzz:media -- --seed 7           another run; default 1
  npm run fuzz:media -- --first 42 --count 1   one file of a run again`;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(help);
} else {
  const startMs = performance.now();
  const run = { seed: Number(values.seed), first: Number(values.first), count: Number(values.count) };
  if (!Object.values(run).every((value) => Number.isSafeInteger(value) && value >= 0))
    throw new Error('--count, --seed and --first must be whole numbers');
  const { probes, failures, ...summary } = await fuzz(run);
  console.log({ ...summary, differentProbes: probes.length, seconds: (performance.now() - startMs) / 1_000 });
  for (const failure of failures) console.error(failure);
  process.exitCode = failures.length > 0 ? 1 : 0;
}
