import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Automation } from '../../../../lib/automations/schemas.ts';
import { openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { type Fixture, openFixture } from '../fixture.ts';

let instagram: SimulatedInstagram;
let fixture: Fixture;
beforeAll(async () => {
  const [table, opened] = await Promise.all([createTestTable(), openInstagram()]);
  instagram = opened;
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
  fixture = await openFixture(table, instagram);
});
afterAll(() => instagram.close());
// What an earlier test has recorded holds for an hour.
beforeEach(() => instagram.advance(2 * 3_600));

const buttons = [{ type: 'url' as const, title: 'Shop', url: 'https://shop.example/a' }];
const automation = (changes: Partial<Automation> = {}) =>
  fixture.automation({ commentReply: null, buttons, ...changes });

let people = 0;
/** A person comments. @returns the statuses of the calls that follow, and how the message was sent, if it was */
async function answerTo(to: Automation, refusals = 0) {
  const name = `refused.${++people}`;
  await fixture.comment(to, name);
  for (let count = 0; count < refusals; count += 1) await instagram.plan('messages', 'error:100');
  const before = (await instagram.list('requests')).length;
  await fixture.work();
  const calls = (await instagram.list('requests')).slice(before);
  const [message] = await fixture.messagesTo(name);
  const statuses = calls.flatMap(({ operation, status }) => (operation === 'messages' ? [status] : []));
  return { statuses, form: message && (message.buttons.length > 0 ? 'buttons' : 'text') };
}
const withButtons = { statuses: [200], form: 'buttons' };
const asText = { statuses: [200], form: 'text' };
const refusedThenText = { statuses: [400, 200], form: 'text' };

describe('if Instagram refuses the buttons of one automation, and accepts the same message as text', () => {
  it('its next private replies are text for an hour, and those of others keep their buttons', async () => {
    const [refused, other] = [await automation(), await automation()];
    expect(await answerTo(refused, 1)).toEqual(refusedThenText);
    expect(await answerTo(refused)).toEqual(asText);
    expect(await answerTo(other)).toEqual(withButtons);
    instagram.advance(3_601);
    expect(await answerTo(refused)).toEqual(withButtons);
  });

  it('and those of another one within the hour, the private replies of the whole account are text', async () => {
    const all = [await automation(), await automation(), await automation()] as const;
    expect(await answerTo(all[0], 1)).toEqual(refusedThenText);
    instagram.advance(1_800);
    expect(await answerTo(all[1], 1)).toEqual(refusedThenText);
    for (const each of all) expect(await answerTo(each)).toEqual(asText);
    instagram.advance(3_601);
    for (const each of all) expect(await answerTo(each)).toEqual(withButtons);
  });

  it('and those of another one after the hour, only the latter’s are text', async () => {
    const [first, second] = [await automation(), await automation()];
    await answerTo(first, 1);
    instagram.advance(3_601);
    expect(await answerTo(second, 1)).toEqual(refusedThenText);
    expect(await answerTo(first)).toEqual(withButtons);
    expect(await answerTo(second)).toEqual(asText);
  });
});

describe('if Instagram refuses the text too, the buttons were not the reason', () => {
  it('so the failure names the refusal, and the next messages have their buttons', async () => {
    const refused = await automation();
    expect(await answerTo(refused, 2)).toEqual({ statuses: [400, 400], form: undefined });
    const [action] = await fixture.actions(refused.id);
    expect(action).toMatchObject({ state: 'failed', error: expect.stringMatching(/100|Invalid parameter/) });
    expect(await answerTo(refused)).toEqual(withButtons);
    expect(await answerTo(await automation())).toEqual(withButtons);
  });

  it('so two automations that cannot be sent do not cost a third its buttons', async () => {
    for (const failing of [await automation(), await automation()]) await answerTo(failing, 2);
    expect(await answerTo(await automation())).toEqual(withButtons);
  });
});

it('a follow gate that is sent as text asks for a reply', async () => {
  const followGate = { message: 'Tap', buttonLabel: 'Get it', notFollowingMessage: 'Follow us' };
  const gated = await automation({ followGate });
  await answerTo(gated, 1);
  const sent = await fixture.messagesTo(`refused.${people}`);
  expect(sent.map(({ text }) => text)).toEqual(['Tap\n\nReply: Get it']);
});
