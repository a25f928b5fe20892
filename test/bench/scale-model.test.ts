import { describe, expect, it } from 'vitest';
import { batchMs, burstOf, drain, inOrder, type Worker } from './scale/model.ts';

const worker: Worker = {
  memoryMegabytes: 256,
  batchSize: 10,
  environments: 200,
  processorMs: 27,
  leastBatchMs: 1_000,
};

describe('the model of a burst', () => {
  it('lets the targets of a batch share the processor of their environment', () => {
    expect(batchMs(worker)).toBeCloseTo(1_866, 0);
    expect(batchMs({ ...worker, memoryMegabytes: 1_769 })).toBe(1_000);
  });

  it('is over after one batch if there are enough environments', () => {
    expect(drain(2_000, worker, 200).lastSeconds).toBeCloseTo(batchMs(worker) / 1_000, 2);
  });

  it('is slower on a quiet queue, whose pollers grow by five a second', () => {
    const { lastSeconds, halfSeconds } = drain(2_000, worker);
    expect(lastSeconds).toBeGreaterThan(10);
    expect(lastSeconds).toBeLessThan(16);
    expect(halfSeconds).toBeLessThan(lastSeconds);
  });

  it('never uses more environments than the bound of the mapping', () => {
    expect(drain(200_000, worker).environments).toBe(200);
  });

  it('has two percent of a day’s targets in the busiest second', () => {
    expect(burstOf({ postsPerMonth: 100_000, targetsPerPost: 3, burst: 0.02 })).toBe(200);
  });

  it('orders the parts by how much is needed of them', () => {
    const part = (name: string, limit: number) => ({
      name,
      limit,
      unit: '',
      needed: (targets: number) => targets,
    });
    expect(inOrder([part('wide', 100), part('narrow', 10)], 50).map(({ name }) => name)).toEqual([
      'narrow',
      'wide',
    ]);
  });
});
