import { describe, expect, it } from 'vitest';
import { together } from '../../../lib/kernel/together.ts';

/** A turn that ends when the test says so. */
function manualTurn() {
  const tasks: (() => void)[] = [];
  return {
    turn: (task: () => void) => tasks.push(task),
    end: () => tasks.splice(0).forEach((task) => void task()),
  };
}

const ok = <T>(value: T) => ({ status: 'fulfilled', value }) as const;

describe('together', () => {
  it('joins the calls of a turn, and gives each its own result', async () => {
    const { turn, end } = manualTurn();
    const works: (readonly number[])[] = [];
    const double = together<number, number>(async (calls) => {
      works.push(calls);
      return calls.map((call) => ok(call * 2));
    }, turn);
    const results = [double(1), double(2)];
    end();
    expect(await Promise.all(results)).toEqual([2, 4]);
    const later = double(3);
    end();
    expect(await later).toBe(6);
    expect(works).toEqual([[1, 2], [3]]);
  });

  it('begins a new call while an earlier one is at work', async () => {
    const { turn, end } = manualTurn();
    const begun: (readonly string[])[] = [];
    const never = together<string, void>((calls) => {
      begun.push(calls);
      return new Promise(() => {});
    }, turn);
    void never('first');
    end();
    void never('second');
    end();
    expect(begun).toEqual([['first'], ['second']]);
  });

  it('fails the calls whose outcome is a failure, and no others', async () => {
    const { turn, end } = manualTurn();
    const run = together<string, string>(
      async (calls) =>
        calls.map((call) =>
          call === 'bad' ? { status: 'rejected', reason: new Error('refused') } : ok(call),
        ),
      turn,
    );
    const settled = Promise.allSettled([run('good'), run('bad')]);
    end();
    expect(await settled).toEqual([ok('good'), { status: 'rejected', reason: new Error('refused') }]);
  });

  it.each([
    ['the work throws', () => Promise.reject(new Error('no connection')), 'no connection'],
    ['the work returns too few outcomes', async () => [], 'a joined call has no outcome'],
  ])('fails all calls if %s', async (_title, work, message) => {
    const { turn, end } = manualTurn();
    const run = together<number, never>(work, turn);
    const settled = Promise.allSettled([run(1), run(2)]);
    end();
    for (const outcome of await settled)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message } });
  });
});
