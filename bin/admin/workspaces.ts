import { findStage } from '../../infra/stages.ts';
import { recordAct } from '../../lib/audit/record.ts';
import { invalidField } from '../../lib/kernel/errors.ts';
import { dailyLimitsOf } from '../../lib/platforms/registry/daily-limits.ts';
import { rebuildProjections } from '../../lib/recovery/rebuild-projections.ts';
import { editWorkspace } from '../../lib/workspaces/edit.ts';
import {
  createWorkspace,
  requireName,
  setRedirectHosts,
  setStorageQuota,
} from '../../lib/workspaces/manage.ts';
import type { Workspace } from '../../lib/workspaces/schemas.ts';
import { getChangeableWorkspace, getWorkspace, listWorkspaces } from '../../lib/workspaces/store.ts';
import { type Commands, operatorCommand } from './command.ts';
import { offboardingCommands } from './offboarding.ts';
import type { Read } from './values.ts';

const powers: Readonly<Record<string, number>> = { '': 0, KB: 1, MB: 2, GB: 3, TB: 4 };

/** Reads a size such as `50GB`. Returns bytes. */
const readSize: Read<number> = (name, text) => {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([KMGT]?B)?$/i.exec(text.trim()) ?? [];
  const power = powers[unit.toUpperCase() === 'B' ? '' : unit.toUpperCase()];
  if (digits === undefined || power === undefined)
    throw invalidField(name, 'must be a size, such as 500MB, 10GB or a number of bytes');
  return Math.round(Number(digits) * 1024 ** power);
};

export const workspaceCommands: Commands = {
  ...offboardingCommands,
  'workspace create': operatorCommand({
    verb: 'workspace.create',
    words: { name: {} },
    summary: 'create a workspace',
    run: async (operator, { name }) => {
      const workspace = await createWorkspace(operator, { name });
      operator.out.one({ id: workspace.id, name: workspace.name });
    },
  }),
  'workspace list': operatorCommand({
    verb: 'workspace.list',
    summary: 'list every workspace with its id, its state and, if it is deleted, when its erasure begins',
    run: async ({ table, out }) => out.list((await listWorkspaces(table)).map((each) => ({ ...each }))),
  }),
  'workspace show': operatorCommand({
    verb: 'workspace.read',
    words: { workspaceId: {} },
    summary: 'show the used storage and the storage quota of a workspace',
    run: async ({ table, out }, { workspaceId }) => out.one(describe(await getWorkspace(table, workspaceId))),
  }),
  'workspace rename': operatorCommand({
    verb: 'workspace.edit',
    words: { workspaceId: {}, name: {} },
    summary: 'rename a workspace',
    run: async (operator, { workspaceId, name }) => {
      const { id, cursorSecret } = await getChangeableWorkspace(operator.table, workspaceId);
      const context = { ...operator, workspaceId: id, cursorSecret };
      const workspace = await editWorkspace(context, { name: requireName(name) });
      operator.out.one({ id: workspace.id, name: workspace.name });
    },
  }),
  'workspace quota': operatorCommand({
    verb: 'workspace.set-quota',
    words: { workspaceId: {}, size: { read: readSize } },
    summary: 'set the storage quota of a workspace, such as 50GB',
    detail:
      'Units are KB, MB, GB and TB (powers of 1024); without a unit, bytes. Files that already exceed the quota stay.',
    run: async (operator, { workspaceId, size: storageQuotaBytes }) => {
      operator.out.one(describe(await setStorageQuota(operator, { workspaceId, storageQuotaBytes })));
    },
  }),
  'workspace redirect-hosts': operatorCommand({
    verb: 'workspace.set-redirect-hosts',
    words: { workspaceId: {}, host: { isRepeated: true } },
    summary: 'list or set the hosts that people may be sent back to after connecting an account',
    detail:
      'Without a host it lists them. Given hosts replace them, such as app.example.com; `any` allows every host again, which is the default. A host allows all of its ports, and none of its subdomains. Loopback hosts (localhost) must be listed like all others.',
    run: async (operator, { workspaceId, host: hosts }) => {
      const { redirectHosts } =
        hosts.length === 0
          ? await getWorkspace(operator.table, workspaceId)
          : await setRedirectHosts(operator, { workspaceId, hosts: hosts.join() === 'any' ? [] : hosts });
      operator.out.result({ redirectHosts: redirectHosts ?? 'any' }, redirectHosts ?? ['any']);
    },
  }),
  'workspace rebuild': operatorCommand({
    verb: 'workspace.rebuild',
    words: { workspaceId: {} },
    summary:
      'rebuild lists, calendars and daily counts from the posts, and notices of access that ends; run this if stream records expired unprocessed',
    detail: 'It may run at any time, and more than once.',
    run: async (operator, { workspaceId }) => {
      const { table, now, stage, isLocal } = operator;
      // A local run has the built-in settings.
      const { dailyLimits: own } = isLocal ? findStage(stage) : await readDeployedStage(stage);
      const { id } = await getChangeableWorkspace(table, workspaceId);
      await recordAct({ ...operator, workspaceId: id }, id);
      const dailyLimits = dailyLimitsOf(own);
      const { posts, times, places } = await rebuildProjections({ table, dailyLimits, now }, id);
      operator.out.result({ posts, times, places }, [
        `Checked ${posts} posts, ${times} planned times and ${places} places in days. Lists, calendars, daily counts and notices are up to date.`,
      ]);
    },
  }),
};

/** Reads the settings of a deployed stage. This loads the schemas of all settings, which few commands need. */
const readDeployedStage = async (stage: string) => (await import('../settings-file.ts')).readStage(stage);

function describe({ id, name, storageQuotaBytes, storageFreeBytes }: Workspace) {
  return { id, name, quotaBytes: storageQuotaBytes, usedBytes: storageQuotaBytes - storageFreeBytes };
}
