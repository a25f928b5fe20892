import { beforeEach, expect, it } from 'vitest';
import { readAttempt } from '../../../lib/connections/attempts.ts';
import { claimAttempt } from '../../../lib/connections/claim.ts';
import { answerTo } from '../../../lib/connections/pages.ts';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { connectable } from '../../support/authorization.ts';
import { type ConnectingFixture, noon, openConnectingFixture } from '../../support/connecting.ts';

const redirectUrl = 'https://app.example/done';

let fixture: ConnectingFixture;
/** The statuses that the workspace has read while the platform was answering. */
let seen: string[];
beforeEach(async () => {
  fixture = await openConnectingFixture();
  seen = [];
});

const statusOf = async (state: string) => (await readAttempt(fixture.context(), state)).status;

/** Makes the platform answer 29 seconds later, after the step's expiry. */
async function answerLate(state: string): Promise<void> {
  fixture.clock.time += 29 * secondMs;
  seen.push(await statusOf(state));
}

/** The last moment at which a request may continue a step that begins now. */
function waitUntilLast(): void {
  fixture.clock.time += 10 * minuteMs - 1;
}

it('an attempt is not shown as expired while its code is exchanged', async () => {
  const { state } = await fixture.begin();
  await fixture.leave(state);
  waitUntilLast();
  fixture.authorization.answers.exchange = async () => {
    await answerLate(state);
    return [connectable('a', noon)];
  };
  await fixture.comeBack({ state, code: 'code-1' });
  expect([...seen, await statusOf(state)]).toEqual(['pending', 'choosing']);
});

it('an attempt is not shown as expired while its accounts are connected', async () => {
  fixture.authorization.answers.exchange = async () => [connectable('a', noon)];
  const state = await fixture.arrive();
  waitUntilLast();
  fixture.authorization.answers.afterConnect = () => answerLate(state);
  await fixture.choose(state, ['a']);
  expect([...seen, await statusOf(state)]).toEqual(['choosing', 'connected']);
});

it('an attempt is not shown as expired while it is claimed', async () => {
  fixture.authorization.answers.exchange = async () => [connectable('a', noon)];
  const state = await fixture.arrive({ redirectUrl, claim: true });
  const answer = answerTo(await fixture.choose(state, ['a']));
  const { searchParams } = new URL('redirectTo' in answer ? answer.redirectTo : 'missing:');
  waitUntilLast();
  fixture.authorization.answers.afterConnect = () => answerLate(state);
  const { status } = await claimAttempt(fixture.context(), state, searchParams.get('code') ?? '');
  expect([...seen, status]).toEqual(['choosing', 'connected']);
});
