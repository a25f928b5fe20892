import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string }
  | { readonly kind: 'replay'; readonly seed: number }
  | {
      readonly kind: 'run';
      readonly from: number;
      readonly count: number;
      readonly workers: number;
      readonly keepGoing: boolean;
    };

export const helpText = `usage: npm run simulate -- [--seeds N] [--from S] [--workers W] [--keep-going]
       npm run simulate -- --replay S

Runs the publishing engine against a simulated world in which, from seed to seed, other things go wrong, and checks
that nothing goes live twice, early, deleted or outdated, and that nothing is lost. Stops at the first seed that shows
a fault; the exit status is 1 then.

  --seeds N      how many seeds (1000)
  --from S       the first seed (1)
  --workers W    processes side by side (one for each core)
  --keep-going   runs the other seeds as well after a failure
  --replay S     runs one seed and prints every outside call of it`;

/** Reads the command line. */
export function parseCommand(line: readonly string[]): Command {
  try {
    const { values } = parseArgs({
      args: [...line],
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        seeds: { type: 'string', default: '1000' },
        from: { type: 'string', default: '1' },
        workers: { type: 'string', default: String(availableParallelism()) },
        'keep-going': { type: 'boolean', default: false },
        replay: { type: 'string' },
      },
    });
    if (values.help) return { kind: 'help' };
    if (values.replay !== undefined) return { kind: 'replay', seed: whole('--replay', values.replay) };
    return {
      kind: 'run',
      from: whole('--from', values.from),
      count: whole('--seeds', values.seeds),
      workers: Math.max(1, whole('--workers', values.workers)),
      keepGoing: values['keep-going'],
    };
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : String(error) };
  }
}

function whole(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number, not ${text}`);
  return Number(text);
}
