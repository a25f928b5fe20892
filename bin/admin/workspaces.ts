import { findStage } from '../../infra/stages.ts';
import { recordAct } from '../../lib/audit/record.ts';
import { dailyLimitsOf } from '../../lib/platforms/registry/daily-limits.ts';
import { rebuildProjections } from '../../lib/recovery/rebuild-projections.ts';
import { editWorkspace } from '../../lib/workspaces/edit.ts';
import {
  createWorkspace,
  requireWorkspaceName,
  setRedirectHosts,
  setStorageQuota,
} from '../../lib/workspaces/manage.ts';
import type { Workspace } from '../../lib/workspaces/schemas.ts';
import { getChangeableWorkspace, getWorkspace, listWorkspaces } from '../../lib/workspaces/store.ts';
import {
  deleteWorkspace,
  type Offboarded,
  resumeWorkspace,
  suspendWorkspace,
} from '../../lib/workspaces/suspension.ts';
import { type Commands, operatorCommand } from './command.ts';
import type { Output } from './output.ts';
import { readSize } from './values.ts';

const reasonOption = {
  value: 'text',
  summary: 'shown to users in `error` and in the timeline of posts that wait; at most 300 characters',
} as const;

const repeatable = 'If it is interrupted, run it again: it completes the remaining steps.';
const within30Seconds = 'Warm functions may use the old state for up to 30 seconds.';

export const workspaceCommands: Commands = {
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
      const workspace = await editWorkspace(context, { name: requireWorkspaceName(name) });
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
      'rebuild lists, the search, calendars and daily counts from the posts, and notices of access that ends; run this if stream records expired unprocessed',
    detail: 'It may run at any time, and more than once.',
    run: async (operator, { workspaceId }) => {
      const { table, now, stage, isLocal } = operator;
      // A local run has the built-in settings.
      const { dailyLimits: own } = isLocal ? findStage(stage) : await readDeployedStage(stage);
      const { id, name } = await getChangeableWorkspace(table, workspaceId);
      await recordAct({ ...operator, workspaceId: id }, { id, name });
      const dailyLimits = dailyLimitsOf(own);
      const { posts, times, places, zones } = await rebuildProjections({ table, dailyLimits, now }, id);
      operator.out.result({ posts, times, places, zones }, [
        `Checked ${posts} posts, ${times} planned times and ${places} places in days. Lists, the search, calendars, daily counts and notices are up to date.`,
        ...(zones > 0 ? [`Replaced ${zones} time zones that earlier releases accepted.`] : []),
      ]);
    },
  }),
  'workspace suspend': operatorCommand({
    verb: 'workspace.suspend',
    words: { workspaceId: {} },
    options: { reason: reasonOption },
    summary: 'refuse the API keys of a workspace with 403 and publish nothing; nothing is lost',
    detail: `Posts wait, and fail as \`missed\` once they are 24 hours late. Comments are still stored, and replies to them wait; tokens are renewed; tracked links and webhooks work. To undo this, run workspace resume. ${repeatable}`,
    run: async (operator, { workspaceId }, { reason }) => {
      const done = await suspendWorkspace(operator, workspaceId, reason);
      say(operator.out, done, done.isRepeated ? 'It was suspended already.' : 'Suspended.', 'refused');
      sayWhichReason(operator.out, done, reason);
      operator.out.note(`To undo this: npm run admin -- workspace resume ${workspaceId}`);
    },
  }),
  'workspace resume': operatorCommand({
    verb: 'workspace.resume',
    words: { workspaceId: {} },
    summary: 'end the suspension of a workspace, or undo its deletion within 30 days',
    detail: `Waiting posts are published in order of due time; those that are more than 24 hours late fail as \`missed\`. ${repeatable}`,
    run: async (operator, { workspaceId }) => {
      const done = await resumeWorkspace(operator, workspaceId);
      say(operator.out, done, done.isRepeated ? 'It was active already.' : 'Resumed.', 'admitted');
      operator.out.note('Posts that wait are released within minutes.');
    },
  }),
  'workspace delete': operatorCommand({
    verb: 'workspace.delete',
    words: { workspaceId: {} },
    options: { reason: reasonOption },
    summary: 'suspend a workspace, and erase it after 30 days',
    detail: `Until then, workspace resume undoes it. Afterwards, its accounts are revoked at the platforms, and its files, rows, tracked links and audit log are erased automatically. ${repeatable}`,
    run: async (operator, { workspaceId }, { reason }) => {
      const done = await deleteWorkspace(operator, workspaceId, reason);
      const { erasingSince } = done.workspace;
      if (erasingSince !== undefined) {
        operator.out.result({ id: workspaceId, erasingSince }, [
          `Its erasure began at ${erasingSince} and can no longer be undone.`,
        ]);
        return;
      }
      say(operator.out, done, done.isRepeated ? 'It was deleted already.' : 'Deleted.', 'refused');
      sayWhichReason(operator.out, done, reason);
      operator.out.note(
        `Its erasure begins at ${done.deleteAfter}, and nothing is left of it within a day or,\n` +
          'if a platform refuses to revoke an account, within four days.\n' +
          `To undo this until then: npm run admin -- workspace resume ${workspaceId}`,
      );
    },
  }),
};

/** Reads the settings of a deployed stage. This loads the schemas of all settings, which few commands need. */
const readDeployedStage = async (stage: string) => (await import('../settings-file.ts')).readStage(stage);

function describe({ id, name, storageQuotaBytes, storageFreeBytes }: Workspace) {
  return { id, name, quotaBytes: storageQuotaBytes, usedBytes: storageQuotaBytes - storageFreeBytes };
}

function sayWhichReason(out: Output, { isReasonShown }: Offboarded, reason: string | undefined): void {
  if (reason !== undefined && !isReasonShown)
    out.note('Waiting posts still show the reason of the first suspension.');
}

function say(
  out: Output,
  { workspace, keys, isRepeated }: Offboarded,
  what: string,
  outcome: 'refused' | 'admitted',
): void {
  const { id, deleteAfter } = workspace;
  out.result({ id, keys, outcome, isRepeated, ...(deleteAfter !== undefined && { deleteAfter }) }, [
    `${what} ${keys} API keys are now ${outcome}.`,
  ]);
  out.note(within30Seconds);
}
