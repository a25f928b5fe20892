import { parseArgs } from 'node:util';
import * as z from 'zod';
import { findLocalRun } from '../../local-cloud.ts';
import { callControl, type DevCommand, UsageError } from './command.ts';

const help = `Make a simulated platform of the local run misbehave: npm run dev:fault -- <platform> [<fault>]

  npm run dev:fault -- threads error:100                             the next call is refused with Threads' error 100
  npm run dev:fault -- threads drop-reply --call threads_publish     the next post is made, but its answer is lost
  npm run dev:fault -- threads --setting processingSeconds=300       processing takes five minutes from now on
  npm run dev:fault -- threads                                       show the planned faults, and all limits and settings
  npm run dev:fault -- threads --clear                               remove the planned faults

Options
  --call <name>            the affected call, by the platform's own name (default: the next one, whatever it is)
  --times <number>         the number of affected calls (1)
  --limit <name>=<value>   change a limit of the platform; may be repeated
  --setting <name>=<value> change the platform's behaviour; may be repeated
  --clear                  remove the planned faults first; limits and settings stay

Faults
  error:<code>, ok-with-error:<code>     the platform's own error, such as error:100; the second with status 200
  error-after:<code>                     the same, although the call has taken effect
  rate-limit                             too many calls
  expire-token                           the account's authorization has ended
  drop-request, timeout                  no answer; the call takes no effect
  drop-reply, timeout-after              no answer, but the call takes effect
  hold:<seconds>, slow:<seconds>         the call takes effect later: without an answer, or with a late one
  html, empty, half-json, redirect, huge-body, slow-body    an answer that makes no sense
`;

const Planned = z.array(z.object({ match: z.string(), fault: z.string(), times: z.number() }));
const Values = z.record(z.string(), z.unknown());

/** Plans a fault of a simulated platform, or changes its limits and settings. */
export const faultCommand: DevCommand = {
  help,
  async run(words) {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        call: { type: 'string' },
        times: { type: 'string' },
        limit: { type: 'string', multiple: true },
        setting: { type: 'string', multiple: true },
        clear: { type: 'boolean' },
      },
    });
    const [platform, fault, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError(`give one fault at a time, not also ${rest.join(' ')}`);
    if (fault === undefined && (values.call ?? values.times) !== undefined)
      throw new UsageError('--call and --times need a fault, such as error:100');
    const { platforms } = await findLocalRun();
    const names = Object.keys(platforms).join(', ');
    if (platform === undefined) throw new UsageError(`name a platform: ${names}`);
    const control = Object.hasOwn(platforms, platform) ? platforms[platform]?.control : undefined;
    if (control === undefined) throw new UsageError(`there is no platform ${platform}: use one of ${names}`);

    if (values.clear) await callControl('DELETE', `${control}/faults`);
    const limits = readChanges('--limit', values.limit ?? []);
    const settings = readChanges('--setting', values.setting ?? []);
    if (values.limit) await callControl('PUT', `${control}/limits`, limits);
    if (values.setting) await callControl('PUT', `${control}/settings`, settings);
    if (fault !== undefined) {
      const { call: match = '*', times: text = '1' } = values;
      await planFault(control, { match, fault, times: readTimes(text) });
    }
    const changed = Object.keys({ ...limits, ...settings });
    const asksForAll = fault === undefined && !values.clear && changed.length === 0;
    await showPlanned(platform, control);
    for (const kind of ['limits', 'settings'])
      await showValues(control, kind, asksForAll ? undefined : changed);
  },
};

function readTimes(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`--times must be a whole number from 1, not ${text}`);
}

/**
 * Plans a fault.
 *
 * @throws UsageError that names this command's option where the simulator names its own field
 */
async function planFault(control: string, plan: z.infer<typeof Planned>[number]): Promise<void> {
  try {
    await callControl('POST', `${control}/faults`, plan);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message.replace(/^match must/, '--call must'));
  }
}

/**
 * Reads changes such as `name=value`.
 *
 * @returns the values by name; a value that is not JSON is text
 */
function readChanges(option: string, texts: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value = ''] = /^(\w[\w.]*)=(.+)$/.exec(text) ?? [];
      if (name === undefined) throw new UsageError(`${option} must be <name>=<value>, not ${text}`);
      return [name, readValue(value)];
    }),
  );
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function showPlanned(platform: string, control: string): Promise<void> {
  const planned = Planned.parse(await callControl('GET', `${control}/faults`));
  console.log(planned.length === 0 ? `No faults are planned for ${platform}.` : `Planned for ${platform}:`);
  for (const { match, fault, times } of planned)
    console.log(
      `  ${fault}, ${match === '*' ? 'any call' : match}, ${times === 1 ? 'once' : `${times} times`}`,
    );
}

/** @param only the names to show; `undefined` for all */
async function showValues(control: string, kind: string, only: readonly string[] | undefined): Promise<void> {
  const values = Object.entries(Values.parse(await callControl('GET', `${control}/${kind}`)));
  const shown = values.filter(([name]) => only === undefined || only.includes(name));
  if (shown.length > 0) console.log(`${kind}:`);
  for (const [name, value] of shown) console.log(`  ${name}=${JSON.stringify(value)}`);
}
