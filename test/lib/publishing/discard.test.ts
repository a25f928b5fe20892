import { beforeEach, describe, expect, it } from 'vitest';
import { endConnection } from '../../../lib/accounts/connection-store.ts';
import { findAccount } from '../../../lib/accounts/store.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import type { AbandonedUpload } from '../../../lib/platforms/contract/adapter.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { CallRecord } from '../../../lib/platforms/contract/last-call.ts';
import { discardUpload } from '../../../lib/publishing/discard.ts';
import type { PublishMessage } from '../../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../../lib/publishing/ports.ts';
import { abandonedUpload } from '../../../lib/publishing/relay/abandoned-upload.ts';
import type { RelayPorts } from '../../../lib/publishing/relay/relay.ts';
import { sweepOverdue } from '../../../lib/recovery/sweep.ts';
import { deleteItem } from '../../../lib/table/items.ts';
import { accountKey, targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { aTarget, changeTarget, startMs } from '../../support/builders.ts';
import { sweepPorts } from '../../support/sweep.ts';
import { createTestTable } from '../../support/table.ts';
import { relayChange } from '../recovery/fixture.ts';
import { openFixture as openPublishing } from './fixture.ts';

const minuteMs = 60_000;
const preparation = { uploadId: 'upload-1', videoId: 'video-1' };
const prepared: Partial<Target> = { platform: 'youtube', preparation, preparingSince: toTimestamp(startMs) };
const call = (outcome: CallRecord['outcome']): CallRecord => ({
  intentAt: toTimestamp(startMs),
  token: {},
  endedAt: toTimestamp(startMs),
  outcome,
  lookups: 0,
  misses: 0,
});

describe('a change of a target', () => {
  const waiting = aTarget(prepared);
  const failed: Target = { ...waiting, status: 'failed' };
  it.each<[string, Target | undefined, Target | undefined, boolean]>([
    ['deletes it', waiting, undefined, true],
    ['fails it', waiting, failed, true],
    ['gives it other files', waiting, aTarget({ platform: 'youtube' }), true],
    ['begins another upload', waiting, { ...waiting, preparation: { uploadId: 'upload-2' } }, true],
    ['makes it a draft', waiting, aTarget({ platform: 'youtube', status: 'draft' }), true],
    ['moves it to another time', waiting, { ...waiting, scheduledFor: toTimestamp(startMs + 1) }, false],
    ['names its video', aTarget({ ...prepared, preparation: { uploadId: 'upload-1' } }), waiting, false],
    ['begins its last call', waiting, { ...waiting, status: 'publishing', calls: [call('open')] }, false],
    ['makes it live', waiting, { ...waiting, status: 'published', publishedAt: toTimestamp(startMs) }, false],
    [
      'deletes it once it is live',
      { ...waiting, status: 'published', publishedAt: toTimestamp(startMs) },
      undefined,
      false,
    ],
    [
      'fails it once it is live, because nobody can watch it',
      { ...waiting, status: 'published', publishedAt: toTimestamp(startMs) },
      failed,
      false,
    ],
    [
      'fails it with an unknown outcome',
      { ...waiting, status: 'publishing', calls: [call('open')] },
      { ...failed, calls: [call('unknown')] },
      false,
    ],
    [
      'says that it is not live',
      { ...failed, calls: [call('unknown')] },
      { ...failed, calls: [call('dismissed')] },
      true,
    ],
    [
      'retries a failed one, whose upload was abandoned before',
      failed,
      aTarget({ platform: 'youtube' }),
      false,
    ],
    [
      'deletes one that left nothing at the platform',
      aTarget({ preparation: { containerId: '1' } }),
      undefined,
      false,
    ],
    ['stores it', undefined, waiting, false],
  ])('that %s abandons its upload: %#', (_what, before, after, isAbandoned) => {
    expect(abandonedUpload(before, after)?.preparation).toEqual(isAbandoned ? preparation : undefined);
  });
});

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

/** A prepared target whose upload is abandoned, and what deletes it. */
async function open(changes: Partial<Target> = {}) {
  const publishing = await openPublishing(table, {
    target: { ...prepared, ...changes },
    account: { platform: 'youtube' },
  });
  const { clock } = publishing;
  const discarded: AbandonedUpload[] = [];
  const answers: (Error | string | undefined)[] = [];
  const adapter = {
    ...publishing.platform.adapter,
    discard: async (upload: AbandonedUpload) => {
      discarded.push(upload);
      const answer =
        answers.length > 0 ? answers.shift() : 'the private video video-1 was deleted on YouTube';
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const ports: PublishingPorts = { ...publishing.ports, queue: 'upload', adapterFor: () => adapter };
  const { expiresAtSeconds } = changes;
  const before = { ...(await publishing.find()), ...(expiresAtSeconds && { expiresAtSeconds }) };
  const { workspaceId, postId, accountId } = before;
  const relay = async (after: Target | undefined) => {
    const relayPorts: RelayPorts = {
      table,
      now: () => clock.time,
      enqueue: async () => {},
      stopAutomation: async () => {},
      enqueueChain: async () => {},
      enqueueDistant: async () => {},
      report: () => {},
    };
    // The stream may deliver a change twice.
    for (const _time of [1, 2]) await relayChange({ before, after, atMs: clock.time }, relayPorts);
  };
  const fail = async () => {
    const problem = { code: 'platform_rejected', text: 'no' } as const;
    return changeTarget(table, before, { status: 'failed', wakeAt: null, problem });
  };
  const remove = () => deleteItem(table, targetKey(workspaceId, postId, accountId), {});
  /** Sweeps after some minutes, and delivers what that sends to the workers that send files. */
  const sweepAfter = async (minutes: number) => {
    clock.time += minutes * minuteMs;
    const messages: PublishMessage[] = [];
    await sweepOverdue(
      {
        ...sweepPorts(table, () => clock.time),
        enqueue: async (message, _delay, queue) => void (queue === 'upload' && messages.push(message)),
      },
      Number.POSITIVE_INFINITY,
    );
    const outcomes = [];
    for (const message of messages.filter(({ discards }) => discards !== undefined))
      outcomes.push(await discardUpload(ports, message));
    return outcomes;
  };
  const entries = async () =>
    (await publishing.find()).timeline.map(({ laterEvent, reason, tryNumber }) => ({
      event: laterEvent,
      reason,
      tryNumber,
    }));
  return { ...publishing, before, ports, discarded, answers, relay, fail, remove, sweepAfter, entries };
}

const said = 'the private video video-1 was deleted on YouTube';

describe('an upload that no target publishes any more', () => {
  it('of a deleted target is deleted by the sweep’s message, once a worker’s step has certainly ended', async () => {
    const { relay, remove, sweepAfter, discarded } = await open();
    await remove();
    await relay(undefined);
    expect(await sweepAfter(1)).toEqual([]);
    expect(await sweepAfter(2)).toEqual(['discarded']);
    expect(discarded).toMatchObject([{ preparation, accessToken: 'token' }]);
    expect(await sweepAfter(60)).toEqual([]);
  });

  it('of a failed target is told in its timeline, in the try that has failed', async () => {
    const { relay, fail, sweepAfter, entries, discarded } = await open();
    await relay(await fail());
    expect(await sweepAfter(3)).toEqual(['discarded']);
    expect((await entries()).at(-1)).toMatchObject({ event: 'discarded', reason: said });
    expect(discarded).toHaveLength(1);
  });

  it('of a target of unknown outcome, which nobody has retried, is deleted once its post has expired', async () => {
    const { relay, remove, sweepAfter, discarded } = await open({
      status: 'failed',
      calls: [call('unknown')],
      expiresAtSeconds: startMs / 1_000 - 1,
    });
    await remove();
    await relay(undefined);
    expect(await sweepAfter(3)).toEqual(['discarded']);
    expect(discarded).toMatchObject([{ preparation }]);
  });

  it('that was gone already is not told', async () => {
    const { relay, fail, sweepAfter, entries, answers } = await open();
    answers.push(undefined);
    await relay(await fail());
    expect(await sweepAfter(3)).toEqual(['discarded']);
    expect(await entries()).toEqual([]);
  });

  it('is deleted by a later try if the platform fails, with growing waits', async () => {
    const { relay, fail, sweepAfter, entries, answers, discarded } = await open();
    answers.push(new PlatformError('unknown', 'no answer'), new PlatformError('retry', 'busy'));
    await relay(await fail());
    expect(await sweepAfter(3)).toEqual(['postponed']);
    expect(await sweepAfter(2)).toEqual(['postponed']);
    expect(await sweepAfter(1)).toEqual([]);
    expect(await sweepAfter(2)).toEqual(['discarded']);
    expect(discarded).toHaveLength(3);
    expect(await entries()).toHaveLength(1);
  });

  it('that the platform refuses to delete is told once, and tried again', async () => {
    const { relay, fail, sweepAfter, entries, answers } = await open();
    for (const _try of [1, 2]) answers.push(new PlatformError('rejected', 'YouTube: not allowed'));
    await relay(await fail());
    await sweepAfter(3);
    await sweepAfter(3);
    expect(await entries()).toMatchObject([{ event: 'not discarded', reason: 'YouTube: not allowed' }]);
    expect(await sweepAfter(10)).toEqual(['discarded']);
    expect((await entries()).map(({ event }) => event)).toEqual(['not discarded', 'discarded']);
  });

  it('waits while its account is disconnected, and says so', async () => {
    const { relay, fail, sweepAfter, entries, before, discarded, clock } = await open();
    const account = await findAccount(table, before.workspaceId, before.accountId);
    if (!account) throw new Error('no account');
    await endConnection(table, account, clock.time);
    await relay(await fail());
    expect(await sweepAfter(3)).toEqual(['postponed']);
    expect(await sweepAfter(3)).toEqual(['postponed']);
    expect(discarded).toEqual([]);
    expect(await entries()).toMatchObject([
      {
        event: 'not discarded',
        reason: expect.stringContaining('the account is disconnected: connect it again'),
      },
    ]);
  });

  it('is given up if its workspace was erased', async () => {
    const { relay, remove, sweepAfter, before, discarded } = await open();
    await remove();
    await relay(undefined);
    await deleteItem(table, accountKey(before.workspaceId, before.accountId), {});
    expect(await sweepAfter(3)).toEqual(['obsolete']);
    expect(await sweepAfter(60)).toEqual([]);
    expect(discarded).toEqual([]);
  });

  it('is told later while a worker holds the target, which another file has replaced', async () => {
    const { relay, sweepAfter, before, entries, discarded } = await open();
    const after = await changeTarget(table, before, { preparation: { uploadId: 'upload-2' } });
    await relay(after);
    const leaseUntil = toTimestamp(startMs + 4 * minuteMs);
    const held = await changeTarget(table, after, { leaseUntil });
    expect(await sweepAfter(3)).toEqual(['postponed']);
    await changeTarget(table, held, { leaseUntil: null });
    expect(await sweepAfter(3)).toEqual(['discarded']);
    expect(await entries()).toMatchObject([{ event: 'discarded', reason: said }]);
    expect(discarded).toHaveLength(2);
  });

  it('whose message arrives twice is deleted once', async () => {
    const { relay, fail, sweepAfter, ports, discarded } = await open();
    await relay(await fail());
    await sweepAfter(3);
    const { workspaceId, postId, accountId } = aTarget();
    const message = { workspaceId, postId, accountId, wakeNumber: -1, discards: 'gone' };
    expect(await discardUpload(ports, message)).toBe('obsolete');
    expect(discarded).toHaveLength(1);
  });
});
