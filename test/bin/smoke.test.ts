import { describe, expect, it } from 'vitest';
import type { SmokeContext, Step } from '../../bin/smoke/steps.ts';
import { runSteps } from '../../bin/smoke.ts';

const context = (signal = new AbortController().signal): Omit<SmokeContext, 'undo'> => ({
  apiUrl: 'https://api.example.com',
  apiKey: 'yay_1',
  publishes: false,
  now: 0,
  signal,
  wait: async () => undefined,
});
const silent = { clock: () => 0, say: () => {} };
const step = (name: string, run: Step['run']): Step => ({ name, run });
const fails = async () => {
  throw new Error('500');
};

describe('the smoke test', () => {
  it('goes on after a step that fails', async () => {
    const results = await runSteps([step('one', fails), step('two', async () => 'found')], context(), silent);
    expect(results).toEqual([
      { step: 'one', state: 'failed', found: '500', milliseconds: 0 },
      { step: 'two', state: 'ok', found: 'found', milliseconds: 0 },
    ]);
  });

  it('says why it leaves a step out', async () => {
    const one: Step = { name: 'one', leftOut: () => 'add --publish', run: fails };
    expect(await runSteps([one], context(), silent)).toEqual([
      { step: 'one', state: 'left out', found: 'add --publish', milliseconds: 0 },
    ]);
  });

  it('undoes what it made, the last first, also of a step that failed', async () => {
    const undone: string[] = [];
    const makes = (what: string) =>
      step(what, async ({ undo }) => {
        undo(what, async () => undone.push(what));
        throw new Error('500');
      });
    await runSteps([makes('a file'), makes('a post')], context(), silent);
    expect(undone).toEqual(['a post', 'a file']);
  });

  it('reports what it could not undo, and undoes the rest', async () => {
    const undone: string[] = [];
    const one = step('one', async ({ undo }) => {
      undo('a file', async () => undone.push('a file'));
      undo('a post', fails);
      return 'made';
    });
    const results = await runSteps([one], context(), silent);
    expect(results.at(-1)).toMatchObject({
      step: 'clean up: a post',
      state: 'failed',
      found: 'remove it by hand: 500',
    });
    expect(undone).toEqual(['a file']);
  });

  it('begins no step after it was stopped, and undoes with a signal that is not', async () => {
    const controller = new AbortController();
    const signals: boolean[] = [];
    const one = step('one', async ({ undo }) => {
      undo('a file', async ({ signal }) => signals.push(signal.aborted));
      controller.abort();
      return 'made';
    });
    const results = await runSteps([one, step('two', fails)], context(controller.signal), silent);
    expect(results.map(({ state, found }) => `${state}: ${found}`)).toEqual([
      'ok: made',
      'left out: stopped',
    ]);
    expect(signals).toEqual([false]);
  });
});
