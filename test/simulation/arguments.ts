import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string }
  | { readonly kind: 'replay'; readonly seed: number }
  | { readonly kind: 'crash points' }
  | {
      readonly kind: 'run';
      readonly from: number;
      readonly count: number;
      readonly workers: number;
      readonly keepGoing: boolean;
    };

export const helpText = `usage: npm run simulate -- [--seeds N] [--from S] [--workers W] [--keep-going]
       npm run simulate -- --replay S
       npm run simulate -- --crash-points

Runs the publishing engine in a simulated world. Each seed makes different things go wrong. Checks that no post goes
live twice, early, after its deletion or with outdated content, and that no post is lost. Stops at the first seed that
shows a bug, with exit status 1.

  --seeds N      the number of seeds (default: 1000)
  --from S       the first seed (default: 1)
  --workers W    the number of parallel processes (default: one per core)
  --keep-going   run the remaining seeds after a failure
  --replay S     run one seed and print each of its external calls
  --crash-points run one post again and again instead, with a crash or a pause at each of its external calls`;

/** Parses the command line. Returns `wrong` with a message if it is invalid. */
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
        'crash-points': { type: 'boolean', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    if (values['crash-points']) return { kind: 'crash points' };
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
