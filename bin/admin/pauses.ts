import { findAccount } from '../../lib/accounts/store.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { invalidField, notFound } from '../../lib/kernel/errors.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { endPause, putPause } from '../../lib/pauses/manage.ts';
import { listPauses } from '../../lib/pauses/read.ts';
import { type PauseScope, scopeFromText } from '../../lib/pauses/scope.ts';
import { type Platform, platformNames } from '../../lib/platforms/contract/names.ts';
import { releaseHeld } from '../../lib/recovery/held-targets.ts';
import { type AdminContext, type Commands, operatorCommand } from './command.ts';
import { readPlatform } from './values.ts';

const selectors = {
  platform: {
    value: 'platform',
    read: readPlatform,
    summary: `everything on one platform: ${platformNames.join(', ')}`,
  },
  account: { value: 'account id', summary: 'one account; needs --workspace too' },
  workspace: { value: 'workspace id', summary: 'the workspace of the account' },
} as const;

export const pauseCommands: Commands = {
  pause: operatorCommand({
    verb: 'pause.begin',
    options: {
      ...selectors,
      table: {
        value: 'name',
        summary: 'a restored table, before the stage uses it: docs/restore.md',
      },
      reason: {
        value: 'text',
        isRequired: true,
        summary: 'shown to users in `error` and in the timeline of posts that wait; at most 300 characters',
      },
    },
    summary: 'pause publishing to a platform or an account during an incident',
    detail:
      'Destinations that are being published at this moment are finished; all others wait. Posts that are more than 24 hours late fail as `missed`.',
    run: async (context, _, { reason, ...selected }) => {
      const scope = await readScope(context, selected);
      const pause = await putPause(context, { scope, reason });
      context.out.one(describe(pause));
    },
  }),
  resume: operatorCommand({
    verb: 'pause.end',
    options: selectors,
    summary: 'end a pause: posts that wait are published in order of due time',
    detail:
      'It shows how many posts it has released. If it is interrupted, the service releases the others within minutes.',
    run: async (context, _, selected) => {
      const { scope } = await endPause(context, await readScope(context, selected));
      const ports = {
        table: context.table,
        now: systemClock,
        uniqueId: () => newId(systemClock()),
      };
      let shown = 0;
      const released = await releaseHeld(ports, scope, Number.POSITIVE_INFINITY, (count) => {
        if (count < shown + 1_000) return;
        shown = count;
        context.out.note(`Destinations released so far: ${count}`);
      });
      context.out.result({ released }, ['Resumed.', `Destinations released: ${released}.`]);
    },
  }),
  'pause list': operatorCommand({
    verb: 'pause.read',
    summary: 'list the pauses with their start and reason',
    run: async ({ table, out }) => out.list((await listPauses(table)).map(describe)),
  }),
};

function describe(pause: { readonly scope: string; readonly since: string; readonly reason: string }) {
  const { kind, ...selected } = scopeFromText(pause.scope);
  return { paused: kind, ...selected, since: pause.since, reason: pause.reason };
}

interface Selected {
  readonly platform: Platform | undefined;
  readonly account: string | undefined;
  readonly workspace: string | undefined;
}

/**
 * Reads the scope of a pause from the options.
 *
 * @throws HeraldError `invalid` if the options name nothing, or two things; `not_found` for an unknown account
 */
async function readScope(
  { table }: AdminContext,
  { platform, account: accountId, workspace: workspaceId }: Selected,
): Promise<PauseScope> {
  if (platform !== undefined) {
    if (accountId !== undefined || workspaceId !== undefined)
      throw invalidField(
        '--platform',
        'a platform is paused for all workspaces; leave out the other options',
      );
    return { kind: 'platform', platform };
  }
  if (accountId === undefined || workspaceId === undefined)
    throw invalidField('--platform', 'give a platform, or --account and --workspace');
  if (!(await findAccount(table, workspaceId, accountId))) throw notFound('account');
  return { kind: 'account', workspaceId, accountId };
}
