import { describe, expect, it } from 'vitest';
import {
  type Composing,
  composeMessage,
  composeQuestion,
} from '../../../../lib/automations/actions/compose.ts';
import { checkAutomation } from '../../../../lib/automations/check.ts';
import { Automation } from '../../../../lib/automations/schemas.ts';
import { HeraldError } from '../../../../lib/kernel/errors.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { messagingLimits as limits } from '../../../../lib/platforms/instagram/limits.ts';
import { startMs } from '../../../support/builders.ts';

const linkBaseUrl = 'https://herald.example.com';
const composing = (withoutButtons: boolean): Composing => ({ linkBaseUrl, limits, withoutButtons });
const bytes = (text: string) => Buffer.byteLength(text);
const gate = { message: 'Tap', buttonLabel: 'Get it', notFollowingMessage: 'Follow us' };
const button = (url: string, title = 'Open') => ({ type: 'url' as const, title, url });

const automation = (changes: Partial<Automation>): Automation =>
  Automation.parse({
    id: newId(startMs),
    workspaceId: newId(startMs),
    accountId: newId(startMs),
    platformPostId: '1',
    name: null,
    isActive: true,
    keywords: [],
    matchMode: 'contains',
    typoTolerance: false,
    commentReply: null,
    dmMessage: 'Here it is',
    buttons: [],
    followGate: null,
    trackLinks: false,
    links: [],
    createdAt: '',
    updatedAt: '',
    version: 1,
    ...changes,
  });

/** The fields that the check refuses, with the reasons. */
function refusals(changes: Partial<Automation>): [string, string][] {
  try {
    checkAutomation(automation(changes), limits, linkBaseUrl);
    return [];
  } catch (error) {
    if (!(error instanceof HeraldError)) throw error;
    return error.problems.map(({ field, message }) => [field, message]);
  }
}

describe('a message as text', () => {
  it('has a line per button', () => {
    const buttons = [button('https://a.example/1', 'One'), button('https://a.example/2', 'Two')];
    expect(composeMessage(automation({ buttons }), composing(true))).toEqual({
      text: 'Here it is\n\nOne: https://a.example/1\nTwo: https://a.example/2',
    });
  });

  it('asks for a reply if it asks for a tap', () => {
    const gated = { ...automation({}), followGate: gate };
    expect(composeQuestion(gated, 1, false, composing(true)).text).toBe('Tap\n\nReply: Get it');
    expect(composeQuestion(gated, 2, true, composing(true)).text).toBe('Follow us\n\nReply: Get it');
  });

  // Automations that were stored before both forms were checked.
  it.each<[what: string, changes: Partial<Automation>, expected: RegExp]>([
    [
      'its text is cut, never a link',
      {
        dmMessage: `${'ü'.repeat(480)} https://a.example/${'y'.repeat(80)} end`,
        buttons: [button('https://b.example/1')],
      },
      /^ü+…\n\nOpen: https:\/\/b\.example\/1$/,
    ],
    [
      'a link that does not fit is left out whole',
      { buttons: [button('https://b.example/1'), button(`https://c.example/${'z'.repeat(990)}`)] },
      /^Here it is\n\nOpen: https:\/\/b\.example\/1$/,
    ],
    [
      'a message without buttons is cut too',
      { dmMessage: `${'x '.repeat(490)}https://a.example/${'y'.repeat(80)}` },
      /^(x )+x…$/,
    ],
  ])('is sent although it is too long: %s', (_what, changes, expected) => {
    const { text, buttons } = composeMessage(automation(changes), composing(true));
    expect(buttons).toBeUndefined();
    expect(text).toMatch(expected);
    expect(bytes(text)).toBeLessThanOrEqual(limits.textBytes);
    expect(refusals(changes).map(([field]) => field)).toEqual(['dmMessage']);
  });
});

describe('the check of an automation measures, uncut', () => {
  it.each<[what: string, changes: Partial<Automation>, field: string, reason: RegExp]>([
    [
      'a message with its buttons written as text',
      { dmMessage: '🔥'.repeat(246), buttons: [button('https://a.example')] },
      'dmMessage',
      /is sent as 1010 bytes if the platform refuses its buttons/,
    ],
    [
      'buttons that alone are too long as text',
      { buttons: [button(`https://a.example/${'z'.repeat(990)}`)] },
      'dmMessage',
      /bytes if the platform refuses its buttons/,
    ],
    [
      'a question with its button written as text',
      { followGate: { ...gate, message: '🔥'.repeat(247) } },
      'followGate.message',
      /is sent as 1003 bytes if the platform refuses its buttons/,
    ],
    [
      'the question to a person who does not follow',
      { followGate: { ...gate, notFollowingMessage: '🔥'.repeat(247) } },
      'followGate.notFollowingMessage',
      /is sent as 1003 bytes/,
    ],
    [
      'a message with buttons',
      { dmMessage: 'x'.repeat(641), buttons: [button('https://a.example')] },
      'dmMessage',
      /640/,
    ],
  ])('%s', (_what, changes, field, reason) => {
    expect(refusals(changes)).toEqual([[field, expect.stringMatching(reason)]]);
  });

  it.each<[what: string, changes: Partial<Automation>]>([
    ['exactly 1,000 bytes', { dmMessage: `${'🔥'.repeat(243)}xx`, buttons: [button('https://a.example')] }],
    ['a gate of exactly 1,000 bytes', { followGate: { ...gate, message: `${'🔥'.repeat(246)}x` } }],
    ['640 characters', { dmMessage: 'x'.repeat(640), buttons: [button('https://a.example')] }],
  ])('and allows %s', (_what, changes) => {
    expect(refusals(changes)).toEqual([]);
  });
});

it('a button leads to the normalized URL, also if links are not tracked', () => {
  const buttons = [button('https://e.com/a b'), button('HTTPS://E.com')];
  const urls = (withoutButtons: boolean) =>
    composeMessage(automation({ buttons }), composing(withoutButtons));
  expect(urls(false).buttons).toMatchObject([{ url: 'https://e.com/a%20b' }, { url: 'https://e.com/' }]);
  expect(urls(true).text).toMatch(/\n\nOpen: https:\/\/e\.com\/a%20b\nOpen: https:\/\/e\.com\/$/);
});
