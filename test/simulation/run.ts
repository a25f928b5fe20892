import { helpText, parseCommand } from './arguments.ts';
import { startSimulationEngine } from './cloud/engine.ts';
import { crashWorlds, mishapKinds, runCrashPoints } from './crash-points.ts';
import { runSeeds, type SeedReport } from './run-seeds.ts';
import { runSeed } from './simulate.ts';

const command = parseCommand(process.argv.slice(2));
switch (command.kind) {
  case 'help':
    console.log(helpText);
    break;
  case 'wrong':
    console.error(`${command.message}\n\n${helpText}`);
    process.exitCode = 2;
    break;
  case 'replay':
    await replay(command.seed);
    break;
  case 'crash points':
    await runAllCrashPoints();
    break;
  case 'run':
    await runAll(command);
}

async function replay(seed: number): Promise<void> {
  const { engine, createTable, stop } = await startSimulationEngine();
  const tableName = await createTable();
  const { violation } = await runSeed({ engine, tableName }, seed, { trace: (line) => console.log(line) });
  await stop();
  console.log(violation === undefined ? `seed ${seed}: no violation` : `seed ${seed}: ${violation}`);
  if (violation !== undefined) process.exitCode = 1;
}

async function runAllCrashPoints(): Promise<void> {
  const simulation = await startSimulationEngine();
  for (const [name, faults] of Object.entries(crashWorlds)) {
    for (const kind of mishapKinds) {
      let done = 0;
      const onRun = () => {
        done += 1;
        process.stderr.write(`\r${name}, a process ${kind} an external call: ${done} runs`);
      };
      const { callCount, failures, unknownCount } = await runCrashPoints(simulation, faults, kind, {
        step: 1,
        onRun,
      });
      process.stderr.write('\n');
      console.log(
        `if ${name}: a process ${kind} each of ${callCount} external calls: ${failures.length} failures, ${unknownCount} unknown outcomes`,
      );
      for (const failure of failures) console.log(JSON.stringify(failure));
      if (failures.length > 0) process.exitCode = 1;
    }
  }
  await simulation.stop();
}

async function runAll(range: Parameters<typeof runSeeds>[0]): Promise<void> {
  const startedMs = performance.now();
  let done = 0;
  let live = 0;
  let calls = 0;
  const failures: SeedReport[] = [];
  const progress = () => {
    const seconds = (performance.now() - startedMs) / 1_000;
    return `${done} of ${range.count} seeds in ${seconds.toFixed(0)} s: ${live} live posts, ${calls} external calls, ${failures.length} failures`;
  };
  const timer = setInterval(() => process.stderr.write(`\r${progress()}`), 1_000);
  try {
    await runSeeds(range, (report) => {
      done += 1;
      live += report.live;
      calls += report.calls;
      if (report.violation === undefined) return;
      failures.push(report);
      process.stderr.write('\n');
      console.log(`seed ${report.seed}: ${report.violation}`);
      console.log(`replay it with: npm run simulate -- --replay ${report.seed}`);
    });
  } finally {
    clearInterval(timer);
  }
  process.stderr.write('\n');
  console.log(progress());
  if (failures.length > 0) process.exitCode = 1;
}
