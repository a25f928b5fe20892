import { beginCall, noteCall } from '../at-most-once/call-records.ts';
import { sendOnce } from '../at-most-once/send-once.ts';
import { secondMs } from '../kernel/clock.ts';
import type { PublishJob } from '../platforms/contract/adapter.ts';
import type { WorkerPorts } from './call-log.ts';
import { becomeLiveBy } from './finish.ts';
import { withLastCall } from './load-work.ts';
import { type AccountWork, recordFailure } from './step-failure.ts';
import { commit, commitWake } from './transitions.ts';

/** How long after a call of unknown outcome the platform is asked for the first time. */
const firstLookupMs = 2 * secondMs;

/** Commits the intent, makes the one irreversible call, and commits its outcome. */
export async function goLive(ports: WorkerPorts, work: AccountWork, job: PublishJob): Promise<void> {
  const { platform, calls = [] } = work.target;
  const adapter = await ports.adapterFor(platform);
  const tools = await ports.toolsFor(platform);
  const begun = beginCall(calls, adapter.tokenOf(job), adapter.absenceRule(job), ports.now());
  const target = await commit(
    ports,
    work.target,
    { event: 'going live' },
    { status: 'publishing', preparation: job.preparation, calls: begun },
  );
  const sent = await sendOnce(ports, begun, () => adapter.goLive(job, tools));
  const after = { ...work, target: { ...target, calls: sent.calls } };
  switch (sent.state) {
    case 'done':
      return becomeLiveBy(ports, after, withLastCall(ports, after.target, job), sent.result);
    case 'refused':
      return recordFailure(ports, after, sent.error, {
        calls: sent.calls,
        preparation: sent.error.preparation,
      });
    case 'unknown': {
      const { reason, preparation } = sent;
      const token = preparation && adapter.tokenOf({ ...job, preparation });
      await commitWake(ports, target, { event: 'outcome unknown', reason }, ports.now() + firstLookupMs, {
        calls: token ? noteCall(sent.calls, { token }) : sent.calls,
        ...(preparation && { preparation }),
      });
    }
  }
}
