import { beforeEach, describe, expect, it } from 'vitest';
import { guardSchedules, SchedulerRestsError } from '../../../lib/aws/scheduler-guard.ts';
import type { Schedules } from '../../../lib/aws/schedules.ts';
import { secondMs } from '../../../lib/kernel/clock.ts';

let timeMs: number;
let requests: number;
let running: number;
let mostRunning: number;
let answer: () => Promise<void>;
let schedules: Schedules;
beforeEach(() => {
  [timeMs, requests, running, mostRunning] = [0, 0, 0, 0];
  answer = async () => {};
  const request = async () => {
    requests += 1;
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    await new Promise(setImmediate);
    running -= 1;
    await answer();
  };
  const unguarded = { create: request, remove: request };
  schedules = guardSchedules(unguarded, () => timeMs);
});

const create = () => schedules.create('name', { workspaceId: 'a' }, 0, 'queue');
const createMany = (count: number) => Promise.allSettled(Array.from({ length: count }, create));
const fail = async () => {
  throw new Error('throttled');
};

describe('requests to Scheduler', () => {
  it('are made ten at a time', async () => {
    await createMany(100);
    expect([requests, mostRunning]).toEqual([100, 10]);
  });

  it.each([
    ['three failures in a row', fail],
    [
      'one slow request',
      async () => {
        timeMs += 501;
      },
    ],
  ])('end for 20 seconds after %s, so that other work is not delayed', async (_what, trouble) => {
    answer = trouble;
    await createMany(100);
    expect(requests).toBeLessThanOrEqual(13);
    const before = requests;
    await expect(create()).rejects.toThrow(SchedulerRestsError);
    await expect(schedules.remove('name')).rejects.toThrow(SchedulerRestsError);
    expect(requests).toBe(before);
    timeMs += 20 * secondMs;
    answer = async () => {};
    await create();
    expect(requests).toBe(before + 1);
  });

  it('continue after two failures', async () => {
    answer = fail;
    await createMany(2);
    answer = async () => {};
    await create();
    answer = fail;
    await createMany(2);
    answer = async () => {};
    await expect(create()).resolves.toBeUndefined();
  });
});
