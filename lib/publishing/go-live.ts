import { noteCall } from '../at-most-once/call-records.ts';
import { clearMark } from '../at-most-once/judge-failure.ts';
import { firstLookupMs, makeCall } from '../at-most-once/make-call.ts';
import type { PublishJob } from '../platforms/contract/adapter.ts';
import { workingPart } from '../targets/thread.ts';
import type { PublishedFile } from '../targets/timeline.ts';
import type { WorkerPorts } from './call-log.ts';
import { becomeLiveForCertain } from './finish.ts';
import { withLastCall } from './load-job.ts';
import { type AccountWork, recordFailure } from './step-failure.ts';
import { commit, commitWake, reasonOfPart } from './transitions.ts';

/**
 * Commits the intent, with the digests of the files, makes the one irreversible call, and commits its outcome.
 *
 * @throws LeaseLostError if the target was taken or changed; then no call was made
 */
export async function goLive(ports: WorkerPorts, work: AccountWork, job: PublishJob): Promise<void> {
  const { platform, calls = [] } = work.target;
  const adapter = await ports.adapterFor(platform);
  const tools = await ports.toolsFor(platform);
  let calledMs = ports.now();
  const { held: target, sent } = await makeCall(ports, {
    calls,
    token: adapter.tokenOf(job),
    rule: adapter.absenceRule(job),
    commitIntent: (begun) => {
      const part = reasonOfPart(work.target, workingPart(work.target));
      const step = { event: 'going live', files: filesOf(job), ...part } as const;
      const changes = { status: 'publishing', calls: begun, preparation: job.preparation } as const;
      return commit(ports, work.target, step, changes);
    },
    send: () => {
      calledMs = ports.now();
      return adapter.goLive(job, tools);
    },
  });
  const after = { ...work, target: { ...target, calls: sent.calls } };
  switch (sent.state) {
    case 'done': {
      const intended = withLastCall(ports, after.target, job);
      await becomeLiveForCertain(ports, after, intended, sent.result, {
        calledMs,
        publishedMs: ports.now(),
      });
      return clearMark(ports, work.account);
    }
    case 'refused':
      return recordFailure(ports, after, sent.error, {
        calls: sent.calls,
        preparation: sent.error.preparation,
      });
    case 'unknown': {
      const { reason, preparation } = sent;
      const token = preparation && adapter.tokenOf({ ...job, preparation });
      const lookupMs = ports.now() + firstLookupMs(sent);
      await commitWake(ports, target, { event: 'outcome unknown', reason }, lookupMs, {
        calls: token ? noteCall(sent.calls, { token }) : sent.calls,
        ...(preparation && { preparation }),
      });
    }
  }
}

/** Returns the files that a job publishes, for the timeline: media first, then the cover. */
const filesOf = ({ media, cover }: PublishJob): PublishedFile[] =>
  [...media, ...(cover ? [cover] : [])].flatMap(({ mediaId, sha256, renditionId }) =>
    mediaId === undefined
      ? []
      : [
          {
            mediaId,
            ...(sha256 !== undefined && { sha256 }),
            ...(renditionId !== undefined && { renditionId }),
          },
        ],
  );
