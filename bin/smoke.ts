/** Runs the main job of a stage after a deployment: `npm run smoke`. */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { failureOf } from './admin/failures.ts';
import { outputTo } from './admin/output.ts';
import { openAccess } from './smoke/access.ts';
import { runSteps } from './smoke/run.ts';
import { type SmokeContext, steps } from './smoke/steps.ts';

const help = `npm run smoke -- [--stage <name>] [options]

Does the main job on a stage: uploads a file, writes and lists a draft, sends a webhook, follows a link and, with an account,
schedules a post and deletes it. Each step is tried, even after one has failed. At the end it removes everything that it created.

Options
  --stage <name>      the deployed stage, with the AWS credentials and region of your shell
  --workspace <id>    use this workspace. Default: one that is created for the test, then deleted, and erased after 30 days
  --account <id>      schedule a post for this account of the workspace, 30 days ahead, and delete it
  --publish           also publish a post on the account at once. It is public, and Herald deletes no live posts: the result
                      says which post to delete at the platform
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
