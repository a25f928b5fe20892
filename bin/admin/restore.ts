import { inStage, recordAct } from '../../lib/audit/record.ts';
import { openBucket } from '../../lib/aws/bucket.ts';
import { openBucketCopies } from '../../lib/aws/bucket-copies.ts';
import { listScheduleNames } from '../../lib/aws/schedule-names.ts';
import { toTimestamp } from '../../lib/kernel/clock.ts';
import { invalidField } from '../../lib/kernel/errors.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { releaseDoubtful } from '../../lib/operating/release-doubtful.ts';
import { putRepairTask } from '../../lib/overdue/repair-tasks.ts';
import type { PublishMessage } from '../../lib/publishing/message.ts';
import type { Gap } from '../../lib/recovery/restore/doubtful.ts';
import { restoreFiles } from '../../lib/recovery/restore/files.ts';
import { holdDoubtful } from '../../lib/recovery/restore/hold.ts';
import { scheduleAllWakes } from '../../lib/recovery/restore/wakes.ts';
import type { Target } from '../../lib/targets/schemas.ts';
import { type AdminContext, type Commands, type ExitCode, operatorCommand } from './command.ts';
import { type Moment, readMoment } from './values.ts';

const table = {
  value: 'name',
  summary: 'the restored table, before the stage uses it; default: that of the stage',
} as const;
const dryRun = { 'dry-run': { summary: 'show the changes without making them' } } as const;
const gapOptions = {
  since: {
    value: 'time',
    read: readMoment,
    isRequired: true,
    summary: 'the time of the backup, such as 2027-01-01T08:00:00Z',
  },
  until: {
    value: 'time',
    read: readMoment,
    summary: 'the time at which the last function used the lost table; default: now',
  },
  schedules: {
    value: 'group',
    summary:
      'the schedule group of the stage, if it was not lost: finds posts that were moved or deleted since',
  },
  // There is no default: given the table in use, the command would hold posts that are about to be published.
  table: { ...table, isRequired: true, summary: 'the restored table, before the stage uses it' },
} as const;

