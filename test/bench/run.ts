import { chooseBenches, helpText } from './arguments.ts';
import { ownContext } from './cloud.ts';
import { formatTable } from './format.ts';
import { benches } from './registry.ts';

const choice = chooseBenches(benches, process.argv.slice(2));
if (choice.kind === 'help') {
  console.log(helpText(benches));
} else if (choice.kind === 'unknown') {
  console.error(`unknown bench: ${choice.name}\n\n${helpText(benches)}`);
  process.exitCode = 2;
} else {
  let met = 0;
  let missed = 0;
  for (const bench of choice.benches) {
    const tables = await bench.run(ownContext((line) => process.stderr.write(`${bench.name}: ${line}\n`)));
    for (const table of tables) {
      console.log(formatTable(table));
      met += table.bounds.met;
      missed += table.bounds.missed;
    }
  }
  console.log(`${met} bounds met, ${missed} missed`);
  if (missed > 0) process.exitCode = 1;
}
