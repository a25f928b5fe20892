import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../../lib/kernel/clock.ts';
import { effectsOf } from '../../../../lib/publishing/relay/effects.ts';
import type { Target } from '../../../../lib/targets/schemas.ts';
import { aTarget, startMs } from '../../../support/builders.ts';

const { wakeAt: _wakeAt, ...idle } = aTarget();
const draft: Target = { ...idle, status: 'draft' };
const waiting = aTarget();
const laterMs = startMs + 60_000;
const rearmed = aTarget({ ...waiting, wakeAt: toTimestamp(laterMs), wakeNumber: 2 });
const publishing: Target = { ...waiting, status: 'publishing' };
const settled: Target = { ...idle, ...waiting, status: 'published' };
delete (settled as { wakeAt?: string }).wakeAt;

/** Such as `arm 1`, `disarm 1`, `roll-up`. */
function told(before: Target | undefined, after: Target | undefined): string {
  return effectsOf(before, after)
    .map((effect) => ('message' in effect ? `${effect.kind} ${effect.message.wakeNumber}` : effect.kind))
    .join(', ');
}

describe('from a change of a target follows:', () => {
  it.each<[string, Target | undefined, Target | undefined, string]>([
    ['a draft is stored', undefined, draft, ''],
    ['a scheduled target is stored', undefined, waiting, 'arm 1'],
    ['a draft is scheduled', draft, aTarget({ ...waiting, wakeNumber: 2 }), 'arm 2, roll-up'],
    ['it gets another wake', waiting, rearmed, 'arm 2, disarm 1'],
    [
      'it is moved to another time',
      waiting,
      { ...rearmed, scheduledFor: rearmed.wakeAt },
      'arm 2, disarm 1, free time, roll-up',
    ],
    ['it becomes a draft again', waiting, { ...draft, wakeNumber: 2 }, 'disarm 1, free time, roll-up'],
    ['it is deleted', waiting, undefined, 'disarm 1, free time'],
    ['a settled one is deleted', settled, undefined, 'free time'],
    ['a draft is deleted', draft, undefined, ''],
    ['a worker takes it', waiting, { ...waiting, attempt: 2, leaseUntil: toTimestamp(laterMs) }, ''],
    ['a step is committed', waiting, { ...waiting, preparation: { containerId: '1' } }, ''],
    ['it is about to go live', waiting, { ...waiting, status: 'publishing', intentAt: waiting.wakeAt }, ''],
    [
      'the outcome of its last call stays open',
      { ...waiting, status: 'publishing' },
      { ...waiting, status: 'publishing', wakeNumber: waiting.wakeNumber + 1 },
      'arm 2, disarm 1, roll-up',
    ],
    ['it is live', { ...waiting, status: 'publishing' }, settled, 'roll-up'],
    ['it gets its address', settled, { ...settled, permalink: 'https://x.example/1' }, 'roll-up'],
    ['it gets its id', settled, { ...settled, platformPostId: '1' }, 'note live post, roll-up'],
    ['it gets a warning', settled, { ...settled, error: 'no comment' }, 'roll-up'],
    ['it fails', waiting, { ...settled, status: 'failed', error: 'no' }, 'free time, roll-up'],
    [
      'it is live, with a chain behind it',
      { ...publishing, startsChain: true },
      { ...settled, startsChain: true },
      'run chain, roll-up',
    ],
    [
      'a part of it is live',
      { ...publishing, startsChain: true },
      { ...settled, status: 'partial', startsChain: true },
      'run chain, roll-up',
    ],
    [
      'more of it is live',
      { ...settled, status: 'partial', startsChain: true },
      { ...settled, startsChain: true },
      'roll-up',
    ],
    ['one with a chain is stored live', undefined, { ...settled, startsChain: true }, 'run chain'],
    [
      'one with a chain fails',
      { ...publishing, startsChain: true },
      { ...settled, status: 'failed', startsChain: true },
      'free time, roll-up',
    ],
    ['it is retried', { ...settled, status: 'failed' }, rearmed, 'arm 2, roll-up'],
    [
      'the first one of a post with a chain is live',
      { ...waiting, status: 'publishing', startsChain: true },
      { ...settled, startsChain: true },
      'run chain, roll-up',
    ],
    [
      'it changes while it is live',
      { ...settled, startsChain: true },
      { ...settled, startsChain: true, status: 'partial' },
      'roll-up',
    ],
    ['nothing that anyone sees', settled, { ...settled, failures: 3 }, ''],
    ['nothing at all', waiting, waiting, ''],
  ])('%s', (_what, before, after, effects) => {
    expect(told(before, after)).toBe(effects);
  });

  it('the message of exactly that wake, at its moment', () => {
    const { workspaceId, postId, accountId } = rearmed;
    expect(effectsOf(waiting, rearmed)).toEqual([
      { kind: 'arm', message: { workspaceId, postId, accountId, wakeNumber: 2 }, wakeMs: laterMs },
      { kind: 'disarm', message: { workspaceId, postId, accountId, wakeNumber: 1 }, wakeMs: startMs },
    ]);
  });
});