export const restoreCommands: Commands = {
  'restore plan': operatorCommand({
    verb: 'stage.read',
    options: gapOptions,
    summary: 'list the destinations of a restored table that may be live although the backup does not say so',
    detail: 'docs/restore.md has the steps of a restore.',
    run: async (context, _, options) => {
      const doubtful: { readonly target: Target; readonly isUnscheduled: boolean }[] = [];
      const onTarget = (target: Target, isUnscheduled: boolean) =>
        void doubtful.push({ target, isUnscheduled });
      const count = await holdDoubtful({ ...portsOf(context), onTarget }, readGap(options, context.now), {
        isDryRun: true,
        scheduleNames: await namesOf(options.schedules),
      });
      const rows = doubtful.map(({ target, isUnscheduled }) => ({
        ...target,
        why: isUnscheduled ? 'moved or deleted since' : 'due',
      }));
      context.out.list(
        rows.map(({ workspaceId, postId, platform, accountId, status, scheduledFor, why }) => ({
          due: scheduledFor,
          workspace: workspaceId,
          post: postId,
          platform,
          account: accountId,
          status,
          why,
        })),
      );
      context.out.note(
        `Also affected: ${count.finishing} live destinations that are being finished, ${count.steps} steps of chains, ${count.actions} replies and messages, ${count.retries} failed destinations that may have been retried.`,
      );
      return codeOf(count);
    },
  }),
  'restore hold': operatorCommand({
    verb: 'stage.restore',
    options: { ...gapOptions, ...dryRun },
    summary:
      'make a restored table safe: posts that may be live are looked up at the platforms, never published again',
    detail:
      'Run it before any function uses the table. Destinations that are due after --until go live at their time, except those that --schedules shows to have been moved or deleted since the backup. Those that the platforms do not show fail as outcome_unknown and wait for a person.',
    run: async (context, _, options) => {
      const isDryRun = options['dry-run'];
      const gap = readGap(options, context.now);
      if (!isDryRun) await record(context, `hold since ${toTimestamp(gap.sinceMs)}`);
      const names = await namesOf(options.schedules);
      const count = await holdDoubtful(portsOf(context), gap, { isDryRun, scheduleNames: names });
      const { targets, unscheduled, retries, finishing, steps, actions, failures } = count;
      context.out.result({ ...count, isDryRun }, [
        `${isDryRun ? 'Would be looked up' : 'Destinations to look up'}: ${targets}, and ${unscheduled} that were moved or deleted since.`,
        `Failed destinations that are looked up before a retry: ${retries}.`,
        `Live destinations that are not finished any more: ${finishing}. Steps of chains that end: ${steps}.`,
        `Replies and messages that are not sent: ${actions}. Failures: ${failures}.`,
      ]);
      return codeOf(count);
    },
  }),
  'restore wakes': operatorCommand({
    verb: 'stage.restore',
    options: dryRun,
    summary: 'let the service schedule every wake again, after a schedule group or a publish queue was lost',
    detail:
      'Stores a task per waiting destination. The sweep carries them out within minutes. Schedules that exist stay. Without it, each post goes live up to a minute late.',
    run: async (context, _, { 'dry-run': isDryRun }) => {
      if (!isDryRun) await record(context, 'wakes');
      const store = (wake: PublishMessage) =>
        putRepairTask(context.table, { kind: 'schedule wake', wake }, context.now, 0);
      let told = 0;
      const onProgress = (wakes: number) => {
        if (wakes < told + 1_000) return;
        told = wakes;
        context.out.note(`Wakes so far: ${wakes}`);
      };
      const ports = { ...portsOf(context), enqueue: store, schedule: store, onProgress };
      const count = await scheduleAllWakes(ports, { isDryRun });
      context.out.result({ ...count, isDryRun }, [
        `${isDryRun ? 'Would be scheduled again' : 'Wakes to be scheduled again'}: ${count.wakes}. Failures: ${count.failures}.`,
      ]);
      return codeOf(count);
    },
  }),
  'restore files': operatorCommand({
    verb: 'stage.restore',
    options: {
      bucket: {
        value: 'name',
        isRequired: true,
        summary: 'the media bucket: MediaBucketName of the data stack',
      },
      copies: { value: 'name', summary: 'the bucket with copies: MediaCopiesName of the backup stack' },
      table,
      ...dryRun,
    },
    summary: 'copy missing files back, and mark lost files; posts then name the files to upload again',
    run: async (context, _, { bucket: name, copies, 'dry-run': isDryRun }) => {
      if (!isDryRun) await record(context, `files of ${name}`);
      const bucket = openBucket(name);
      const count = await restoreFiles(
        {
          ...portsOf(context),
          exists: async (objectKey) => (await bucket.describe(objectKey)) !== undefined,
          ...(copies !== undefined && { copyBack: openBucketCopies(copies, name) }),
          onLost: ({ id, workspaceId, filename }) =>
            context.out.note(`Lost: ${filename} (${id}) of workspace ${workspaceId}`),
        },
        { isDryRun },
      );
      const { checked, copied, lost, renditions, failures } = count;
      context.out.result({ ...count, isDryRun }, [
        `Files: ${checked}. Copied back: ${copied}. ${isDryRun ? 'Missing' : 'Lost'}: ${lost}. Renditions to make again: ${renditions}. Failures: ${failures}.`,
      ]);
      return codeOf(count);
    },
  }),
  'restore release': operatorCommand({
    verb: 'stage.restore',
    options: {
      'due-after': {
        value: 'time',
        read: readMoment,
        isRequired: true,
        summary:
          'release only destinations that were due after this time; choose one after the last publication',
      },
      ...dryRun,
    },
    summary: 'publish destinations that the restore left in doubt, after you have looked at the accounts',
    detail:
      'Each is looked up once more, and published if the platform still does not show it. A destination that is live although the platform does not show it would be published twice: choose a time at which the old table was certainly lost.',
    run: async (context, _, { 'due-after': moment, 'dry-run': isDryRun }) => {
      const dueAfter = moment(context.now);
      if (!isDryRun) await record(context, `release due after ${dueAfter}`);
      const count = await releaseDoubtful(
        { ...context, report: portsOf(context).report },
        { dueAfter, isDryRun },
      );
      context.out.result({ ...count, isDryRun }, [
        `${isDryRun ? 'Would be retried' : 'Posts retried'}: ${count.posts}. Failures: ${count.failures}.`,
      ]);
      return codeOf(count);
    },
  }),
};

/** Returns the names of the schedules in a group, if one is named. */
const namesOf = async (group: string | undefined) =>
  group === undefined ? undefined : await listScheduleNames(group);

const codeOf = ({ failures }: { readonly failures: number }): ExitCode => (failures > 0 ? 1 : 0);

const record = (context: AdminContext, subject: string) => recordAct(inStage(context), subject);

const portsOf = ({ table, now, out }: AdminContext) => ({
  table,
  now: () => now,
  uniqueId: () => newId(now),
  report: (what: string, error: unknown) =>
    out.note(`Not done: ${what}: ${error instanceof Error ? error.message : String(error)}`),
});

/** @throws HeraldError `invalid` for a gap that ends before it begins */
function readGap({ since, until }: { since: Moment; until: Moment | undefined }, now: number): Gap {
  const sinceMs = Date.parse(since(now));
  const untilMs = until === undefined ? now : Date.parse(until(now));
  if (untilMs <= sinceMs) throw invalidField('until', 'must be later than --since');
  return { sinceMs, untilMs };
}
