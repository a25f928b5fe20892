import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../lib/operations.ts';
import { bombard, type HostileFixture, openHostileFixture } from '../../support/hostile-requests.ts';

let fixture: HostileFixture;
beforeAll(async () => {
  fixture = await openHostileFixture();
});

const withBody = operations.filter(({ body }) => body !== undefined).map((op) => [op.id, op] as const);

describe('generated bodies', { timeout: 300_000 }, () => {
  it.each(withBody)('do not break %s', async (_id, op) => {
    await bombard(fixture, op);
  });
});

describe.each(withBody)('%s', (id) => {
  const send = (rawBody: string) =>
    fixture.call(id, { apiKey: fixture.apiKey, path: { id: 'x', platform: 'youtube' }, rawBody });

  it.each([
    ['a million values', `{"platforms":[${'0,'.repeat(1_000_000)}0]}`],
    [
      'ten thousand objects',
      `{"platforms":[${'{},'.repeat(10_000)}{}],"mediaItems":[${'{},'.repeat(10_000)}{}]}`,
    ],
    ['a name of five million characters', `{"${'k'.repeat(5_000_000)}":"\\u0000"}`],
    [
      'a text of five million characters',
      `{"content":"${'x'.repeat(5_000_000)}","filename":"${'x'.repeat(300)}"}`,
    ],
    ['a million levels', '['.repeat(1_000_000)],
    ['a million levels that end', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
  ])('responds quickly to a body with %s', async (_what, rawBody) => {
    const answer = await send(rawBody);
    expect(answer.status, answer.text.slice(0, 200)).toBeLessThan(500);
    expect(answer.text.length).toBeLessThan(100_000);
  });
});
