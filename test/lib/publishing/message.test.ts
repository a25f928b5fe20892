import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  joinWakes,
  mostTargets,
  type PublishMessage,
  PublishMessage as SingleTarget,
  WakeMessage,
  wakesOf,
} from '../../../lib/publishing/message.ts';
import { scheduleName } from '../../../lib/publishing/wake.ts';

const workspaceId = '019ca945-0a00-720a-a039-3dbd814d7f6b';
const postId = '019ca945-0a00-71ce-8a97-95debc00f350';
const wake = (account: number, wakeNumber = 1): PublishMessage => ({
  workspaceId,
  postId,
  accountId: `019ca945-0a00-7000-8000-${String(account).padStart(12, '0')}`,
  wakeNumber,
});
const wakes = fc.uniqueArray(fc.record({ account: fc.nat(50), wakeNumber: fc.integer({ min: 1, max: 3 }) }), {
  selector: ({ account, wakeNumber }) => `${account} ${wakeNumber}`,
  maxLength: 20,
});

describe('wakes of a post that are due together', () => {
  it.each([
    [1, [1]],
    [2, [2]],
    [4, [4]],
    [5, [3, 2]],
    [7, [4, 3]],
    [9, [3, 3, 3]],
  ])('make as few messages as possible: %i make %j', (count, sizes) => {
    const joined = joinWakes(Array.from({ length: count }, (_, account) => wake(account)));
    expect(joined.map((message) => wakesOf(message).length)).toEqual(sizes);
  });

  it('are each named once, and a message has no more than it may have', () => {
    fc.assert(
      fc.property(wakes, (given) => {
        const all = given.map(({ account, wakeNumber }) => wake(account, wakeNumber));
        const joined = joinWakes(all);
        expect(joined.flatMap(wakesOf)).toHaveLength(all.length);
        expect(joined.flatMap(wakesOf)).toEqual(expect.arrayContaining(all));
        expect(joined.every((message) => wakesOf(message).length <= mostTargets)).toBe(true);
      }),
    );
  });

  it('make the same messages and names of schedules in every order', () => {
    fc.assert(
      fc.property(wakes, fc.infiniteStream(fc.nat()), (given, numbers) => {
        const all = given.map(({ account, wakeNumber }) => wake(account, wakeNumber));
        const shuffled = all
          .map((each) => ({ each, at: numbers.next().value }))
          .sort((one, other) => one.at - other.at)
          .map(({ each }) => each);
        expect(joinWakes(shuffled)).toEqual(joinWakes(all));
        const names = joinWakes(all).map(scheduleName);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(name).toMatch(/^[0-9a-zA-Z-_.]{1,64}$/);
      }),
    );
  });
});

describe('during a deployment, and for months after it', () => {
  it('this release reads a message for one target, as earlier releases have sent and scheduled it', () => {
    const former = { ...wake(1, 7), isTakeover: true, sends: 3 };
    expect(wakesOf(WakeMessage.parse(former))).toEqual([former]);
    expect(scheduleName(wake(1, 7))).toBe('019ca9450a0071ce8a9795debc00f350-93b85504b13a4f60-7');
  });

  it('an earlier release reads the first target of a message for several', () => {
    const [joined] = joinWakes([wake(1), wake(2), wake(3)]);
    expect(SingleTarget.parse(joined)).toEqual(wake(1));
  });
});
