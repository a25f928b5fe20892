import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '../../../../lib/kernel/clock.ts';
import { tokenSet } from '../../../support/authorization.ts';
import { failing, openSweepBench, type SweepBench } from './fixture.ts';

let bench: SweepBench;
beforeEach(async () => {
  bench = await openSweepBench();
});

describe('a worker that dies in the middle of a renewal', () => {
  /** Each refresh token serves once. */
  const rotating = () => {
    let good = 'secret-refresh-a';
    let turn = 0;
    bench.authorization.answers.refresh = async ({ refreshToken }) => {
      if (refreshToken !== good) return failing('reauthorise')();
      turn += 1;
      good = `secret-refresh-${turn}`;
      return tokenSet(`${turn}`, bench.clock.time);
    };
  };

  it('before the platform was asked costs nothing: the next sweep does it', async () => {
    const account = await bench.connectOne();
    rotating();
    bench.dayLater();
    const { refresh } = bench.authorization.answers;
    bench.authorization.answers.refresh = () => new Promise(() => {});
    void bench.sweep();
    await expect.poll(() => bench.authorization.asked).toHaveLength(1);
    bench.authorization.answers.refresh = refresh;
    expect(await bench.sweep()).toMatchObject({ left: 1 });
    bench.clock.time += 15 * minuteMs;
    expect(await bench.sweep()).toMatchObject({ renewed: 1 });
    expect(await bench.current(account)).toMatchObject({ status: 'ok' });
  });

  it('after the platform gave a new token leaves an expired account that says why, asked about once', async () => {
    const account = await bench.connectOne();
    rotating();
    bench.dayLater();
    const { refresh } = bench.authorization.answers;
    bench.authorization.answers.refresh = async (tokens) => {
      await refresh(tokens);
      return new Promise(() => {});
    };
    void bench.sweep();
    await expect.poll(() => bench.authorization.asked).toHaveLength(1);
    bench.authorization.answers.refresh = refresh;
    bench.clock.time += 15 * minuteMs;
    expect(await bench.sweep()).toMatchObject({ expire: 1 });
    expect(await bench.current(account)).toMatchObject({
      status: 'expired',
      statusMessage: 'the platform says reauthorise An earlier renewal was cut off half-way.',
    });
    for (let sweeps = 0; sweeps < 5; sweeps += 1) {
      bench.clock.time += 10 * dayMs;
      await bench.sweep();
    }
    expect(bench.authorization.asked).toHaveLength(2);
  });

  it('or is only slow, may store what it got when its lease is over: nobody else can get it any more', async () => {
    const account = await bench.connectOne();
    rotating();
    bench.dayLater();
    const { refresh } = bench.authorization.answers;
    let wakeUp = () => {};
    bench.authorization.answers.refresh = async (tokens) => {
      const fresh = await refresh(tokens);
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      return fresh;
    };
    const slow = bench.sweep();
    await expect.poll(() => bench.authorization.asked).toHaveLength(1);
    bench.authorization.answers.refresh = refresh;
    bench.clock.time += 15 * minuteMs;
    expect(await bench.sweep()).toMatchObject({ expire: 1 });
    wakeUp();
    expect(await slow).toMatchObject({ renewed: 1 });
    expect(await bench.current(account)).toMatchObject({ status: 'ok', statusMessage: null });
    bench.clock.time += dayMs;
    expect(await bench.sweep()).toMatchObject({ renewed: 1 });
  });
});
