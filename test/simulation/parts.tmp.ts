import { startSimulationEngine } from './cloud/engine.ts';
import { runSeed, scenarioOf } from './simulate.ts';

const [from, count, verbose] = process.argv.slice(2).map(Number);
const s = await startSimulationEngine();
const t0 = performance.now();
let live = 0,
  calls = 0,
  bad = 0;
const kinds = new Map<string, number[]>();
for (let seed = from!; seed < from! + count!; seed += 1) {
  {
    const sc = scenarioOf(seed);
    if (process.env.ONLY === 'comments' && !sc.workspaces.some((w) => w.comments.length)) continue;
    if (process.env.ONLY === 'disconnects' && !sc.workspaces.some((w) => w.disconnects.length)) continue;
  }
  const t = performance.now();
  const r = await runSeed(
    { engine: s.engine, tableName: `t-${seed}` },
    seed,
    verbose
      ? {
          trace: (e) =>
            console.log(
              new Date(e.atMs).toISOString().slice(11),
              e.kind,
              e.actor,
              '|',
              e.text,
              e.outcome ? '-> ' + e.outcome.slice(0, 200) : '',
            ),
        }
      : {},
  );
  live += r.ledger.length;
  calls += r.calls;
  if (process.env.STOP && r.violation) { console.log(seed, r.violation.slice(0, 300)); await s.stop(); process.exit(0); }
  if (r.violation !== undefined) {
    bad += 1;
    const k = r.violation
      .split('\n')[0]!
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
      .replace(/\d+/g, 'N')
      .slice(0, 150);
    kinds.set(k, [...(kinds.get(k) ?? []), seed]);
    if (count! <= 5 || process.env.ONLY) console.log(seed, r.violation.slice(0, 1500));
  }
  if (count! <= 5)
    console.log(
      `seed ${seed}: ${(performance.now() - t).toFixed(0)} ms, ${r.calls} calls, ${r.ledger.length} live`,
    );
}
console.log(
  `${count} seeds, ${((performance.now() - t0) / count!).toFixed(0)} ms each, ${live} live, ${calls} calls, ${bad} violations`,
);
for (const [k, seeds] of [...kinds].sort((a, b) => b[1].length - a[1].length))
  console.log(seeds.length, seeds.slice(0, 6).join(','), k);
await s.stop();
