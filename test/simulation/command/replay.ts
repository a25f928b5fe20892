import { runScenario, type SimulationResult } from '../simulate.ts';
import type { StoryEntry } from '../story.ts';
import type { ReplayCommand } from './arguments.ts';
import { openScenario } from './scenario-file.ts';
import { scenarioLines } from './scenario-text.ts';
import { StoryPrinter } from './story-lines.ts';
import { type StoryNames, storyNames } from './story-names.ts';

/**
 * Runs a scenario and tells its story.
 *
 * @param output where each line goes, and whether it shows colours
 * @returns whether no check failed
 */
export async function replay(
  command: ReplayCommand,
  { print, colour }: { readonly print: (line: string) => void; readonly colour: boolean },
): Promise<boolean> {
  const { title, scenario, bug } = openScenario(command.source, command.bug);
  const names = storyNames(scenario);
  print(bug === undefined ? title : `${title}, with a planted bug: ${bug}`);
  for (const line of scenarioLines(scenario, names)) print(`  ${line}`);
  print('');

  const printer = new StoryPrinter({ names, all: command.all, colour, print });
  const result = await runScenario(scenario, { trace: (entry: StoryEntry) => printer.tell(entry) });
  printer.end();
  print('');
  for (const line of endLines(result, names)) print(line);
  return result.violation === undefined;
}

/** The final state of each target, and the verdict. */
function endLines({ targets, ledger, calls, violation }: SimulationResult, names: StoryNames): string[] {
  return [
    'targets at the end:',
    ...targets.map(({ accountId, postId, status, error, scheduledFor, publishedAt }) => {
      const times = [scheduledFor && `due ${scheduledFor}`, publishedAt && `live ${publishedAt}`];
      const details = [...times, error].filter((detail) => detail !== undefined && detail !== '');
      return names.in(`  post ${postId} on ${accountId}: ${[status, ...details].join(', ')}`);
    }),
    `${ledger.length} live on the platforms, ${calls} external calls`,
    violation === undefined ? 'no check failed' : names.in(`FAILED: ${violation}`),
  ];
}
