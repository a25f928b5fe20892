import { accountProblem, accountProblemCode } from '../accounts/problem.ts';
import { secondMs } from '../kernel/clock.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { OwnFailure } from '../targets/problem.ts';
import type { Target } from '../targets/schemas.ts';
import type { WorkerPorts } from './call-log.ts';
import { goLive } from './go-live.ts';
import { loadJob } from './load-job.ts';
import { type Prepared, prepare } from './prepare.ts';
import { type AccountWork, recordFailure, waitUntil } from './step-failure.ts';
import { commitFailed, commitWake } from './transitions.ts';
import type { Work } from './work.ts';

/**
 * Prepares the next part of a thread, of which the parts before it are live, and makes it live at once. It replies to the part before
 * it, so nothing of it can be prepared earlier. Its last call is recorded, looked up and judged like that of any target.
 *
 * Neither a pause nor a place in a day of a limit keeps back the rest of a thread: half a thread in public is worse than a late pause.
 */
export async function publishNextPart(ports: WorkerPorts, work: Work): Promise<void> {
  const { target, account } = work;
  await waitUntil(ports, Date.parse(target.wakeAt ?? ''));
  const problem = accountProblem(account);
  if (problem || !account) {
    const text = problem ?? 'the account was deleted';
    await commitFailed(ports, target, { code: accountProblemCode(account), text });
    return;
  }
  const known: AccountWork = { ...work, account };
  let prepared: Prepared | undefined;
  let latest = target;
  const onCommitted = (committed: Target) => {
    latest = committed;
    ports.onCommitted(committed);
  };
  try {
    const loaded = await loadJob(ports, known);
    // All files were ready before the first part. A release since may make other renditions.
    if ('kind' in loaded) throw new OwnFailure('retry', loaded.missing.code, loaded.reason);
    prepared = await prepare({ ...ports, onCommitted }, known, loaded.job, ports.now());
  } catch (error) {
    const preparation = error instanceof PlatformError ? error.preparation : undefined;
    await recordFailure(ports, { ...known, target: latest }, error, preparation && { preparation });
    return;
  }
  if (!prepared) return;
  const adapter = await ports.adapterFor(target.platform);
  // Lambda would kill this worker during a call that takes as long as it may.
  const isTooLate = ports.now() + adapter.absenceRule(prepared.job).callSeconds * secondMs > work.deadline;
  if (isTooLate || ports.queue === 'upload') {
    const { preparation } = prepared.job;
    await commitWake(ports, prepared.target, { event: 'prepared' }, ports.now(), { preparation });
    return;
  }
  await goLive(ports, { ...known, target: prepared.target }, prepared.job);
}
