import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../world/random.ts';
import { codeFingerprint } from './fingerprint.ts';
import {
  addReport,
  doneCount,
  isDone,
  loadState,
  newRunState,
  type RunState,
  removeState,
  resumable,
  saveState,
} from './run-state.ts';

const fresh = newRunState({ fingerprint: 'a', from: 1, count: 500 });
const withSeeds = (seeds: readonly number[], state: RunState = fresh) =>
  seeds.reduce((before, seed) => addReport(before, { seed, calls: 10, live: 2 }), state);

describe('the state of a run', () => {
  it('keeps seeds that are done out of order as few ranges', () => {
    expect(withSeeds([1, 2, 5, 4, 9]).done).toEqual([
      [1, 2],
      [4, 5],
      [9, 9],
    ]);
    expect(withSeeds([3], withSeeds([1, 2, 5, 4, 9])).done).toEqual([
      [1, 5],
      [9, 9],
    ]);
  });

  it('knows of each seed whether it is done, in any order of reports', () => {
    const random = seededRandom(1);
    const order = Array.from({ length: 500 }, (_, index) => ({ seed: index + 1, place: random.next() }))
      .sort((left, right) => left.place - right.place)
      .map(({ seed }) => seed);
    const done = order.slice(0, 200);
    const state = withSeeds(done);
    expect(order.filter((seed) => isDone(state, seed)).sort()).toEqual(done.toSorted());
    expect(doneCount(state)).toBe(200);
    expect(withSeeds(order).done).toEqual([[1, 500]]);
  });

  it('adds up live posts, calls and failures', () => {
    const state = addReport(withSeeds([1, 2]), { seed: 3, calls: 5, live: 1, violation: 'live twice' });
    expect(state).toMatchObject({ calls: 25, live: 5, failures: [{ seed: 3, violation: 'live twice' }] });
  });

  it('counts a seed that is reported again only once', () => {
    const once = withSeeds([1]);
    expect(withSeeds([1], once)).toEqual(once);
  });
});

describe('resuming', () => {
  it('continues a run of the same code', () => {
    expect(resumable(fresh, 'a')).toEqual({ state: fresh });
  });

  it('is refused if the code has changed, with what to do', () => {
    expect(resumable({ ...withSeeds([4, 5]), from: 4 }, 'b')).toEqual({
      refused: expect.stringMatching(
        /has changed.* 2 seeds that are done.* npm run simulate -- --seeds 500 --from 4\n/,
      ),
    });
  });

  it('is refused if nothing was interrupted', () => {
    expect(resumable(undefined, 'a')).toEqual({ refused: expect.stringContaining('without --resume') });
  });

  it('depends on the code alone', () => {
    expect(codeFingerprint()).toMatch(/^[0-9a-f]{16}$/);
    expect(codeFingerprint()).toBe(codeFingerprint());
  });
});

describe('the file of a run', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'run-state-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('is read as it was saved, until it is removed', () => {
    const inner = join(directory, 'not/there/yet');
    const state = {
      ...withSeeds([1, 3]),
      bug: 'silence counts as proof that nothing went live' as const,
      workedMs: 1.5,
    };
    saveState(inner, state);
    expect(loadState(inner)).toEqual(state);
    removeState(inner);
    expect(loadState(inner)).toBeUndefined();
  });

  it('is refused with what to do if it is damaged', () => {
    writeFileSync(join(directory, 'run.json'), '{"from":1');
    expect(() => loadState(directory)).toThrow(/Delete it, and start without --resume/);
  });
});
