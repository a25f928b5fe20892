import {
  deleteWorkspace,
  type Offboarded,
  resumeWorkspace,
  suspendWorkspace,
} from '../../lib/workspaces/suspension.ts';
import { type Commands, operatorCommand } from './command.ts';
import type { Output } from './output.ts';

const reason = {
  reason: {
    value: 'text',
    summary: 'shown to users in `error` and in the timeline of posts that wait; at most 300 characters',
  },
} as const;

const repeatable = 'If it is interrupted, run it again: it completes the remaining steps.';
const within30Seconds = 'Warm functions may use the old state for up to 30 seconds.';

/** Commands that suspend, resume and delete a workspace. */
export const offboardingCommands: Commands = {
  'workspace suspend': operatorCommand({
    verb: 'workspace.suspend',
    words: { workspaceId: {} },
    options: reason,
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
    options: reason,
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
