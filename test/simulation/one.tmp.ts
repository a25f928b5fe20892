import { startSimulationEngine } from './cloud/engine.ts';
import { runSeed } from './simulate.ts';
const s = await startSimulationEngine();
const r = await runSeed({ engine: s.engine, tableName: 'xxx' }, Number(process.argv[2]));
for (const t of r.targets) if (!process.argv[3] || t.platform === process.argv[3]) console.log(JSON.stringify(t, null, 1));
console.log(r.violation);
await s.stop();
