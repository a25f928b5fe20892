/** Runs the main job of a stage after a deployment: `npm run smoke`. */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { failureOf } from './admin/failures.ts';
import { outputTo } from './admin/output.ts';
import { openAccess } from './smoke/access.ts';
import { type SmokeContext, type Step, steps } from './smoke/steps.ts';

const help = `npm run smoke -- [--stage <name>] [options]

Does the main job on a stage: uploads a file, writes and lists a draft, sends a webhook, follows a link and, with an account,
schedules a post and deletes it. Each step is tried, even after one has failed. At the end it removes everything that it created.

Options
  --stage <name>      the deployed stage, with the AWS credentials and region of your shell
  --workspace <id>    use this workspace. Default: one that is created for the test, then deleted, and erased after 30 days
  --account <id>      schedule a post for this account of the workspace, 30 days ahead, and delete it
  --publish           also publish a post on the account at once. It is public, and stays: the result says which post to
                      delete at the platform
  --api <URL>         the API's address. Default: the one of the stage's stack
  --json              print the result as JSON, for programs; progress and errors go to stderr
  --help              show this text

With HERALD_API_KEY in the environment, the key's own workspace is used; with --api too, no AWS credentials are needed.
Without --stage it uses the local cloud, which must be running (npm run dev). DATA_DIR names its folder (default: .local).
Ctrl-C stops the test, which removes everything that it created. If the test is killed, its key stops working within an hour.
Exit codes: 0 done, 1 refused or unhealthy, 2 wrong usage.
`;

class UsageError extends Error {
  override readonly name = 'UsageError';
}

function readArguments(words: string[]) {
  const { values } = parseArgs({
    args: words,
    options: {
      stage: { type: 'string' },
      workspace: { type: 'string' },
      account: { type: 'string' },
      publish: { type: 'boolean', default: false },
      api: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const apiKey = process.env['HERALD_API_KEY'] || undefined;
  if (values.publish && values.account === undefined) throw new UsageError('--publish needs --account <id>.');
  if (values.workspace !== undefined && apiKey !== undefined)
    throw new UsageError('HERALD_API_KEY has a workspace already: leave out --workspace.');
  if (values.account !== undefined && values.workspace === undefined && apiKey === undefined)
    throw new UsageError('--account needs its workspace: add --workspace <id>, or set HERALD_API_KEY.');
  if (values.api !== undefined && !URL.canParse(values.api))
    throw new UsageError('--api must be a URL, such as https://api.example.com.');
  return { ...values, apiKey };
}

/** The outcome of a step. */
interface StepResult {
  readonly step: string;
  readonly state: 'ok' | 'failed' | 'left out';
  readonly found: string;
  readonly milliseconds: number;
}

type Undo = Parameters<SmokeContext['undo']>;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Runs the steps one after the other, even after one has failed, and then undoes their effects.
 *
 * @param clock for the duration of each step, in milliseconds
 * @param say receives the result of each step when it ends
 * @returns the results, with one for each thing that could not be undone
 */
export async function runSteps(
  steps: readonly Step[],
  given: Omit<SmokeContext, 'undo'>,
  { clock, say }: { readonly clock: () => number; readonly say: (line: string) => void },
): Promise<readonly StepResult[]> {
  const made: Undo[] = [];
  const context: SmokeContext = { ...given, undo: (...each) => made.push(each) };
  const results: StepResult[] = [];
  const add = (result: StepResult) => {
    results.push(result);
    say(`${result.state}: ${result.step} (${result.found})`);
  };
  for (const { name, leftOut, run } of steps) {
    const reason = given.signal.aborted ? 'stopped' : leftOut?.(context);
    const startedMs = clock();
    const ended = async (): Promise<Pick<StepResult, 'state' | 'found'>> => {
      if (reason !== undefined) return { state: 'left out', found: reason };
      try {
        return { state: 'ok', found: await run(context) };
      } catch (error) {
        return { state: 'failed', found: messageOf(error) };
      }
    };
    add({ step: name, ...(await ended()), milliseconds: Math.round(clock() - startedMs) });
  }
  // Undoing also continues after Ctrl-C.
  const cleaning: SmokeContext = { ...context, signal: new AbortController().signal };
  for (const [what, work] of made.reverse()) {
    const startedMs = clock();
    try {
      await work(cleaning);
    } catch (error) {
      const found = `remove it by hand: ${messageOf(error)}`;
      add({
        step: `clean up: ${what}`,
        state: 'failed',
        found,
        milliseconds: Math.round(clock() - startedMs),
      });
    }
  }
  return results;
}

/** Returns a signal that the first Ctrl-C fires, which stops the steps; the second ends the process. */
function stopOnInterrupt(note: (text: string) => void): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      note('Stopping. Everything that the test created will be removed; to keep it, press Ctrl-C again.');
      controller.abort(new Error('stopped'));
    });
  return controller.signal;
}

async function main(): Promise<0 | 1> {
  const options = readArguments(process.argv.slice(2));
  if (options.help) {
    console.log(help);
    return 0;
  }
  const out = outputTo(process.stdout, process.stderr, options.json);
  const signal = stopOnInterrupt(out.note);
  const { stage, workspace: workspaceId, apiKey, api: apiUrl, account } = options;
  const access = await openAccess({ stage, workspaceId, apiKey, apiUrl });
  const context: Omit<SmokeContext, 'undo'> = {
    apiUrl: access.apiUrl,
    apiKey: access.apiKey,
    now: access.now,
    publishes: options.publish,
    signal,
    wait: delay,
    ...(account !== undefined && { accountId: account }),
  };
  try {
    const results = await runSteps(steps, context, { clock: () => performance.now(), say: out.note });
    out.list(results.map((each) => ({ ...each })));
    return !signal.aborted && results.every(({ state }) => state !== 'failed') ? 0 : 1;
  } finally {
    await access.leave();
  }
}

if (import.meta.main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    const isUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
    const stage = process.argv.some((word) => /^--stage(=|$)/.test(word)) ? 'named' : undefined;
    const { message, exitCode } = isUsage ? { message: error.message, exitCode: 2 } : failureOf(error, stage);
    console.error(message);
    if (isUsage) console.error('See npm run smoke -- --help');
    process.exitCode = exitCode;
  }
}
