import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../../lib/kernel/clock.ts';
import { tokenSet } from '../../../support/authorization.ts';
import { failing, openSweepFixture, type SweepFixture } from './fixture.ts';

let fixture: SweepFixture;
beforeEach(async () => {
  fixture = await openSweepFixture();
});

describe('a worker that crashes or hangs during a renewal', () => {
  /** Each refresh token works once. */
  const rotating = () => {
    let good = 'secret-refresh-a';
    let turn = 0;
    fixture.authorization.answers.refresh = async ({ refreshToken }) => {
      if (refreshToken !== good) return failing('reauthorise')();
      turn += 1;
      good = `secret-refresh-${turn}`;
      return tokenSet(`${turn}`, fixture.clock.time);
    };
  };

  it('because the key service fails loses nothing: no tokens are issued that cannot be sealed', async () => {
    const account = await fixture.connectOne();
    rotating();
    fixture.dayLater();
    const keyService = fixture.dataKeys.generate;
    fixture.dataKeys.generate = () => Promise.reject(new Error('an outage'));
    expect(await fixture.sweep()).toMatchObject({ wait: 1 });
    expect(fixture.authorization.asked).toEqual([]);
    fixture.dataKeys.generate = keyService;
    fixture.clock.time += 2 * hourMs;
    expect(await fixture.sweep()).toMatchObject({ renewed: 1 });
    expect(await fixture.current(account)).toMatchObject({ status: 'ok' });
  });

  it('before the platform answered loses nothing: a later sweep renews the tokens', async () => {
    const account = await fixture.connectOne();
    rotating();
    fixture.dayLater();
    const { refresh } = fixture.authorization.answers;
    fixture.authorization.answers.refresh = () => new Promise(() => {});
    void fixture.sweep();
    await expect.poll(() => fixture.authorization.asked).toHaveLength(1);
    fixture.authorization.answers.refresh = refresh;
    expect(await fixture.sweep()).toMatchObject({ left: 1 });
    fixture.clock.time += 15 * minuteMs;
    expect(await fixture.sweep()).toMatchObject({ renewed: 1 });
    expect(await fixture.current(account)).toMatchObject({ status: 'ok' });
  });

  it('after the platform issued new tokens leaves an expired account with the reason, tried only once more', async () => {
    const account = await fixture.connectOne();
    rotating();
    fixture.dayLater();
    const { refresh } = fixture.authorization.answers;
    fixture.authorization.answers.refresh = async (tokens) => {
      await refresh(tokens);
      return new Promise(() => {});
    };
    void fixture.sweep();
    await expect.poll(() => fixture.authorization.asked).toHaveLength(1);
    fixture.authorization.answers.refresh = refresh;
    fixture.clock.time += 15 * minuteMs;
    expect(await fixture.sweep()).toMatchObject({ expire: 1 });
    expect(await fixture.current(account)).toMatchObject({
      status: 'expired',
      statusMessage:
        'the platform says reauthorise An earlier renewal was interrupted, so its new tokens may be lost: connect the account again. [while renewing the access token]',
    });
    for (let sweeps = 0; sweeps < 5; sweeps += 1) {
      fixture.clock.time += 10 * dayMs;
      await fixture.sweep();
    }
    expect(fixture.authorization.asked).toHaveLength(2);
  });

  it('after the platform issued new tokens is still known as the reason if the platform fails before it refuses', async () => {
    const account = await fixture.connectOne();
    rotating();
    fixture.dayLater();
    const { refresh } = fixture.authorization.answers;
    fixture.authorization.answers.refresh = async (tokens) => {
      await refresh(tokens);
      return new Promise(() => {});
    };
    void fixture.sweep();
    await expect.poll(() => fixture.authorization.asked).toHaveLength(1);
    fixture.authorization.answers.refresh = failing('retry');
    fixture.clock.time += 15 * minuteMs;
    expect(await fixture.sweep()).toMatchObject({ wait: 1 });
    fixture.authorization.answers.refresh = refresh;
    fixture.clock.time += dayMs;
    expect(await fixture.sweep()).toMatchObject({ expire: 1 });
    expect(await fixture.current(account)).toMatchObject({
      status: 'expired',
      statusMessage: expect.stringContaining('An earlier renewal was interrupted'),
    });
  });

  it('may store its new tokens after its lease has expired, because no other worker can get them', async () => {
    const account = await fixture.connectOne();
    rotating();
    fixture.dayLater();
    const { refresh } = fixture.authorization.answers;
    let resume = () => {};
    fixture.authorization.answers.refresh = async (tokens) => {
      const fresh = await refresh(tokens);
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
      return fresh;
    };
    const slow = fixture.sweep();
    await expect.poll(() => fixture.authorization.asked).toHaveLength(1);
    fixture.authorization.answers.refresh = refresh;
    fixture.clock.time += 15 * minuteMs;
    expect(await fixture.sweep()).toMatchObject({ expire: 1 });
    resume();
    expect(await slow).toMatchObject({ renewed: 1 });
    expect(await fixture.current(account)).toMatchObject({ status: 'ok', statusMessage: null });
    fixture.clock.time += dayMs;
    expect(await fixture.sweep()).toMatchObject({ renewed: 1 });
  });
});
